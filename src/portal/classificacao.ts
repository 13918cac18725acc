import type { SituacaoCertidao } from './cnd-certidao.ts'
import type { Desfecho } from './desfecho.ts'

/** A text that is neither a certificate nor a refusal of one. */
export type NaoResultado = Exclude<Desfecho, 'nao-encontrado' | 'nao-atende' | 'cortada' | 'outro-documento'>

/** The outcome of a certificate, a page or a message. */
export type SituacaoDita = Exclude<SituacaoCertidao, 'erro'> | NaoResultado

/** An outcome, and the words that decide it: on one line, with accents and case as they came. */
export type Classificacao = { situacao: SituacaoDita; frase: string }

/** Words and what they mean. They are compared with the text that `fold` gives. */
export type Marca = { situacao: SituacaoDita; se: RegExp }
