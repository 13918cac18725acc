import { dvCpf } from '../documento/dados-abertos-documento.ts'
import type { Chamador } from '../platform/autoridade.ts'
import type { Cenario, EfeitoNfe } from './cenario.ts'
import { empresa } from './empresa.ts'

/** A row of a table: in what the scenario differs from the usual. The note is in Portuguese, for the list. */
export type LinhaDeCenario = readonly [nome: string, nota: string, diferenca?: Diferenca]

export type Diferenca = Partial<Omit<Cenario, 'numero' | 'nome' | 'nota'>>

/** Events of the recipient, by tpEvento (NT 2020.001 v1.50). */
export const CIENCIA = '210210'
export const CONFIRMACAO = '210200'
export const DESCONHECIMENTO = '210220'
export const NAO_REALIZADA = '210240'

/** That code in the place of the answer. */
export const codigo = (cStat: number): EfeitoNfe => ({ tipo: 'codigo', cStat })

/** A defective document. */
export const documento = (defeito: Extract<EfeitoNfe, { tipo: 'documento' }>['defeito']): EfeitoNfe => ({
  tipo: 'documento',
  defeito,
})

/** The connection breaks off before the first byte. */
export const QUEDA: EfeitoNfe = { tipo: 'queda', quando: 'antes' }

/** The holder has a key that cannot sign an event. */
export const EC: Diferenca = { chaveDoA1: 'ec' }

/** Past the 10 days of the Ciência; over two months old; past the 90 days of the distribution. */
export const UM_MES: Diferenca = { idadeDias: 30 }
export const DOIS_MESES: Diferenca = { idadeDias: 70 }
export const TRES_MESES: Diferenca = { idadeDias: 100 }

/**
 * The scenarios of a table, numbered from `primeiro` on. Left out of a row: the holder, a company of the
 * row's own (98.764.NNN/0001), is the recipient of a note authorized three days ago, not yet manifested, that
 * the portal releases.
 */
export function montarCenarios(primeiro: number, linhas: readonly LinhaDeCenario[]): Cenario[] {
  return linhas.map(([nome, nota, diferenca], indice) => ({
    numero: primeiro + indice,
    nome,
    nota,
    titular: empresaDaLinha(primeiro + indice, diferenca?.papel),
    chaveDoA1: 'rsa',
    papel: 'destinatario',
    idadeDias: 3,
    situacao: 'autorizada',
    existe: 'sim',
    portal: 'libera',
    ...diferenca,
  }))
}

/** The company of a row; where the row is about a branch, its first branch. */
function empresaDaLinha(numero: number, papel: Cenario['papel'] | undefined): Chamador {
  const doze = `98764${String(numero).padStart(3, '0')}${papel === 'filial' ? '0002' : '0001'}`
  return empresa(doze, `EMPRESA SIMULADA DO CENARIO ${numero} LTDA`)
}

/** A person, by the first nine digits of the CPF. */
export function pessoa(nove: string): Chamador {
  return { tipo: 'cpf', documento: nove + dvCpf(nove), nome: 'JOAO SIMULADO DA NOTA' }
}
