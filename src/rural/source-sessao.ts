import type { CookieJar } from 'tough-cookie'
import { SourceError } from '../platform/wire/fonte.ts'
import {
  type CookieDaSessao,
  HOST_DO_SIGEF,
  hasLogin,
  isDoLogin,
  keptOf,
  LOGIN_GOV_BR,
} from './rules-sigef.ts'
import {
  failureOf,
  fonteSigef,
  type MeiosDoSigef,
  PAGINA_MS,
  PAUSA_MS,
  pedir,
  unknownPage,
} from './source-sigef.ts'

/** A jar with the cookies of a session, for one conversation. It knows no ends: they go by our clock. */
export async function openJar(cookies: readonly CookieDaSessao[]): Promise<CookieJar> {
  // The jar brings a list of all domains, 4 MB, so the first session loads it.
  const { Cookie, CookieJar } = await import('tough-cookie')
  const jar = new CookieJar(undefined, { rejectPublicSuffixes: false })
  for (const { nome, valor, dominio, caminho, soHost, seguro } of cookies) {
    const cookie = new Cookie({
      key: nome,
      value: valor,
      path: caminho,
      secure: seguro,
      expires: 'Infinity',
      ...(!soHost && { domain: dominio }),
    })
    jar.setCookieSync(cookie, `https://${dominio}${caminho}`, { ignoreError: true })
  }
  return jar
}

/** The cookies of SIGEF and of the login that a jar holds, with the ends of those that were put into it. */
function cookiesIn(jar: CookieJar, put: readonly CookieDaSessao[]): CookieDaSessao[] {
  const { cookies = [] } = jar.serializeSync() ?? {}
  return cookies
    .map(({ key, value, domain, path, secure, hostOnly, expires }): CookieDaSessao => {
      const end = typeof expires === 'string' ? Date.parse(expires) : Number.NaN
      const isSame = (one: CookieDaSessao): boolean =>
        one.nome === key && one.dominio === domain && one.valor === value
      return {
        nome: String(key),
        valor: String(value),
        dominio: String(domain),
        caminho: String(path ?? '/'),
        soHost: hostOnly === true,
        seguro: secure === true,
        expira: Number.isNaN(end) ? (put.find(isSame)?.expira ?? null) : end,
      }
    })
    .filter((one) => one.dominio === HOST_DO_SIGEF || isDoLogin(one))
}

/** The way through the login has three or four redirects. */
const MAIS_DESVIOS = 10

const isKnown = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' &&
  (hostname === HOST_DO_SIGEF || hostname === LOGIN_GOV_BR || hostname.endsWith(`.${LOGIN_GOV_BR}`))

/**
 * Renews the session of a jar, into which `cookies` were put, by those of the gov.br login, and proves that
 * SIGEF takes it: then its cookies, without a login that is over. Throws SourceError `sessao-expirada`.
 */
export async function renewSessao(
  meios: MeiosDoSigef,
  cookies: readonly CookieDaSessao[],
): Promise<CookieDaSessao[]> {
  const entered = hasLogin(cookies) && (await enter(meios).then(() => true, unlessOver))
  await pedir(`${fonteSigef.url}/consultar/parcelas/`, meios, (pagina) => {
    if (pagina.html()('#pesquisaForm, #id_cpf_cnpj').length === 0)
      throw unknownPage(pagina, 'falta o formulário da busca')
  })
  return keptOf(cookiesIn(meios.jar, cookies).filter((one) => entered || !isDoLogin(one)))
}

/** SIGEF may take the session for a while after the login that renewed it is over. */
function unlessOver(error: unknown): false {
  if (error instanceof SourceError && error.codigo === 'sessao-expirada') return false
  throw error
}

async function enter({ http, guard, jar, request_id, signal, emVaga }: MeiosDoSigef): Promise<void> {
  const { source, url } = fonteSigef
  await emVaga(() =>
    guard({ source, deadlineMs: PAGINA_MS, request_id, paceMs: PAUSA_MS }, async (deadlineMs) => {
      const ask = {
        source,
        method: 'GET',
        url: `${url}/oauth2/authorization/govbr`,
        deadlineMs,
        signal,
      } as const
      const reply = await http.send({
        ...ask,
        jar,
        repeatable: true,
        redirects: MAIS_DESVIOS,
        within: isKnown,
      })
      const { hostname } = new URL(reply.url)
      if (hostname !== HOST_DO_SIGEF && reply.status < 400)
        throw failureOf('http', 'pede que se entre de novo: o login gov.br deste serviço acabou', {
          codigo: 'sessao-expirada',
          status: reply.status,
        })
      if (reply.status >= 400)
        throw failureOf('http', `não renovou a sessão (HTTP ${reply.status})`, {
          status: reply.status,
          retryS: 60,
        })
    }),
  )
}
