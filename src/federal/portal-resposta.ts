import { SourceError } from '../platform/wire/fonte.ts'
import { failureOf } from '../portal/desfecho.ts'
import type { Pagina } from '../portal/pagina.ts'
import { parseJson, textAt, valueAt } from '../portal/pagina.ts'
import type { RecusaFederal } from './certidao.ts'
import { fontesDaCertidao } from './fontes.ts'
import { recusaOf } from './recusa.ts'

const { source } = fontesDaCertidao.portal

/** An answer of the portal's API. */
export type RespostaDaApi = {
  /** Its own status, such as `Sucesso`. Empty if it has none. */
  status: string
  /** Its message, which comes as a text, or as an object with `texto`. */
  mensagem: string
  /** The value of a member. */
  valor: (nome: string) => unknown
  elapsedMs: number
}

/** The server's refusals of a captcha token, with HTTP 400 and code 023 (open clients, 2026). */
const CAPTCHA = new Set(['CaptchaFalhaValidacao', 'CaptchaTokenNaoInformado'])

const FORA = new Set(['SistemaIndisponivel', 'BaseIndisponivel'])

/** The portal's banner ends in a code and the hour: "... 033 - 17/08/2026 10:11:12". */
const BANNER = /(?<!\d)(\d{3}) - \d\d\/\d\d\/\d{4}/

/** Whether the question carried a token of the captcha, or goes by the session alone. */
type Credencial = 'com-token' | 'sem-token'

/**
 * Reads an answer; `campo` is the member that has its status. Throws SourceError: code `captcha-errado` or
 * `sessao-expirada` if the token or the session was refused, `parse` if it is no JSON.
 */
export function readResposta(pagina: Pagina, campo: string, credencial: Credencial): RespostaDaApi {
  const { status: http, elapsedMs, retryAfterS: retryS } = pagina
  const json = parseJson(pagina)
  const mensagem = textAt(json, 'mensagem.texto') || textAt(json, 'mensagem')
  const codigo = textAt(json, 'codigo') || (BANNER.exec(mensagem)?.[1] ?? '')
  const status = textAt(json, campo)
  const dito = { mensagem, elapsedMs }
  if (codigo === '023' || CAPTCHA.has(textAt(json, 'statusValidacao')))
    throw fail(credencial === 'com-token' ? 'captcha-errado' : 'sessao-expirada', dito)
  if (http === 401 || http === 403) throw fail('sessao-expirada', dito)
  // 033 is an instability, or too many questions. Both pass.
  if (codigo === '033' || FORA.has(status)) throw fail('indisponivel', dito)
  if (http === 429 || (http >= 300 && mensagem === ''))
    throw new SourceError('http', `${source.nome} respondeu com erro (HTTP ${http}).`, {
      source: source.id,
      elapsedMs,
      status: http,
      retryS,
    })
  if (json === null || typeof json !== 'object' || Array.isArray(json)) throw fail('nao-entendido', dito)
  return { status, mensagem, valor: (nome) => valueAt(json, nome), elapsedMs }
}

/**
 * Reads the refusal of an answer that has no result. Throws SourceError for a message of a failure, and kind
 * `parse`, with its words, for one that nobody knows.
 */
export function recusaDita(resposta: RespostaDaApi, cnpj: string): RecusaFederal | 'em-processamento' {
  const dita = recusaOf(resposta.mensagem, cnpj)
  if (dita === undefined) throw fail('nao-entendido', resposta)
  if (dita === 'falha') throw fail('indisponivel', resposta)
  return dita
}

/** Makes a failure of the portal, with its words. */
export const fail = (
  desfecho: Parameters<typeof failureOf>[0],
  { mensagem, elapsedMs }: Pick<RespostaDaApi, 'mensagem' | 'elapsedMs'>,
): Error => failureOf(desfecho, { source, elapsedMs, tipo: 'cnpj', frase: mensagem })
