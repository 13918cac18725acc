import { LRUCache } from 'lru-cache'
import { openGroupCommit } from '../platform/db/commits.ts'
import type { Db } from '../platform/db/db.ts'
import { trusted } from '../platform/trusted.ts'
import type { Asked, AttemptCounts, Spent } from './attempts-counts.ts'

/** The refused keys that a node remembers. One that it forgets costs a question, and is refused too. */
const REMEMBERED = 20_000

const CLOCK = 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)'

const LOOK = {
  name: 'tentativas-ler',
  text: `select key, points, expire - ${CLOCK} as reset from limites where key = any($1) and expire > ${CLOCK}`,
}

/** In the order of the keys, so that two nodes never wait for each other. */
const ADD = {
  name: 'tentativas-contar',
  text: `
    insert into limites as l (key, points, expire)
      select j.key, j.points, ${CLOCK} + j.ms
      from json_to_recordset($1) as j(key text, points integer, ms integer)
      order by j.key
    on conflict (key) do update set
      points = case when l.expire <= ${CLOCK} then 0 else l.points end + excluded.points,
      expire = case when l.expire <= ${CLOCK} then excluded.expire else l.expire end
    returning key, points, expire - ${CLOCK} as reset`,
}

const GIVE_BACK = {
  name: 'tentativas-devolver',
  text: `
    update limites as l set points = l.points - 1
    from (select key from limites where key = any($1) and points > 0 order by key for update) as k
    where l.key = k.key`,
}

type Row = { key: string; points: number; reset: number }

/**
 * Counts in the database, for all nodes together and by its clock. What came meanwhile is one question, and
 * one statement where something of it is counted.
 */
export function countOnAllNodes(
  { ask }: Extract<Db, { dialect: 'postgres' }>,
  { now }: { now: () => Date },
): AttemptCounts {
  /** Until when the keys that are used up are refused without a question. */
  const spent = new LRUCache<string, number>({ max: REMEMBERED })

  const read = async (
    statement: { name: string; text: string },
    value: unknown,
  ): Promise<Map<string, Row>> => {
    const { rows } = await ask({ ...statement, values: [value] })
    // Proven by the columns that the statements return.
    return new Map(trusted<Row[]>(rows).map((row) => [row.key, row]))
  }

  const group = openGroupCommit(
    async (takes: (readonly Asked[])[]): Promise<{ spent: Spent | undefined }[]> => {
      const keys = new Set(takes.flat().map(({ key }) => key))
      const before = await read(LOOK, [...keys])
      const verdicts = takes.map((asked) => placeIn(before, asked))
      const added = addedBy(takes.filter((_, at) => verdicts[at] === undefined))
      if (added.size === 0) return verdicts.map((verdict) => ({ spent: verdict }))
      const after = await read(ADD, JSON.stringify([...added.values()]))
      // Another node may have counted in between: then the last of ours were too many.
      for (const [key, row] of after) row.points -= added.get(key)?.points ?? 0
      return takes.map((asked, at) => ({ spent: verdicts[at] ?? placeIn(after, asked) }))
    },
  )

  function spentHere(asked: readonly Asked[]): Spent | undefined {
    const instant = now().getTime()
    for (const [at, { key, windowMs }] of asked.entries()) {
      const resetMs = (spent.get(key) ?? 0) - instant
      // A clock that went back must not make the wait longer.
      if (resetMs > 0 && resetMs <= windowMs) return { at, resetMs }
    }
    return undefined
  }

  return {
    take: async (asked) => {
      const here = spentHere(asked)
      if (here) return here
      const found = (await group.add(asked)).spent
      const key = found && asked[found.at]?.key
      if (found && key) spent.set(key, now().getTime() + found.resetMs)
      return found
    },
    giveBack: async (keys) => {
      await ask({ ...GIVE_BACK, values: [keys] })
      for (const key of keys) spent.delete(key)
    },
  }
}

/** Where a try is refused, in the order of what it asks; else it is counted in `rows`. */
function placeIn(rows: Map<string, Row>, asked: readonly Asked[]): Spent | undefined {
  for (const [at, { key, most }] of asked.entries()) {
    const row = rows.get(key)
    if (row && row.points >= most) return { at, resetMs: Math.max(0, row.reset) }
  }
  for (const { key, windowMs } of asked) {
    const row = rows.get(key) ?? { key, points: 0, reset: windowMs }
    row.points += 1
    rows.set(key, row)
  }
  return undefined
}

/** What a group counts of each key. */
function addedBy(takes: (readonly Asked[])[]): Map<string, { key: string; points: number; ms: number }> {
  const added = new Map<string, { key: string; points: number; ms: number }>()
  for (const { key, windowMs } of takes.flat()) {
    const one = added.get(key) ?? { key, points: 0, ms: windowMs }
    one.points += 1
    added.set(key, one)
  }
  return added
}
