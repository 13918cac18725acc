import type { CookieJar } from 'tough-cookie'
import type { CodigoDaFalha } from '../platform/wire/fonte.ts'
import { SourceError, type SourceErrorKind } from '../platform/wire/fonte.ts'
import type { Guard } from '../platform/wire/guard.ts'
import type { Http } from '../platform/wire/http.ts'
import type { Anotacao } from '../platform/wire/leitura.ts'
import { findFirewall } from '../portal/desfecho.ts'
import { PaginaExcessiva } from '../portal/html.ts'
import { isCutShort, normalize, openPagina, type Pagina } from '../portal/pagina.ts'
import { fonteSigef, PAGINA_MS, PAUSA_MS } from './fonte.ts'

const { source } = fonteSigef

/** The means of the questions to SIGEF in the operator's session. */
export type MeiosDoSigef = {
  http: Http
  guard: Guard
  /** The cookies of the session. What SIGEF sets is kept in it. */
  jar: CookieJar
  request_id: string
  signal?: AbortSignal | undefined
  /** Runs one question at a time of the few that this node may have under way. */
  emVaga: <T>(ask: () => Promise<T>) => Promise<T>
}

type Details = { codigo?: CodigoDaFalha; status?: number; unavailable?: boolean; retryS?: number | undefined }

/** A failure of SIGEF; `why` follows its name. */
export const failureOf = (kind: SourceErrorKind, why: string, details: Details = {}): SourceError =>
  new SourceError(kind, `${source.nome} ${why}.`, { source: source.id, elapsedMs: 0, ...details })

/** A page with 5,000 vertices has some 6 MiB. */
const MAX_BYTES = 12 * 1024 * 1024

/**
 * Asks for a page and reads it, within SIGEF's limits. Throws SourceError: any status but 200 is `http`, save
 * those in `statuses`, which `read` knows.
 */
export const pedir = <T>(
  url: string,
  { http, guard, jar, request_id, signal, emVaga }: MeiosDoSigef,
  read: (pagina: Pagina, note: (anotacao: Anotacao) => void) => T,
  statuses: readonly number[] = [],
): Promise<T> =>
  emVaga(() =>
    guard({ source, deadlineMs: PAGINA_MS, request_id, paceMs: PAUSA_MS }, async (leftMs, note) => {
      const ask = { source, method: 'GET', url, deadlineMs: leftMs, signal, repeatable: true } as const
      const pagina = openPagina(await http.send({ ...ask, jar, maxBytes: MAX_BYTES }))
      if (!statuses.includes(pagina.status)) refuseStatus(pagina)
      return reading(() => read(pagina, note))
    }),
  )

/** What the reader of pages refuses is a page that nobody knows. */
function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof PaginaExcessiva) throw failureOf('parse', error.message)
    throw error
  }
}

/** A redirect to the login says that the session is over. */
const LOGIN = /acesso\.gov\.br|\b(?:oauth2|login|sso|entrar)/i

/** Throws for any status but 200. */
function refuseStatus({ status, location, retryAfterS: retryS }: Pagina): void {
  if (status === 200) return
  if (status === 401 || (status < 400 && LOGIN.test(location)))
    throw failureOf('http', `não aceita mais a sessão deste serviço (HTTP ${status})`, {
      codigo: 'sessao-expirada',
      status,
      retryS: 60,
    })
  throw failureOf('http', `respondeu com HTTP ${status} em vez da página`, { status, retryS })
}

/** The failure of a page with status 200 that was not asked for: a firewall's, the login, or unknown. */
export function unknownPage(pagina: Pagina, why: string): SourceError {
  const words = normalize(pagina.text().slice(0, 20_000))
  const firewall = findFirewall('', words)
  if (firewall)
    return failureOf('blocked', firewall.texto, { codigo: firewall.codigo, status: 200, retryS: 60 })
  if (pagina.html()(LOGIN_HTML).length > 0)
    return failureOf('http', 'pede que se entre de novo: a sessão deste serviço acabou', {
      codigo: 'sessao-expirada',
      status: 200,
      retryS: 60,
    })
  const cut = isCutShort(pagina) ? 'enviou uma página cortada' : `mudou de página: ${why}`
  return failureOf('parse', cut)
}

/** The login, at SIGEF and at gov.br. The pages of a session have none of it. */
const LOGIN_HTML =
  'input[type=password], form[action*="acesso.gov.br"], #loginData, #accountId, a[href*="/oauth2/authorization/govbr"], a[href*="sso.acesso.gov.br"]'
