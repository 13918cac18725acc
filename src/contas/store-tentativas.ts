import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../platform/db/db.ts'
import { deleteInBatches, openGroupCommit } from '../platform/db/queries.ts'
import { openWindowCount, type WindowCount } from '../platform/limits.ts'
import { openSelo } from '../platform/secrets.ts'
import { trusted } from '../platform/trusted.ts'
import type { Redes } from './store-acessos.ts'
import { findContaByEmail } from './store-contas.ts'

type Asked = { key: string; most: number; windowMs: number }

/** The place, in what was asked, of the first count that is used up, and the milliseconds until its end. */
type Spent = { at: number; resetMs: number }

type AttemptCounts = {
  take: (asked: readonly Asked[]) => Promise<Spent | undefined>
  giveBack: (keys: readonly string[]) => Promise<void>
}

const EXACT = 20_000

function countOnThisNode({ now }: { now: () => Date }): AttemptCounts {
  const windows = new Map<string, WindowCount>()
  /** What has a window of its own length, of each kind: one kind never crowds another out. */
  function countOf(key: string, windowMs: number): WindowCount {
    const kind = key.slice(0, key.indexOf(' '))
    const known = windows.get(kind) ?? openWindowCount({ windowMs, now, exact: EXACT })
    windows.set(kind, known)
    return known
  }
  return {
    take: async (asked) => {
      for (const [at, { key, most, windowMs }] of asked.entries()) {
        const window = countOf(key, windowMs).look(key)
        if (window && window.count >= most) return { at, resetMs: window.ends - now().getTime() }
      }
      for (const { key, windowMs } of asked) countOf(key, windowMs).add(key)
      return undefined
    },
    giveBack: async (keys) => {
      for (const key of keys) windows.get(key.slice(0, key.indexOf(' ')))?.takeBack(key)
    },
  }
}

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

/** By the database's clock. What came meanwhile is one question, and one statement if something counts. */
function countOnAllNodes(
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

function addedBy(takes: (readonly Asked[])[]): Map<string, { key: string; points: number; ms: number }> {
  const added = new Map<string, { key: string; points: number; ms: number }>()
  for (const { key, windowMs } of takes.flat()) {
    const one = added.get(key) ?? { key, points: 0, ms: windowMs }
    one.points += 1
    added.set(key, one)
  }
  return added
}

/** By the network (`endereco`), by e-mail and network (`par`), by the e-mail or the account alone. */
const LIMITS = {
  'entrar/endereco': { most: 60, minutes: 15 },
  'entrar/par': { most: 20, minutes: 15 },
  'entrar/email': { most: 100, minutes: 60 },
  'cadastrar/endereco': { most: 10, minutes: 60 },
  'cadastrar/par': { most: 3, minutes: 60 },
  'cadastrar/email': { most: 5, minutes: 60 },
  'codigo/endereco': { most: 30, minutes: 60 },
  'senha/conta': { most: 10, minutes: 15 },
  'carta/endereco': { most: 20, minutes: 60 },
  'carta/par': { most: 5, minutes: 60 },
  'carta/email': { most: 3, minutes: 60 },
  'carta/conta': { most: 5, minutes: 60 },
} as const

type What = keyof typeof LIMITS

export type Attempt = readonly [what: What, who: string]

type TentativaRecusada = { de: What; esperaS: number }

/** Counts what strangers try: on PostgreSQL for all nodes together, else in the memory of the one node. */
export type Attempts = {
  /** Counts one more of each, or of none: the first that is used up, in their order, is told. */
  take: (...attempts: readonly Attempt[]) => Promise<TentativaRecusada | undefined>
  /** Takes back what was counted, because it was no try of a stranger after all. */
  giveBack: (...attempts: readonly Attempt[]) => Promise<void>
  sweep: (signal?: AbortSignal) => Promise<number>
}

/** 2^17 places a kind: two who share one count as one, so that ever more networks make no more rows. */
const PLACE_BITS = 17

/** Opens the counts. What they are counted by is kept as a fingerprint under the server's secret alone. */
export function openAttempts(db: Db, { now, secret }: { now: () => Date; secret: string }): Attempts {
  const { mac } = openSelo(secret, 'tentativas')
  const shared = db.dialect === 'postgres'
  const counts = shared ? countOnAllNodes(db, { now }) : countOnThisNode({ now })
  const keyOf = ([what, who]: Attempt): string => {
    const print = mac(`${what} ${who}`)
    return `${what} ${shared ? Number.parseInt(print.slice(0, 8), 16) >>> (32 - PLACE_BITS) : print.slice(0, 32)}`
  }
  const askedOf = (attempt: Attempt): Asked => {
    const { most, minutes } = LIMITS[attempt[0]]
    return { key: keyOf(attempt), most, windowMs: minutes * 60_000 }
  }
  return {
    take: async (...attempts) => {
      const spent = await counts.take(attempts.map(askedOf))
      const [de] = (spent && attempts[spent.at]) ?? []
      return spent && de && { de, esperaS: Math.max(1, Math.ceil(spent.resetMs / 1000)) }
    },
    giveBack: (...attempts) => counts.giveBack(attempts.map(keyOf)),
    sweep: async (signal) => (shared ? deleteEnded(db, signal) : 0),
  }
}

/** The counts of accounts' minutes stand in the same table: theirs end sooner, and go too. */
const deleteEnded = (db: Db, signal: AbortSignal | undefined): Promise<number> =>
  deleteInBatches(db, signal, async (size, kysely) => {
    const { numAffectedRows = 0n } = await sql`delete from limites where key in (
      select key from limites where expire < cast(extract(epoch from clock_timestamp()) * 1000 as bigint) - 60000
      limit ${size})`.execute(kysely)
    return Number(numAffectedRows)
  })

/** Tried too often, or too many at once: the seconds after which to try again. */
export type Aguarde = { esperaS: number }

/** Seconds after which a full queue has moved on. */
export const FILA_S = 5

type Contada =
  | { contada: readonly Attempt[]; recusa?: never }
  | { contada?: never; recusa: TentativaRecusada }

/** The e-mail's own count, which comes last, refuses no network that the owner came from before. */
export async function countTentativa(
  { db, attempts, redes }: { db: Db; attempts: Attempts; redes: Redes },
  tentativas: readonly Attempt[],
  { email, rede }: { email: string; rede: string },
): Promise<Contada> {
  const recusa = await attempts.take(...tentativas)
  if (!recusa) return { contada: tentativas }
  if (!recusa.de.endsWith('/email')) return { recusa }
  const conta = await findContaByEmail(db, email)
  if (!(await redes.knows(conta?.id ?? '', rede))) return { recusa }
  const contada = tentativas.filter(([de]) => de !== recusa.de)
  const outra = await attempts.take(...contada)
  return outra ? { recusa: outra } : { contada }
}
