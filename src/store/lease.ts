import { type RawBuilder, sql } from 'kysely'
import type { Db } from './db.ts'

/**
 * How long a turn stands without a sign of life of its holder, in milliseconds: who waits for a dead one has
 * the turn within five seconds. A living holder renews it three times as often.
 */
export const LEASE_MS = 4_000
const RENEW_MS = LEASE_MS / 3

/**
 * The instant that leases are measured by, in milliseconds since 1970. PostgreSQL's own clock, one for all
 * nodes, however theirs differ; on the embedded database, which one process serves, that process's.
 */
export const leaseInstant = ({ dialect }: Db, now: () => Date): RawBuilder<number> =>
  dialect === 'postgres'
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(${now().getTime()} as bigint)`

/**
 * Renews a turn until the returned function is called, and no longer than `forMs`, so that work that never
 * ends does not keep it for ever. A renewal that fails is made up for by the next; where none gets through,
 * we count as dead.
 */
export function keepLease(renew: () => Promise<unknown>, forMs: number): () => void {
  const ends = performance.now() + forMs
  const timer = setInterval(() => {
    if (performance.now() > ends) clearInterval(timer)
    else void renew().catch(() => {})
  }, RENEW_MS).unref()
  return () => clearInterval(timer)
}
