import type { Reply } from './http.ts'

const HOUR_S = 60 * 60

/**
 * The seconds of an authority's own `Retry-After` with 429 or 503, from one to an hour. Undefined if it names
 * none; a date is ignored, because it goes by the authority's clock.
 */
export function retryAfterOf({ status, headers }: Pick<Reply, 'status' | 'headers'>): number | undefined {
  const said = String(headers['retry-after'] ?? '').trim()
  if ((status !== 429 && status !== 503) || !/^\d{1,9}$/.test(said)) return undefined
  return Math.min(Math.max(1, Number(said)), HOUR_S)
}
