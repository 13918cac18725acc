import type { SituacaoCertidao } from './certidao.ts'

/** What a text is where it is neither a certificate nor a refusal of one. */
export type NaoResultado =
  /** A firewall, or the portal's own guard against robots. */
  | 'bloqueado'
  /** The captcha was wrong, or is missing. */
  | 'captcha'
  | 'documento-invalido'
  /** The certificate is being made: ask again. */
  | 'processando'
  /** The state wants the registration in the place of the document. */
  | 'pede-ie'
  /** Outside its hours. */
  | 'fechado'
  | 'indisponivel'
  /** A certificate in which nothing decides, or whose title and body contradict each other. */
  | 'nao-entendido'

/** What a text says, and the words of it that say so (white space collapsed, accents and case as they came). */
export type Classificacao = { situacao: Exclude<SituacaoCertidao, 'erro'> | NaoResultado; frase: string }

/** Where a text came from: a certificate, or a page without one. */
export type OrigemDoTexto = 'pdf' | 'pagina'

/** Reads the outcome of a certificate or of a page. */
export function classifyCertidao(_texto: string, _origem: OrigemDoTexto, _titulo?: RegExp): Classificacao {
  return { situacao: 'nao-entendido', frase: '' }
}
