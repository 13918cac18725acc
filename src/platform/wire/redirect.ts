import type { Dispatcher } from 'undici'
import type { Ask } from './http.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Gives the next exchange of a redirect; undefined if there is none, none is left, or `ask.within` refuses
 * the address. As in browsers, all but 307 and 308 become a GET, and another origin gets no certificate, body
 * or credentials.
 */
export function nextHop(
  ask: Ask,
  status: number,
  headers: Dispatcher.ResponseData['headers'],
): Ask | undefined {
  const location = headers.location
  const redirects = ask.redirects ?? 0
  if (!REDIRECTS.has(status) || typeof location !== 'string' || redirects === 0) return undefined
  if (!URL.canParse(location, ask.url)) return undefined
  const url = new URL(location, ask.url)
  if (ask.within && !ask.within(url)) return undefined
  const rest = { ...ask, url: url.href, redirects: redirects - 1 }
  const sameOrigin = url.origin === new URL(ask.url).origin
  if (status >= 307 && sameOrigin) return rest
  const { body: _body, certificate, headers: sent = {}, ...bare } = rest
  const dropped = sameOrigin ? ['content-type'] : ['content-type', 'authorization', 'cookie']
  const kept = Object.entries(sent).filter(([name]) => !dropped.includes(name.toLowerCase()))
  return {
    ...bare,
    method: 'GET',
    headers: Object.fromEntries(kept),
    certificate: sameOrigin ? certificate : undefined,
  }
}
