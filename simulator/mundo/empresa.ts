import { camposDeSimples, temSimples } from '../dados-abertos/linha-simples.ts'
import type { Empresa, Plano } from '../dados-abertos/plano.ts'
import type { Situacao } from './contribuinte.ts'
import type { Enquadramento } from './regime.ts'
import { HOJE } from './registro.ts'

/** The size of a company in words, by its code in Empresas (01, 03, 05; empty when not told). */
export function porteDe(codigo: string): string {
  return { '01': 'MICRO EMPRESA', '03': 'EMPRESA DE PEQUENO PORTE', '05': 'DEMAIS' }[codigo] ?? ''
}

/** How a company stands before ICMS, by its row in Simples. */
export function enquadramentoDe(plano: Plano, dona: Empresa): Enquadramento {
  if (!temSimples(plano, dona)) return 'normal'
  const [, simples, , , mei] = camposDeSimples(plano, dona)
  return mei === 'S' ? 'mei' : simples === 'S' ? 'simples' : 'normal'
}

/**
 * What a registration becomes when the Receita Federal's situation is `codigo` (1 or 2 digits: 01 void, 02
 * active, 03 suspended, 04 unfit, 08 closed). States suspend or cancel the unfit; a few of the active are
 * suspended on their own.
 */
export function situacaoDe(codigo: string, sorte: number): Situacao {
  switch (codigo.padStart(2, '0')) {
    case '02':
      return sorte % 40 === 0 ? 'suspenso' : 'habilitado'
    case '03':
      return 'suspenso'
    case '04':
      return sorte % 3 === 0 ? 'suspenso' : 'cancelado'
    case '08':
      return 'baixado'
    default:
      return 'cancelado'
  }
}

/** AAAAMMDD as YYYY-MM-DD; empty when it is no day between 1900 and the world's today. */
export function dataDe(texto: string): string {
  const [, ano, mes, dia] = /^((?:19|20)\d\d)(0[1-9]|1[0-2])(\d\d)$/.exec(texto) ?? []
  const data = `${ano}-${mes}-${dia}`
  return ano && data <= HOJE && !Number.isNaN(Date.parse(data)) ? data : ''
}
