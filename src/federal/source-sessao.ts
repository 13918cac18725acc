import { createRequire } from 'node:module'
import { RotaNaoAtende, SourceError } from '../platform/wire/fonte.ts'
import type { Ask } from '../platform/wire/http.ts'
import { openTokens, VENCIDO } from '../portal/captcha.ts'
import { PaginaExcessiva } from '../portal/html.ts'
import { openPagina, type Pagina, parseJson, textAt } from '../portal/pagina.ts'
import type { Failure } from '../portal/portal.ts'
import { refuseKnown } from '../portal/visita.ts'
import { readCookies, writeCookies } from './cookies.ts'
import { fontesDaCertidao } from './fontes.ts'
import type { Tempo } from './pausa.ts'
import type { MeiosFederais } from './rota-federal.ts'

const require = createRequire(import.meta.url)

const { source, url: API, captcha } = fontesDaCertidao.portal

/** The page whose script makes these calls. */
const PAGINA = 'https://servicos.receitafederal.gov.br/servico/certidoes/'

/** The captcha is solved in this share of the time left. */
const SOLVE_SHARE = 0.8

/** A conversation with the portal's API. */
export type Sessao = {
  get: (path: string) => Promise<Pagina>
  /**
   * `token` answers the captcha. A question with `unica` starts an issuance, so it is not sent again if its
   * connection fails.
   */
  post: (path: string, body: object, options?: { token?: string; unica?: true }) => Promise<Pagina>
  /** Reads the captcha's key and has it solved. The token is sent at once. */
  token: () => Promise<string>
  /** The cookies, to go on in a later run. Empty if there are none. */
  cookies: () => string
  tempo: Tempo
  failure: Failure
}

/** Opens a conversation, with the cookies of an earlier one if they are given. */
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

/** How many tokens are tried for one question. */
const TRIES = 3

/**
 * Asks with a token, and again with a new one if the server refuses it (023) or it grew old. Throws
 * RotaNaoAtende if nobody solved the captcha in time.
 */
export async function comCaptcha<R>(sessao: Sessao, ask: (token: string) => Promise<R>): Promise<R> {
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
