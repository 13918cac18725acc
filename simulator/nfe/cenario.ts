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
