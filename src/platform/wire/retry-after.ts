import type { Reply } from './http.ts'

const HOUR_S = 60 * 60

/** Come back later: 201 and 202 are answers of Consulta CND that is still at work. */
const LATER = new Set([201, 202, 429, 503])

/**
 * The seconds of an authority's own `Retry-After` with such a status, from one to an hour. Undefined if it
 * names none; a date is ignored, because it goes by the authority's clock.
 */
export function retryAfterOf({ status, headers }: Pick<Reply, 'status' | 'headers'>): number | undefined {
  const said = String(headers['retry-after'] ?? '').trim()
  if (!LATER.has(status) || !/^\d{1,9}$/.test(said)) return undefined
  return Math.min(Math.max(1, Number(said)), HOUR_S)
}
