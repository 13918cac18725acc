import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/db.ts'

/**
 * Milliseconds that a turn lasts without a sign of life: whoever waits for a dead holder gets it within five
 * seconds. A living holder renews it three times as often.
 */
export const LEASE_MS = 4_000
const RENEW_MS = LEASE_MS / 3

/**
 * The clock of leases, in milliseconds since 1970. On PostgreSQL it is the database's, one for all nodes; on
 * the embedded database, which one process serves, the process's.
 */
export const leaseInstant = ({ dialect }: Db, now: () => Date): RawBuilder<number> =>
  dialect === 'postgres'
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(${now().getTime()} as bigint)`

/**
 * Renews a turn until the returned function is called, for `forMs` at most. A failed renewal is made up for
 * by the next; if none succeeds, others take us for dead.
 */
export function keepLease(renew: () => Promise<unknown>, forMs: number): () => void {
  const ends = performance.now() + forMs
  const timer = setInterval(() => {
    if (performance.now() > ends) clearInterval(timer)
    else void renew().catch(() => {})
  }, RENEW_MS).unref()
  return () => clearInterval(timer)
}
