import { dvCnpj, dvCpf } from '../documento/documento.ts'
import type { Efeito } from '../mundo/comportamento.ts'
import type { Chamador } from '../platform/autoridade.ts'

/** The purpose of a kind of note. The table of all is cenarios.ts. */
export type Cenario = {
  /** `nNF` of the keys of its notes. */
  numero: number
  /** Also the name of its A1 file: `nfe-<nome>.pfx`. */
  nome: string
  /** The holder of the scenario's A1 file. */
  titular: Chamador
  /** The kind of its key: only RSA can sign an event. */
  chaveDoA1: 'rsa' | 'ec'
  /**
   * What the holder is on the note. `filial`: a branch of the recipient; `matriz`, `matriz-do-emitente`: the
   * head office of the recipient or issuer, which is a branch; `estranho`: nothing.
   */
  papel:
    | 'emitente'
    | 'destinatario'
    | 'filial'
    | 'matriz'
    | 'matriz-do-emitente'
    | 'transportador'
    | 'autorizado'
    | 'estranho'
  /** The note's issuer, if it is neither the holder nor the usual issuer. */
  emitente?: Chamador
  /**
   * How old the list makes the note, in days (fractions allowed); the key itself says when it was authorized.
   */
  idadeDias: number
  /** Days between authorization and reception by the national environment; 0 when left out. */
  recepcaoDias?: number
  situacao: 'autorizada' | 'cancelada' | 'denegada'
  /** The summary of a cancelled or denied note is still given, in the place of 653 and 654. */
  aindaResumida?: true
  /** Whether the national environment knows the note at all; `nunca` answers 217, `sem-nsu` 137. */
  existe: 'sim' | 'nunca' | 'sem-nsu'
  /** Registered before anybody asks: tpEvento of the recipient's events. */
  eventos?: readonly string[]
  /**
   * How many queries, counted from the first that an event should have released, still get the summary; 0
   * when left out.
   */
  demoraDaLiberacao?: number
  /** What goes wrong with every query, and with those after an event was registered through the simulator. */
  distribuicao?: EfeitoNfe
  distribuicaoDepois?: EfeitoNfe
  /**
   * What goes wrong with the event, whatever the rules say of it but a duplicate (573); a code of 135 or 136
   * registers it.
   */
  ciencia?: EfeitoNfe
  confirmacao?: EfeitoNfe
  /** Whether the portal releases: to participants, to those that manifested, to nobody, or not now. */
  portal: 'libera' | 'exige-manifestacao' | 'nega' | 'indisponivel' | 'captcha-recusado' | EfeitoNfe
  /** In Portuguese, for the list. */
  nota: string
}

/** A code instead of the answer, a misbehaviour on the wire, or a defective document. */
export type EfeitoNfe =
  | Efeito
  | {
      tipo: 'documento'
      defeito: 'gzip-cortado' | 'outra-chave' | 'sem-protocolo' | 'outra-raiz' | 'base64-ruim' | 'vazio'
    }
  | { tipo: 'envelope'; soap: '1.1'; prefixo: string }
  /** The event is registered and its answer never arrives. */
  | { tipo: 'registra-e-cai' }

/** A company, by the first twelve characters of its CNPJ. */
export function empresa(doze: string, nome: string): Chamador {
  return { tipo: 'cnpj', documento: doze + dvCnpj(doze), nome }
}

/** Another establishment of a company, by its order number: `0001` is the head office. */
export function estabelecimento({ documento, nome }: Chamador, ordem: string): Chamador {
  return empresa(`${documento.slice(0, 8)}${ordem}`, nome)
}

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
