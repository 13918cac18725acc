import type { Chamador } from '../autoridade.ts'
import type { Efeito } from '../comportamento.ts'

/** What a kind of note is there to show. The table of them all is cenarios.ts; the n-th is `nNF` n of the keys. */
export type Cenario = {
  /** Also the name of its A1 file: `nfe-<nome>.pfx`. */
  nome: string
  /** Whoever holds the A1 file of the scenario. */
  titular: Chamador
  /** What the holder is on the note; `estranho`: nothing. */
  papel: 'emitente' | 'destinatario' | 'transportador' | 'autorizado' | 'estranho'
  /** How old the list makes the note, in days (fractions allowed); the key itself says when it was authorized. */
  idadeDias: number
  /** Days between authorization and reception by the national environment; 0 when left out. */
  recepcaoDias?: number
  situacao: 'autorizada' | 'cancelada' | 'denegada'
  /** Whether the national environment knows the note at all; `nunca` answers 217, `sem-nsu` 137. */
  existe: 'sim' | 'nunca' | 'sem-nsu'
  /** Registered before anybody asks: tpEvento of the recipient's events. */
  eventos?: readonly string[]
  /** How many queries after the event still get the summary; 0 when left out. */
  demoraDaLiberacao?: number
  /** What goes wrong, and where; `eventos` by tpEvento. */
  distribuicao?: EfeitoNfe
  ciencia?: EfeitoNfe
  confirmacao?: EfeitoNfe
  /** Whether the portal releases: to participants, to those that manifested, or not now. */
  portal?: 'libera' | 'exige-manifestacao' | 'indisponivel' | 'captcha-recusado' | EfeitoNfe
  /** In Portuguese, for the list. */
  nota: string
}

/** A code in the place of the answer, a misbehaviour on the wire, or a document that is not what it should be. */
export type EfeitoNfe =
  | { tipo: 'codigo'; cStat: number /** Only the first so many times. */; vezes?: number }
  | Exclude<Efeito, { tipo: 'codigo' }>
  | {
      tipo: 'documento'
      defeito: 'gzip-cortado' | 'outra-chave' | 'sem-protocolo' | 'outra-raiz' | 'base64-ruim' | 'vazio'
    }
  | { tipo: 'envelope'; soap: '1.1'; prefixo: string }
  /** The event is registered and its answer never arrives. */
  | { tipo: 'registra-e-cai' }
