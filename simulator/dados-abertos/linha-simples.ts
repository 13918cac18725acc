import { mix } from '../documento/aleatorio.ts'
import { dataPassada } from './pessoa.ts'
import type { Empresa, Plano } from './plano.ts'

/** True for the 72 % of companies that have a row in Simples: every MEI, most small ones. */
export function temSimples(plano: Plano, { numero, tipo }: Empresa): boolean {
  if (tipo === 'mei') return true
  return (tipo === 'limitada' || tipo === 'individual') && mix(numero, plano.semente + 3) < 0.45 * 0x100000000
}

/** The 7 fields of a company's row in Simples; an option that is over has both dates. */
export function camposDeSimples(plano: Plano, { raiz, numero, tipo }: Empresa): string[] {
  plano.aleatorio.semear(numero, 3)
  const simples = opcao(plano)
  const mei = tipo === 'mei' ? opcao(plano) : ['N', '00000000', '00000000']
  return [raiz, ...simples, ...mei]
}

function opcao(plano: Plano): string[] {
  const inicio = dataPassada(plano, 18)
  if (plano.aleatorio.chance(0.6)) return ['S', inicio, '00000000']
  return ['N', inicio, dataPassada(plano, Math.max(0, plano.hoje.ano - 2 - Number(inicio.slice(0, 4))))]
}
