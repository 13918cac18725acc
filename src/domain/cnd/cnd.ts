import type { SituacaoCertidao } from '../certidao.ts'
import { collapse, fold } from '../texto-plano.ts'
import {
  comEfeitos,
  corpoNegativo,
  corpoPositivo,
  deve,
  type Marca,
  nadaDeve,
  naoInscrito,
  regular,
  tituloComEfeitos,
  tituloNegativo,
  tituloPositivo,
} from './frase.ts'
import {
  aguardando,
  certifica,
  cobraCampo,
  geradoSemPendencia,
  naoResultados,
  semCertidaoDita,
} from './pagina.ts'
import { titleOf } from './titulo.ts'

/** What a text is where it is neither a certificate nor a refusal of one. */
export type NaoResultado =
  /** A firewall, or the portal's own guard against robots. */
  | 'bloqueado'
  /** A captcha is wanted. */
  | 'captcha'
  | 'captcha-errado'
  | 'documento-invalido'
  /** The certificate is being made: ask again. */
  | 'processando'
  /** The state wants the registration in the place of the document. */
  | 'pede-ie'
  /** MG: the taxpayer first registers an address in SIARE. */
  | 'sem-endereco'
  /** RN: the certificate of a large group is sent by e-mail alone. */
  | 'por-email'
  /** Our form was filled in wrongly: the page changed. */
  | 'formulario-errado'
  /** The page says that the certificate was issued, and does not bring it. */
  | 'emitida'
  /** Outside its hours. */
  | 'fechado'
  | 'indisponivel'
  | 'sessao-expirada'
  /** Nothing decides, or title and body of a certificate contradict each other. */
  | 'nao-entendido'

export type Situacao = Exclude<SituacaoCertidao, 'erro'> | NaoResultado

/** What a text says, and the words of it that say so: on one line, with accents and case as they came. */
export type Classificacao = { situacao: Situacao; frase: string }

/** Where a text came from: a certificate, or a page without one. */
export type OrigemDoTexto = 'pdf' | 'pagina'

/** No message that a state gives in the place of a certificate was longer; a page is. */
const LONGEST_MESSAGE = 600

/**
 * Reads the outcome of a certificate (`pdf`), or of a message or page without one (`pagina`). With `titulo`, only what it
 * matches is looked at, and all of it (GO's certificates of any outcome have the same prose). A certificate that cannot be
 * told apart is `nao-entendido`, never a guess; so is a long page without a known phrase, while any short message without
 * one is `sem_certidao`.
 */
export function classifyCertidao(texto: string, origem: OrigemDoTexto, titulo?: RegExp): Classificacao {
  return origem === 'pdf' ? classifyPdf(texto, titulo) : classifyPagina(texto)
}

/** Why a text is no answer at all, of whatever was asked: what the pages of all states say in words of one kind. */
export const findRecusa = (texto: string): Situacao | undefined =>
  first(lineOf(texto), naoResultados)?.situacao

/** A text on one line, and as it is compared. */
type Linha = { plain: string; folded: string }

function lineOf(texto: string): Linha {
  const plain = collapse(texto)
  return { plain, folded: fold(plain) }
}

function classifyPdf(texto: string, titulo: RegExp | undefined): Classificacao {
  const title = lineOf(titleOf(texto, titulo))
  if (titulo) return byTitle(title, title) ?? naoEntendido
  const whole = lineOf(texto)
  return byTitle(title, whole) ?? byBody(whole) ?? naoEntendido
}

/** The title's own verdict; a negative one is not believed where the body states debts alone. */
function byTitle(title: Linha, whole: Linha): Classificacao | undefined {
  const found = first(title, [tituloComEfeitos, tituloPositivo, tituloNegativo, nadaDeve, deve])
  const isDenied =
    found?.situacao === 'negativa' && first(whole, [deve, corpoPositivo]) && !first(whole, [nadaDeve])
  return isDenied ? naoEntendido : found
}

/** The order of three independent readers of these certificates: the effects first, then the negative, then the positive. */
function byBody(whole: Linha): Classificacao | undefined {
  const found = first(whole, [comEfeitos, nadaDeve, corpoNegativo, deve, corpoPositivo, regular])
  if (found) return found
  return hasNumber.test(whole.folded) ? undefined : first(whole, [naoInscrito])
}

const hasNumber = /\b(?:CERTIDAO|CND) Nº ?:? ?\d/

function classifyPagina(texto: string): Classificacao {
  const whole = lineOf(texto)
  const none = first(whole, naoResultados)
  if (none) return none
  if (certifica.test(whole.folded)) return classifyPdf(texto, undefined)
  const said = first(whole, [geradoSemPendencia, deve, naoInscrito, semCertidaoDita, aguardando])
  if (said) return said
  const { plain } = whole
  // One word ("Atenção") is the title of a box that came empty.
  const isMessage = plain.includes(' ') && plain.length <= LONGEST_MESSAGE && !cobraCampo.test(whole.folded)
  return isMessage ? { situacao: 'sem_certidao', frase: plain } : naoEntendido
}

const naoEntendido: Classificacao = { situacao: 'nao-entendido', frase: '' }

function first({ plain, folded }: Linha, marcas: readonly Marca[]): Classificacao | undefined {
  for (const { situacao, se } of marcas) {
    const match = se.exec(folded)
    if (match) return { situacao, frase: plain.slice(match.index, match.index + match[0].length) }
  }
  return undefined
}
