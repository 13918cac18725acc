import { collapse } from '../platform/texto.ts'
import type { Source } from '../platform/wire/fonte.ts'
import { failureOf } from './desfecho.ts'
import { parseHtml, textosOf } from './pagina.ts'
import type { NaoResultado } from './rules-certidao.ts'
import { type Certidao, classifyCertidao, type SituacaoCertidao, semCertidao } from './rules-certidao.ts'

export type LeituraPagina = {
  source: Source
  documento: string
  elapsedMs: number
}

const LONGEST_RAW = 500

/** No answer of a page to one question was longer. A front page or a help page is. */
const LONGEST_ANSWER = 2_000

/** The outcomes of a certificate. A page that only has its words has not delivered it. */
const issued: readonly SituacaoCertidao[] = ['negativa', 'positiva_com_efeitos_de_negativa']

/** Gives `positiva`, `nao_contribuinte` or `sem_certidao`; throws failureOf of any other outcome. */
export function readCertidaoPage(texto: string, leitura: LeituraPagina): Certidao {
  const { situacao, frase } = classifyCertidao(texto, 'pagina')
  const plain = collapse(texto)
  const raw = rawOf(plain, frase)
  const quote = frase && sentenceOf(plain, frase)
  if (!isResult(situacao)) throw failureOfTexto(situacao, quote, leitura, frase && raw)
  if (issued.includes(situacao)) throw failureOfTexto('emitida', quote, leitura, raw)
  return semCertidao(situacao, raw)
}

/** A message alone is believed; a whole page may be a general one about certificates. */
export function saysNothing(texto: string): boolean {
  const { situacao, frase } = classifyCertidao(texto, 'pagina')
  if (isResult(situacao) && texto.length > LONGEST_ANSWER) return true
  return situacao === 'nao-entendido' || (situacao === 'sem_certidao' && isWhole(frase, texto))
}

const isWhole = (frase: string, texto: string): boolean =>
  frase.replace(/\s/g, '') === collapse(texto).replace(/\s/g, '')

export function readHtml(body: Buffer, leitura: LeituraPagina): Certidao {
  const texto = textosOf(parseHtml(decode(body)).root()).join(' ')
  if (saysNothing(texto)) throw failureOfTexto('nao-entendido', '', leitura)
  return readCertidaoPage(texto, leitura)
}

/** `frase` is quoted in the message; `dizeres`, the words at length, go to `status_raw`. */
export const failureOfTexto = (
  situacao: NaoResultado,
  frase: string,
  { source, documento, elapsedMs }: LeituraPagina,
  dizeres = frase,
): Error => {
  const tipo = documento.length === 11 ? 'cpf' : 'cnpj'
  return failureOf(situacao, { source, elapsedMs, tipo, frase, dizeres })
}

const results: readonly string[] = [
  'negativa',
  'positiva',
  'positiva_com_efeitos_de_negativa',
  'nao_contribuinte',
  'sem_certidao',
] satisfies SituacaoCertidao[]

export const isResult = <S extends string>(situacao: S): situacao is Exclude<S, NaoResultado> =>
  results.includes(situacao)

/** A form that is shown again may draw a label after the last sentence (RJ's, of the other document). */
const LAST_LABEL = /(?<=[.!?])\s[^.!?:]{1,40}:$/

/** For `status_raw`: a message to its last sentence, or the deciding sentence of a whole page. */
function rawOf(plain: string, frase: string): string {
  if (plain.length > LONGEST_RAW) return sentenceOf(plain, frase)
  const said = plain.replace(LAST_LABEL, '')
  return said.includes(frase) ? said : plain
}

function sentenceOf(plain: string, frase: string): string {
  const at = Math.max(0, plain.indexOf(frase))
  const before = plain.slice(Math.max(0, at - LONGEST_RAW / 2), at)
  const begin =
    at - before.length + (/^.*[.!?]\s/s.exec(before)?.[0].length ?? (before.length < at ? before.length : 0))
  const after = plain.slice(at + frase.length, begin + LONGEST_RAW)
  const end = /[.!?](?=\s|$)/.exec(after)?.index
  const ends = /[.!?]$/.test(frase) ? 0 : end === undefined ? after.length : end + 1
  return plain
    .slice(begin, at + frase.length + ends)
    .trim()
    .slice(0, LONGEST_RAW)
}

function decode(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return new TextDecoder('windows-1252').decode(body)
  }
}
