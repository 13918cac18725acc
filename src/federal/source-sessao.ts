import { createRequire } from 'node:module'
import type { CookieJar } from 'tough-cookie'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import { RotaNaoAtende, SourceError } from '../platform/wire/fonte.ts'
import type { Ask } from '../platform/wire/http.ts'
import { openTokens, VENCIDO } from '../portal/captcha.ts'
import { failureOf } from '../portal/desfecho.ts'
import { openPagina, type Pagina, PaginaExcessiva, parseJson, textAt, valueAt } from '../portal/pagina.ts'
import { type Failure, refuseKnown } from '../portal/visita.ts'
import { type RecusaFederal, recusaOf } from './rules.ts'
import { fontesDaCertidao, type MeiosFederais, type Tempo } from './source.ts'

const { url: API_ADDRESS } = fontesDaCertidao.portal

const MOST = 50
const LONGEST = 16 * 1024

/** Each cookie as the header `Set-Cookie` has it, without its attributes but the path. */
const Cookies = Type.Array(Type.String(), { maxItems: MOST })

/** Empty if there are none. */
function writeCookies(jar: CookieJar): string {
  const cookies: Static<typeof Cookies> = jar
    .getCookiesSync(API_ADDRESS)
    .slice(0, MOST)
    .map((cookie) => `${cookie.cookieString()}; Path=${cookie.path ?? '/'}`)
  const text = cookies.length > 0 ? JSON.stringify(cookies) : ''
  return text.length <= LONGEST ? text : ''
}

/** Puts kept cookies into a jar, for the portal's own host alone. What is no list of cookies is left out. */
function readCookies(jar: CookieJar, text: string): void {
  const kept = text.length <= LONGEST ? parse(text) : undefined
  if (!Check(Cookies, kept)) return
  for (const cookie of kept) jar.setCookieSync(`${cookie}; Secure`, API_ADDRESS, { ignoreError: true })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const require = createRequire(import.meta.url)

const { source, url: API, captcha } = fontesDaCertidao.portal

const PAGINA = 'https://servicos.receitafederal.gov.br/servico/certidoes/'

/** The captcha is solved in this share of the time left. */
const SOLVE_SHARE = 0.8

export type Sessao = {
  get: (path: string) => Promise<Pagina>
  /** A question with `unica` starts an issuance, so it is not sent again if its connection fails. */
  post: (path: string, body: object, options?: { token?: string; unica?: true }) => Promise<Pagina>
  /** Reads the captcha's key and has it solved. The token is sent at once. */
  token: () => Promise<string>
  cookies: () => string
  tempo: Tempo
  failure: Failure
}

export function openSessao(meios: MeiosFederais, tempo: Tempo, cookies = ''): Sessao {
  // The jar brings a list of all domains, 4 MB, so the first visit loads it.
  const { CookieJar }: typeof import('tough-cookie') = require('tough-cookie')
  const jar = new CookieJar(undefined, { rejectPublicSuffixes: false })
  readCookies(jar, cookies)
  const tokens = openTokens(source.nome, meios.now)
  const failure: Failure = (kind, why, details = {}) =>
    new SourceError(kind, `${source.nome} ${why}.`, {
      source: source.id,
      elapsedMs: tempo.elapsedMs(),
      ...details,
    })
  const send = async (pedido: Pedido): Promise<Pagina> => {
    const { path, headers = {}, ...ask } = pedido
    const reply = await meios.http.send({
      ...ask,
      source,
      url: API + path,
      headers: { ...HEADERS, ...headers },
      jar,
      deadlineMs: tempo.leftMs(),
      signal: meios.signal,
    })
    const pagina = openPagina(reply)
    try {
      refuseKnown(pagina, failure, pagina.status < 500)
    } catch (error) {
      throw error instanceof PaginaExcessiva ? failure('parse', error.message) : error
    }
    return pagina
  }
  const get = (path: string): Promise<Pagina> => send({ method: 'GET', path, repeatable: true })
  return {
    get,
    post: (path, body, { token, unica = false } = {}) => {
      if (token !== undefined) tokens.refuseStale([token])
      const headers = { ...DE_JSON, ...(token !== undefined && { 'x-captcha-token': token }) }
      return send({ method: 'POST', path, body: JSON.stringify(body), headers, repeatable: !unica })
    },
    token: async () => {
      const siteKey = readSiteKey(await get('/env'), failure)
      const since = meios.now()
      const desafio = { uf: 'BR', source, tipo: captcha.tipo, siteKey, ...WIDGET } as const
      const token = await meios.captcha.solve(desafio, tempo.leftMs() * SOLVE_SHARE)
      tokens.hold(token, since)
      return token
    },
    cookies: () => writeCookies(jar),
    tempo,
    failure,
  }
}

type Pedido = Pick<Ask, 'method' | 'body' | 'headers' | 'repeatable'> & { path: string }

const HEADERS = { accept: 'application/json', 'accept-language': 'pt-BR,pt;q=0.9', referer: PAGINA }
const DE_JSON = { 'content-type': 'application/json', origin: new URL(API).origin }

/** Reads the captcha's key. Clients met two, so it is read for each token. */
function readSiteKey(env: Pagina, failure: Failure): string {
  const siteKey = textAt(parseJson(env), 'captchaPublicKey')
  if (/^[\w-]{8,100}$/.test(siteKey)) return siteKey
  throw failure('parse', 'mudou: falta a chave do captcha em /env', { status: env.status })
}

const TRIES = 3

/** Asks again with a new token on 023. Throws RotaNaoAtende if nobody solved the captcha in time. */
export async function withCaptcha<R>(sessao: Sessao, ask: (token: string) => Promise<R>): Promise<R> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask(await sessao.token())
    } catch (error) {
      const wantsAnother =
        (error instanceof SourceError && error.codigo === 'captcha-errado') ||
        (error instanceof RotaNaoAtende && error.codigo === VENCIDO)
      if (!wantsAnother || tries === TRIES || sessao.tempo.leftMs() <= 1) throw error
    }
  }
}

const WIDGET = {
  pagina: PAGINA,
  host: new URL(PAGINA).host,
  ...captcha.widget,
  enterprise: false,
  acao: '',
  pontuacaoMinima: undefined,
} as const

const { source: sourceDaEmissao } = fontesDaCertidao.portal

export type RespostaDaApi = {
  status: string
  /** Its message, which comes as a text, or as an object with `texto`. */
  mensagem: string
  valor: (nome: string) => unknown
  elapsedMs: number
}

/** The server's refusals of a captcha token, with HTTP 400 and code 023 (open clients, 2026). */
const CAPTCHA = new Set(['CaptchaFalhaValidacao', 'CaptchaTokenNaoInformado'])

const FORA = new Set(['SistemaIndisponivel', 'BaseIndisponivel'])

/** The portal's banner ends in a code and the hour: "... 033 - 17/08/2026 10:11:12". */
const BANNER = /(?<!\d)(\d{3}) - \d\d\/\d\d\/\d{4}/

type Credencial = 'com-token' | 'sem-token'

/** Throws SourceError: `captcha-errado`, `sessao-expirada`, or `parse` if it is no JSON. */
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
    throw new SourceError('http', `${sourceDaEmissao.nome} respondeu com erro (HTTP ${http}).`, {
      source: sourceDaEmissao.id,
      elapsedMs,
      status: http,
      retryS,
    })
  if (json === null || typeof json !== 'object' || Array.isArray(json)) throw fail('nao-entendido', dito)
  return { status, mensagem, valor: (nome) => valueAt(json, nome), elapsedMs }
}

/** Throws SourceError for a message of a failure, and `parse`, with its words, for one that nobody knows. */
export function recusaDita(resposta: RespostaDaApi, cnpj: string): RecusaFederal | 'em-processamento' {
  const dita = recusaOf(resposta.mensagem, cnpj)
  if (dita === undefined) throw fail('nao-entendido', resposta)
  if (dita === 'falha') throw fail('indisponivel', resposta)
  return dita
}

export const fail = (
  desfecho: Parameters<typeof failureOf>[0],
  { mensagem, elapsedMs }: Pick<RespostaDaApi, 'mensagem' | 'elapsedMs'>,
): Error => failureOf(desfecho, { source: sourceDaEmissao, elapsedMs, tipo: 'cnpj', frase: mensagem })
