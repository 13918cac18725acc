import type { Dispatcher } from 'undici'
import type { Ask } from '../transport.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * The exchange that a redirect asks for, or undefined when the answer is the answer. As browsers do, all but 307 and 308
 * turn into a GET. Another host never sees the certificate, nor the body.
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
  const rest = { ...ask, url: url.href, redirects: redirects - 1 }
  const sameHost = url.host === new URL(ask.url).host
  if (status >= 307 && sameHost) return rest
  const { body: _body, certificate, headers: sent = {}, ...bare } = rest
  const kept = Object.entries(sent).filter(([name]) => name.toLowerCase() !== 'content-type')
  return {
    ...bare,
    method: 'GET',
    headers: Object.fromEntries(kept),
    certificate: sameHost ? certificate : undefined,
  }
}
