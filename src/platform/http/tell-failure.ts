import type { SourceStatus } from '../wire/source-status.ts'
import type { Caller } from './exchange.ts'
import { retryOf, statusOfFailure } from './failure.ts'

/**
 * Tells the failure of a source in an answer with HTTP 200: its `source_status`, and `Retry-After` where
 * repeating may help. An error that is none of a source is thrown.
 */
export function tellFailure(error: unknown, { header }: Pick<Caller, 'header'>): SourceStatus {
  const source_status = statusOfFailure(error)
  if (!source_status) throw error
  const retryS = retryOf(error)
  if (retryS !== null) header('retry-after', String(retryS))
  return source_status
}
