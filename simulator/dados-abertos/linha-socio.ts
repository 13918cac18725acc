import { mix } from '../documento/aleatorio.ts'
import { dvCnpj, mascararCpf, sortearCpf } from '../documento/dados-abertos-documento.ts'
import { dataPassada, nomeDeNegocio, nomeDePessoa } from './pessoa.ts'
import { type Empresa, empresa, type Plano } from './plano.ts'

/** How many partners a company has: none for sole traders, 1.6 on average for the rest. */
export function quantosSocios(plano: Plano, { numero, tipo }: Empresa): number {
  if (tipo === 'mei' || tipo === 'individual') return 0
  const p = mix(numero, plano.semente + 2) / 0x100000000
  if (p < 0.55) return 1
  if (p < 0.89) return 2
  return p < 0.97 ? 3 : 5
}

/** The 11 fields of one partner's row in Socios; `ordem` counts from 0. */
export function camposDeSocio(plano: Plano, dona: Empresa, ordem: number): string[] {
  const { aleatorio: a } = plano
  a.semear(dona.numero, 200 + ordem)
  const entrada = dataPassada(plano, 30)
  const sorte = a.ate(1000)
  if (sorte < 12)
    return [dona.raiz, '3', nomeDePessoa(plano), '', '38', entrada, '249', ...procurador(plano), '0']
  if (sorte < 40) {
    const socia = empresa(plano, a.ate(plano.empresas))
    const cnpj = `${socia.raiz}0001${dvCnpj(`${socia.raiz}0001`)}`
    return [
      dona.raiz,
      '1',
      `${nomeDeNegocio(plano)} LTDA`,
      cnpj,
      '22',
      entrada,
      '',
      ...procurador(plano),
      '0',
    ]
  }
  const qualificacao = QUALIFICACAO[dona.tipo] ?? (a.chance(0.8) ? '49' : '22')
  const cpf = mascararCpf(sortearCpf(a))
  const faixa = String(3 + a.ate(6))
  return [dona.raiz, '2', nomeDePessoa(plano), cpf, qualificacao, entrada, '', '***000000**', '', '00', faixa]
}

const QUALIFICACAO: Partial<Record<Empresa['tipo'], string>> = {
  anonima: '10',
  associacao: '16',
  condominio: '19',
}

function procurador(plano: Plano): string[] {
  return [mascararCpf(sortearCpf(plano.aleatorio)), nomeDePessoa(plano), '17']
}
