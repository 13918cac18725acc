/** A cookie of the operator's session. Its value is a secret. */
export type CookieDaSessao = {
  nome: string
  valor: string
  dominio: string
  caminho: string
  /** Whether it goes to the host itself alone, or to the hosts below it too. */
  soHost: boolean
  seguro: boolean
  /** Milliseconds since 1970; null for one that ends with the browser, whose end nobody knows. */
  expira: number | null
}

/** The host of SIGEF, and the domain of the hosts of the gov.br login. */
export const HOST_DO_SIGEF = 'sigef.incra.gov.br'
export const LOGIN_GOV_BR = 'acesso.gov.br'

/** The cookie of a session in SIGEF, and those of the login that renew it (public client, 2026-01). */
export const COOKIE_DO_SIGEF = 'sessionid'
export const COOKIES_DO_LOGIN = ['Session_Gov_Br_Prod', 'Govbrid'] as const

/** A whole browser's cookies are some 1 MiB; a login has a dozen. */
const MOST_CHARACTERS = 4 * 1024 * 1024
const MOST_COOKIES = 60
const MOST_VALUE = 4096

/** Why a text holds no session. The message is Portuguese, and quotes nothing of the text. */
export class CookiesError extends Error {
  override readonly name = 'CookiesError'
}

export const isDoLogin = ({ dominio }: Pick<CookieDaSessao, 'dominio'>): boolean =>
  dominio === LOGIN_GOV_BR || dominio.endsWith(`.${LOGIN_GOV_BR}`)

const isDoSigef = ({ dominio }: CookieDaSessao): boolean => dominio === HOST_DO_SIGEF

/**
 * Reads the cookies of SIGEF and of the gov.br login from a `cookies.txt` (Netscape) or from pasted `Cookie`
 * headers; all others are left out, and so are those that have ended. Throws CookiesError.
 */
export function readCookies(text: string, now: Date): CookieDaSessao[] {
  if (text.length > MOST_CHARACTERS) throw new CookiesError('O texto é grande demais para ser de cookies.')
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const isFile = lines.some((line) => line.split('\t').length === 7)
  const read = isFile ? lines.flatMap(ofLine) : lines.flatMap(ofHeader)
  const kept = read.filter((one) => (isDoLogin(one) || isDoSigef(one)) && isGood(one))
  const living = kept.filter(({ expira }) => expira === null || expira > now.getTime())
  // The last one of a name wins, as in a browser.
  const unique = new Map(living.map((one) => [`${one.dominio} ${one.caminho} ${one.nome}`, one]))
  if (unique.size > MOST_COOKIES) throw new CookiesError('Há cookies demais para uma sessão.')
  if (kept.length > 0 && living.length === 0)
    throw new CookiesError('Todos os cookies do SIGEF e do gov.br deste texto já venceram: entre de novo.')
  const all = [...unique.values()]
  if (!isSessao(all))
    throw new CookiesError(
      `Não há aqui uma sessão: falta o cookie ${COOKIE_DO_SIGEF} de ${HOST_DO_SIGEF}, ou os do login gov.br (${COOKIES_DO_LOGIN.join(', ')}).`,
    )
  return all
}

const isSessao = (cookies: readonly CookieDaSessao[]): boolean =>
  cookies.some((one) => isDoSigef(one) && one.nome === COOKIE_DO_SIGEF) || hasLogin(cookies)

/** Whether the login is there, by which a session is renewed. */
export const hasLogin = (cookies: readonly CookieDaSessao[]): boolean =>
  cookies.some((one) => isDoLogin(one) && isCookieDoLogin(one.nome))

const isCookieDoLogin = (nome: string): boolean => COOKIES_DO_LOGIN.some((one) => one === nome)

/** When the login ends: the earliest end of its cookies. Null where none of them says it. */
export function endOfLogin(cookies: readonly CookieDaSessao[]): number | null {
  const ends = cookies.filter((one) => isDoLogin(one) && isCookieDoLogin(one.nome)).map((one) => one.expira)
  const known = ends.filter((end) => end !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/**
 * What is kept of the cookies that a renewal left: as many as a login may have, its own and SIGEF's session
 * first, without those that no import would take.
 */
export function keptOf(cookies: readonly CookieDaSessao[]): CookieDaSessao[] {
  const isNeeded = ({ nome }: CookieDaSessao): boolean => nome === COOKIE_DO_SIGEF || isCookieDoLogin(nome)
  const good = cookies.filter(isGood)
  return [...good.filter(isNeeded), ...good.filter((one) => !isNeeded(one))].slice(0, MOST_COOKIES)
}

/** Nothing that would break out of a header. */
const isGood = ({ nome, valor }: CookieDaSessao): boolean =>
  valor.length <= MOST_VALUE &&
  /^[\w!#$%&'*+.^`|~-]{1,200}$/.test(nome) &&
  /^[\x21-\x3a\x3c-\x7e]*$/.test(valor)

/** Netscape: domain, whether below it too, path, secure, end (seconds, 0 without), name, value. */
function ofLine(line: string): CookieDaSessao[] {
  const [domain = '', below, caminho = '', secure, end = '', nome = '', valor = '', ...more] = line
    .replace(/^#HttpOnly_/, '')
    .split('\t')
  if (
    domain.startsWith('#') ||
    more.length > 0 ||
    !caminho.startsWith('/') ||
    !/^\d{1,12}(?:\.\d+)?$/.test(end)
  )
    return []
  const seconds = Math.floor(Number(end))
  const dominio = domain.replace(/^\./, '').toLowerCase()
  const [soHost, seguro] = [below?.toUpperCase() !== 'TRUE', secure?.toUpperCase() === 'TRUE']
  return [
    {
      nome,
      valor: valor.trim(),
      dominio,
      caminho,
      soHost,
      seguro,
      expira: seconds > 0 ? seconds * 1000 : null,
    },
  ]
}

/** A header names no host. The login's cookies are known by name, and the others are SIGEF's. */
function ofHeader(line: string): CookieDaSessao[] {
  const pairs = line.replace(/^\s*cookie:\s*/i, '').split(';')
  return pairs.flatMap((pair) => {
    const at = pair.indexOf('=')
    const nome = pair.slice(0, at).trim()
    if (at < 1) return []
    const dominio = isCookieDoLogin(nome) ? `sso.${LOGIN_GOV_BR}` : HOST_DO_SIGEF
    const valor = pair.slice(at + 1).trim()
    return [{ nome, valor, dominio, caminho: '/', soHost: true, seguro: true, expira: null }]
  })
}
