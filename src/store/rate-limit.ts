import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  type RateLimiterRes,
} from 'rate-limiter-flexible'
import { type NomePlano, planos } from '../domain/planos.ts'
import type { Db } from './db.ts'

/** Where a call stands in its account's minute: `limit` is the plan's, `resetMs` is when the minute ends. */
export type Turn = { ok: boolean; limit: number; remaining: number; resetMs: number }

export type RateLimit = {
  /** Counts one call of an account. */
  consume: (conta: { id: string; plano: NomePlano }) => Promise<Turn>
}

const WINDOW_S = 60
/** The limiter only counts; the plan decides, so that a change of plan holds within the same minute. */
const UNLIMITED = 2_000_000_000

/**
 * Counts calls a minute: in memory on the embedded database, which one process serves; in the shared database on
 * PostgreSQL, where all nodes count together. The minute begins with an account's first call and is exact: its
 * `limit` first calls pass and no other. The library reads the machine's own clock.
 */
export function openRateLimit(db: Db): RateLimit {
  const limiter =
    db.dialect === 'postgres'
      ? sharedLimiter(db)
      : new RateLimiterMemory({ points: UNLIMITED, duration: WINDOW_S })
  const count =
    db.dialect === 'postgres' ? joinCalls(limiter) : (id: string) => limiter.consume(id).then(toCount)
  return {
    consume: async ({ id, plano }) => {
      const limit = planos[plano].requisicoesPorMinuto
      const { position, resetMs } = await count(id)
      return { ok: position <= limit, limit, remaining: Math.max(0, limit - position), resetMs }
    },
  }
}

function sharedLimiter({ pool }: Extract<Db, { dialect: 'postgres' }>): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'limites',
    tableCreated: true,
    points: UNLIMITED,
    duration: WINDOW_S,
  })
}

type Count = { position: number; resetMs: number }

const toCount = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Count => ({
  position: consumedPoints,
  resetMs: msBeforeNext,
})

type Waiting = { resolve: (count: Count) => void; reject: (error: unknown) => void }

/**
 * One statement at a time for an account: calls that arrive while it is in flight are counted together by the next one,
 * which returns the count after all of them; each then gets its own place, in order of arrival.
 */
function joinCalls(limiter: RateLimiterAbstract): (id: string) => Promise<Count> {
  const queues = new Map<string, Waiting[]>()

  async function drain(id: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const group = queue.splice(0)
      try {
        const { position, resetMs } = toCount(await limiter.consume(id, group.length))
        for (const [index, waiting] of group.entries())
          waiting.resolve({ position: position - group.length + 1 + index, resetMs })
      } catch (error) {
        for (const waiting of group) waiting.reject(error)
      }
    }
    queues.delete(id)
  }

  return (id) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(id)
      if (queue) {
        queue.push({ resolve, reject })
        return
      }
      const first = [{ resolve, reject }]
      queues.set(id, first)
      void drain(id, first)
    })
}
