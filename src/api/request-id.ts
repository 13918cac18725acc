import { randomUUID } from 'node:crypto'

/**
 * A UUID of version 7 (RFC 9562): the milliseconds of `instant`, then the random bits of a version 4. It grows with
 * time, so the ledger's index of requests is appended to instead of scattered over the disk.
 */
export function newRequestId(instant: Date): string {
  const time = instant.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
