import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { nextRenewal, periodoOf } from '../../documento/dia.ts'
import type { Db } from '../db/db.ts'
import { CommitUnknown, isConnectionLost, wasGivenUp } from '../db/outage.ts'
import { openCommitHealth, openGroupCommit, prepareRows, relaxed } from '../db/queries.ts'
import { clockOf } from '../jobs/lease.ts'
import type { NewJob } from '../jobs/rows.ts'
import type { Order, Settlement } from './book.ts'
import { type Entry, type Head, type Lancados, selectExtrato, selectMes, selectPagina } from './extrato.ts'
import { type Batch, openBatch } from './io.ts'
import { type Balanco, type Livro, openBalancos, openMeses } from './meses.ts'
import { isExpired, type NomePlano, type Saldo } from './rules.ts'

const DAY_MS = 86_400_000

/** Digits and small letters. An entry has room for three of them before it takes eight bytes more. */
const SIGNS = 36
const FEWEST = 3
const TRIES = 10

function drawNo(attempt: number): string {
  const length = FEWEST + Math.floor(attempt / TRIES)
  return randomInt(SIGNS ** length)
    .toString(SIGNS)
    .padStart(length, '0')
}

/**
 * Takes a short name for this life of the server, since each of its entries keeps it. `draw` is asked until
 * it gives one that no other life had in the last day, or has in open holds.
 */
export async function takeNo(db: Db, now: () => Date, draw = drawNo): Promise<string> {
  const batimento = clockOf(db, () => now().getTime())
  for (let attempt = 0; ; attempt++) {
    const no = draw(attempt)
    const { rows } = await sql`
      insert into nos (id, batimento) select cast(${no} as text), ${batimento}
      where not exists (select 1 from retencoes where no = ${no}) on conflict (id) do nothing
      returning id`.execute(db.kysely)
    if (rows.length > 0) return no
  }
}

type HoldRef = { request_id: string; conta_id: string; endpoint: string }

/**
 * Records that the process `no` lives, on PostgreSQL by the database's clock: those of two nodes may differ.
 * One heartbeat stands for all its holds, because a lease for each would write a row every second for each
 * call.
 */
async function beat(db: Db, no: string, instant: Date): Promise<void> {
  const batimento = clockOf(db, () => instant.getTime())
  await relaxed(db, (kysely) =>
    kysely
      .insertInto('nos')
      .values({ id: no, batimento })
      .onConflict((on) => on.column('id').doUpdateSet({ batimento }))
      .execute(),
  )
}

/**
 * The open holds of dead processes: of lives other than `no` whose last heartbeat is older than `silentMs` by
 * the database's clock, or that never had one. The embedded database has one server process, so there every
 * other life is dead.
 */
async function findDeadHolds(db: Db, { no, silentMs }: { no: string; silentMs: number }): Promise<HoldRef[]> {
  const others = db.kysely
    .selectFrom('retencoes')
    .select(['request_id', 'conta_id', 'endpoint'])
    .where('no', '!=', no)
  if (db.dialect === 'sqlite') return others.execute()
  const clock = clockOf(db, Date.now)
  return others
    .where('no', 'not in', (where) =>
      where
        .selectFrom('nos')
        .select('id')
        .where(({ eb }) => eb('batimento', '>=', eb(clock, '-', silentMs))),
    )
    .execute()
}

async function forgetDeadNodes(db: Db, instant: Date): Promise<void> {
  const clock = clockOf(db, () => instant.getTime())
  await db.kysely
    .deleteFrom('nos')
    .where(({ eb }) => eb('batimento', '<', eb(clock, '-', DAY_MS)))
    .execute()
}

/** Milliseconds. They bridge a restart of the database; a long outage is told. */
const PAUSES = [50, 200, 500, 1_000]
/** After this time no new try begins: who waits is told. It covers a query that found no end. */
const LONGEST_MS = 8_000

const LASTING: ReadonlySet<Order['kind']> = new Set(['settle', 'grant', 'debit', 'plan'])

/** What such an order does can be undone later, so nobody has to wait until its end is known. */
const canBeUndone = (order: Order): boolean =>
  !LASTING.has(order.kind) && !('creditos' in order && (order.nota || order.jobs?.length))

/**
 * Repeats a group when the database could not be reached, or gave its transaction up for another's. A group
 * whose commit may have happened is repeated too, and until that is known where it cannot be undone.
 */
const retrying =
  (commit: Batch, signal: AbortSignal): Batch =>
  async (orders) => {
    const began = performance.now()
    let unknown: CommitUnknown | undefined
    for (let attempt = 0; ; attempt++) {
      try {
        return await commit(orders)
      } catch (error) {
        if (error instanceof CommitUnknown) unknown = error
        const late = performance.now() - began > LONGEST_MS
        const pause = late ? undefined : PAUSES[attempt]
        const again = isConnectionLost(error) || wasGivenUp(error)
        const goesOn = unknown ? !late || !orders.every(canBeUndone) : again && pause !== undefined
        if (signal.aborted || !goesOn) throw unknown ?? error
        await wait(pause ?? PAUSES.at(-1), undefined, { signal }).catch(() => {
          throw unknown ?? error
        })
      }
    }
  }

const FRESH_MS = 5_000
const REMEMBERED = 10_000

export type Vistos = {
  of: (conta_id: string, read: () => Promise<Saldo>) => Saldo | Promise<Saldo>
  note: (conta_id: string, saldo: Saldo) => void
  /** Called before a read. It gives what notes the balance that was read, unless an order has ended since. */
  noteRead: (conta_id: string) => (saldo: Saldo) => Saldo
}

type Visto = { saldo: Saldo; since: number; until: number }

export function openVistos(now: () => Date): Vistos {
  const vistos = new LRUCache<string, Visto>({ max: REMEMBERED })

  function note(conta_id: string, saldo: Saldo): void {
    const instant = now()
    const since = instant.getTime()
    const until = Math.min(since + FRESH_MS, nextRenewal(instant).getTime())
    const known = vistos.get(conta_id)
    if (!known) {
      vistos.set(conta_id, { saldo, since, until })
      return
    }
    // One object an account: a new one for each charge would leave the young heap each time.
    known.saldo = saldo
    known.since = since
    known.until = until
  }

  function noteRead(conta_id: string): (saldo: Saldo) => Saldo {
    const before = vistos.peek(conta_id)?.saldo
    return (saldo) => {
      if (vistos.peek(conta_id)?.saldo === before) note(conta_id, saldo)
      return saldo
    }
  }

  return {
    note,
    noteRead,
    of: (conta_id, read) => {
      // A balance in use is noted every five seconds: that keeps its place.
      const known = vistos.peek(conta_id)
      const instant = now().getTime()
      // A clock that went back must not keep a balance.
      if (known && instant >= known.since && instant < known.until) return known.saldo
      return read().then(noteRead(conta_id))
    },
  }
}

const isOfCall = (order: Order): order is Extract<Order, { creditos: number }> =>
  order.kind === 'hold' || order.kind === 'charge' || order.kind === 'settle'

/** What undoes the orders of calls: a settlement that failed, a hold or a charge of unknown fate. */
function openUntold() {
  const untold = new Map<string, Order & HoldRef>()
  return {
    orders: () => [...untold.values()],
    note: (order: Order, error: unknown): void => {
      if (!isOfCall(order)) return
      const { kind, request_id, conta_id, endpoint, creditos } = order
      const hold = { request_id, conta_id, endpoint }
      if (kind === 'settle') untold.set(request_id, { ...hold, kind: 'release' })
      else if (error instanceof CommitUnknown) untold.set(request_id, { ...hold, kind: 'undo', creditos })
    },
    /** Once it, or what undoes it, is done. */
    forget: (order: Order): void => {
      if (untold.size === 0 || !('request_id' in order)) return
      const { request_id } = order
      if (isOfCall(order) || untold.get(request_id) === order) untold.delete(request_id)
    },
  }
}

/** `request_id` is unique among all calls and makes repeats harmless. */
export type Cobranca = {
  conta: { id: string; plano: NomePlano }
  request_id: string
  endpoint: string
  creditos: number
  nota?: boolean
  /** If the balance suffices. See `Jobs.prepare`, then `Jobs.wake`. */
  jobs?: readonly NewJob[]
}

type Lancado = { conta_id: string; creditos: number; request_id: string; motivo: string }

/**
 * Promises resolve after a durable commit; `ok` false means that the balance did not suffice. A hold or a
 * charge that ends with CommitUnknown is undone by `releaseDead`, as is the hold of a failed settlement.
 */
export type Ledger = {
  hold: (cobranca: Cobranca) => Promise<Settlement>
  /**
   * Charges `creditos` of a hold and returns the rest; 0 returns all and writes nothing. Without an open hold
   * the balance pays; with `ok` false the answer must not be delivered.
   */
  settle: (cobranca: Cobranca) => Promise<Settlement>
  charge: (cobranca: Cobranca) => Promise<Settlement>
  saldo: (conta: { id: string }) => Promise<Saldo>
  /** With all that this process has charged, and what others charged until five seconds ago. */
  saldoVisto: (conta: { id: string }) => Saldo | Promise<Saldo>
  /** The balance with what the month's entries come to, all of one instant. */
  balanco: (conta: { id: string }) => Promise<Balanco>
  /** Adds extra credits, once for a `request_id`. */
  grant: (concessao: Lancado) => Promise<Saldo>
  /** Takes credits away, the quota first, once for a `request_id`; with `ok` false there were too few. */
  debit: (debito: Lancado) => Promise<Settlement>
  /** Releases the holds of dead processes, and undoes what this one could not tell. Returns how many. */
  releaseDead: () => Promise<number>
  extrato: (conta_id: string, options?: { desde?: Date; limite?: number }) => Promise<Entry[]>
  extratoDoMes: (conta_id: string, options: { mes: string; limite: number }) => Promise<Entry[]>
  livro: (conta_id: string) => Promise<Livro>
  pagina: (conta_id: string, options: { de: Head; limite: number }) => Promise<Lancados>
  sumMeses: (signal: AbortSignal) => Promise<void>
  heartbeat: () => Promise<void>
  /** False while commits fail, as on a full disk, or do not end; known within two seconds. */
  ready: () => Promise<boolean>
  oldestMs: () => number
  /** The groups that were committed, by their way. */
  ways: Readonly<ReturnType<typeof openBatch>['ways']>
  close: () => Promise<void>
}

/** `no` names this life of the process (see takeNo). A node silent for `deadAfterMs` counts as dead. */
export type LedgerOptions = { no: string; now: () => Date; deadAfterMs?: number }

const CLOSE_MS = 5_000

/** After this wait for the commit before its own, an order is told that it was not taken. */
const WAIT_MS = 10_000

export function openLedger(db: Db, { no, now, deadAfterMs = 30_000 }: LedgerOptions): Ledger {
  const closing = new AbortController()
  const health = openCommitHealth(db)
  const { commit, ways } = openBatch(db, { no, now, health })
  const orders = openGroupCommit(retrying(commit, closing.signal), { waitMs: WAIT_MS })
  const vistos = openVistos(now)
  const untold = openUntold()
  async function carryOut(order: Order): Promise<Settlement> {
    if ('creditos' in order) assertCredits(order.creditos, order.kind === 'debit' ? 1 : 0)
    try {
      const outcome = await orders.add(order)
      untold.forget(order)
      vistos.note(order.conta_id, outcome.saldo)
      return outcome
    } catch (error) {
      untold.note(order, error)
      throw error
    }
  }

  const balancoOf = openBalancos(db)
  const meses = openMeses(db)
  // Compiled once: each refused call reads the balance.
  const selectSaldo = prepareRows(
    db,
    db.kysely.selectFrom('saldos').select(['cota', 'extra', 'periodo']).where('conta_id', '=', '').compile(),
  )

  async function releaseDead(): Promise<number> {
    const own = Promise.all(untold.orders().map(carryOut))
    // It is awaited last: where the look at other nodes fails, it goes on.
    own.catch(() => {})
    const dead = await findDeadHolds(db, { no, silentMs: deadAfterMs })
    await forgetDeadNodes(db, now())
    const held = await Promise.all(dead.map((hold) => carryOut({ ...hold, kind: 'release' })))
    return [...held, ...(await own)].filter(({ ok }) => ok).length
  }

  async function readSaldo({ id }: { id: string }): Promise<Saldo> {
    const [row] = await selectSaldo(id)
    if (!row) throw new Error('the account has no balance')
    if (!isExpired(row, periodoOf(now()))) return { ...row }
    return (await carryOut({ kind: 'look', conta_id: id })).saldo
  }

  return {
    releaseDead,
    saldo: (conta) => readSaldo(conta).then(vistos.noteRead(conta.id)),
    saldoVisto: (conta) => vistos.of(conta.id, () => readSaldo(conta)),
    balanco: async ({ id }) => {
      const noteIt = vistos.noteRead(id)
      const found = await balancoOf(id)
      if (isExpired(found.saldo, periodoOf(now()))) {
        await carryOut({ kind: 'look', conta_id: id })
        return balancoOf(id)
      }
      noteIt(found.saldo)
      return found
    },
    hold: (cobranca) => carryOut(orderOf('hold', cobranca)),
    charge: (cobranca) => carryOut(orderOf('charge', cobranca)),
    settle: (cobranca) => carryOut(orderOf('settle', cobranca)),
    grant: async ({ motivo, ...concessao }) => {
      return (await carryOut({ ...concessao, kind: 'grant', endpoint: motivo })).saldo
    },
    debit: ({ motivo, ...debito }) => carryOut({ ...debito, kind: 'debit', endpoint: motivo }),
    extrato: (conta_id, options = {}) => selectExtrato(db, conta_id, options),
    livro: async (conta_id) => {
      // A month that has begun is entered by its renewal.
      await readSaldo({ id: conta_id })
      return meses.of(conta_id)
    },
    pagina: (conta_id, options) => selectPagina(db, conta_id, options),
    sumMeses: meses.sumAll,
    extratoDoMes: (conta_id, options) => selectMes(db, conta_id, options),
    heartbeat: () => health.watch(() => beat(db, no, now())),
    ready: health.ok,
    oldestMs: orders.oldestMs,
    ways,
    close: async () => {
      const timer = setTimeout(() => closing.abort(), CLOSE_MS)
      await orders.close()
      clearTimeout(timer)
    },
  }
}

function orderOf(
  kind: 'hold' | 'charge' | 'settle',
  { conta, request_id, endpoint, creditos, nota = false, jobs = [] }: Cobranca,
): Order {
  return { kind, conta_id: conta.id, request_id, endpoint, creditos, nota, jobs }
}

const MOST = 1_000_000_000

function assertCredits(creditos: number, least: number): void {
  if (!Number.isInteger(creditos) || creditos < least || creditos > MOST)
    throw new RangeError(`credits must be a whole number from ${least} to ${MOST}, not ${creditos}`)
}
