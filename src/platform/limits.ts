import { openGroupCommit } from './db/commits.ts'
import type { Db } from './db/db.ts'
import { type NomePlano, planos } from './ledger/planos.ts'
import { trusted } from './trusted.ts'

/** The place of a call in its account's minute. `limit` is the plan's; `resetMs` is the end of the minute. */
export type Turn = { ok: boolean; limit: number; remaining: number; resetMs: number }

export type RateLimit = {
  /** Counts one call of an account. A count in memory is no promise. */
  consume: (conta: { id: string; plano: NomePlano }) => Turn | Promise<Turn>
}

const WINDOW_MS = 60_000

/** The place of a call in its account's minute, from 1, and the time left of that minute. */
type Count = { position: number; resetMs: number }

/**
 * Counts calls a minute, in memory on the embedded database and in the shared database on PostgreSQL, by its
 * clock. The minute begins with an account's first call, and exactly `limit` calls of it pass.
 */
export function openRateLimit(db: Db, now: () => Date): RateLimit {
  const count: (id: string) => Count | Promise<Count> =
    db.dialect === 'postgres' ? countTogether(db, WINDOW_MS) : countInMemory(now)
  return {
    consume: ({ id, plano }) => {
      const limit = planos[plano].requisicoesPorMinuto
      const toTurn = ({ position, resetMs }: Count): Turn => ({
        ok: position <= limit,
        limit,
        remaining: Math.max(0, limit - position),
        resetMs,
      })
      const counted = count(id)
      return counted instanceof Promise ? counted.then(toTurn) : toTurn(counted)
    },
  }
}

/** The number of accounts in memory from which those with an ended minute are forgotten. */
const REMEMBERED = 10_000

function countInMemory(now: () => Date): (id: string) => Count {
  const minutes = new Map<string, { position: number; ends: number }>()
  return (id) => {
    const instant = now().getTime()
    let minute = minutes.get(id)
    if (!minute || instant >= minute.ends || instant < minute.ends - WINDOW_MS) {
      if (minutes.size >= REMEMBERED)
        for (const [key, { ends }] of minutes) if (instant >= ends) minutes.delete(key)
      minute = { position: 0, ends: instant + WINDOW_MS }
      minutes.set(id, minute)
    }
    minute.position += 1
    return { position: minute.position, resetMs: minute.ends - instant }
  }
}

/** Adds to the accounts' counts, in the order of their ids, so that two nodes never wait for each other. */
const countOf = (windowMs: number) => ({
  name: `limites-contar-${windowMs}`,
  text: `
    insert into limites as l (key, points, expire)
      select j.key, cast(j.value as integer), c.now + ${windowMs}
      from json_each_text($1) as j, (select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now) as c
      order by j.key
    on conflict (key) do update set
      points = case when l.expire <= excluded.expire - ${windowMs} then 0 else l.points end + excluded.points,
      expire = case when l.expire <= excluded.expire - ${windowMs} then excluded.expire else l.expire end
    returning key, points, expire - cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as reset`,
})

/**
 * Counts in windows of `windowMs`. One statement at a time counts all calls that arrived meanwhile: it
 * returns the final count, and each call gets its own place in order of arrival.
 */
function countTogether(
  { ask }: Extract<Db, { dialect: 'postgres' }>,
  windowMs: number,
): (id: string) => Promise<Count> {
  const statement = countOf(windowMs)
  const group = openGroupCommit(async (ids: string[]): Promise<Count[]> => {
    const calls = new Map<string, number>()
    for (const id of ids) calls.set(id, (calls.get(id) ?? 0) + 1)
    const values = [JSON.stringify(Object.fromEntries(calls))]
    const { rows } = await ask({ ...statement, values })
    // Proven by the columns that the statement returns.
    const counts = trusted<{ key: string; points: number; reset: number }[]>(rows)
    const ends = new Map(counts.map(({ key, points, reset }) => [key, { points, reset }]))
    return ids.map((id) => {
      const { points = 0, reset = 0 } = ends.get(id) ?? {}
      const left = calls.get(id) ?? 0
      calls.set(id, left - 1)
      return { position: points - left + 1, resetMs: Math.max(0, reset) }
    })
  })
  return group.add
}
