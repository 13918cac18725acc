import { periodoOf } from '../../documento/periodo.ts'
import { openCommitHealth } from '../db/commit-health.ts'
import { openGroupCommit } from '../db/commits.ts'
import type { Db } from '../db/db.ts'
import { prepareFirst } from '../db/prepared.ts'
import type { NewJob } from '../jobs/rows.ts'
import { type Balanco, openBalancos } from './balanco.ts'
import { openBatch } from './batch.ts'
import type { Order, Settlement } from './book.ts'
import { type Entry, type Lancados, selectExtrato, selectMes, selectPagina } from './extrato.ts'
import { type Livro, openMeses } from './meses.ts'
import { beat, findDeadHolds, forgetDeadNodes, type HoldRef } from './nos.ts'
import type { NomePlano } from './planos.ts'
import { retrying } from './retry.ts'
import { isExpired, type Saldo } from './rules.ts'
import type { Head } from './somas.ts'
import { openVistos } from './visto.ts'

/**
 * A call to be paid: the account, the reason and the credits. `request_id` is unique among all calls and
 * makes repeats harmless.
 */
export type Cobranca = {
  conta: { id: string; plano: NomePlano }
  request_id: string
  endpoint: string
  creditos: number
  /** It pays for a note: the entry keeps the note's price in BRL, by the plan of the moment of the charge. */
  nota?: boolean
  /**
   * Jobs that the same transaction enqueues, if the balance suffices. See `Jobs.prepare`, then `Jobs.wake`.
   */
  jobs?: readonly NewJob[]
}

/** The operator's own entry: credits that he gives or takes, with his reason. */
type Lancado = { conta_id: string; creditos: number; request_id: string; motivo: string }

/**
 * The books of credits. Every promise resolves after its commit is durable; `ok` false means that the balance
 * did not suffice.
 */
export type Ledger = {
  /** Sets credits aside before a lookup: they leave the balance, the quota first. */
  hold: (cobranca: Cobranca) => Promise<Settlement>
  /**
   * Charges `creditos` of a hold and returns the rest; 0 returns all and writes nothing. Without an open hold
   * the balance pays; with `ok` false the answer must not be delivered.
   */
  settle: (cobranca: Cobranca) => Promise<Settlement>
  /** Charges in one transaction, for lookups that cost nothing to run. */
  charge: (cobranca: Cobranca) => Promise<Settlement>
  /** The balance. It is renewed when a new month has begun. */
  saldo: (conta: { id: string }) => Promise<Saldo>
  /**
   * The balance for an answer that costs nothing: with all that this process has charged, and what others
   * charged until five seconds ago.
   */
  saldoVisto: (conta: { id: string }) => Saldo | Promise<Saldo>
  /** The balance with what the month's entries come to, all of one instant. */
  balanco: (conta: { id: string }) => Promise<Balanco>
  /** Adds extra credits, once for a `request_id`. */
  grant: (concessao: Lancado) => Promise<Saldo>
  /** Takes credits away, the quota first, once for a `request_id`; with `ok` false there were too few. */
  debit: (debito: Lancado) => Promise<Settlement>
  /** Releases the holds of dead processes, and of this process's failed settlements. Returns how many. */
  releaseDead: () => Promise<number>
  /** The entries of an account, newest first. */
  extrato: (conta_id: string, options?: { desde?: Date; limite?: number }) => Promise<Entry[]>
  /** The entries of an account in one month (`AAAA-MM`, Brasília), newest first. */
  extratoDoMes: (conta_id: string, options: { mes: string; limite: number }) => Promise<Entry[]>
  /** The months of an account, the running one included, each with its sums; of one commit. */
  livro: (conta_id: string) => Promise<Livro>
  /** Entries of one month from `de` on, newest first: `de` is a month's `fim`, or `seguinte` of a page. */
  pagina: (options: { de: Head; limite: number }) => Promise<Lancados>
  /** Sums the months of all accounts as far as they were not, so that no reader has to walk far. */
  somarMeses: (signal: AbortSignal) => Promise<void>
  /** Tells the other nodes that this process lives. Call it every few seconds. */
  heartbeat: () => Promise<void>
  /**
   * Whether calls can be charged. False while commits fail, as on a full disk, or do not end, as without a
   * synchronous standby; known within two seconds.
   */
  ready: () => Promise<boolean>
  /** The milliseconds for which the oldest order has waited for its commit; 0 where none waits. */
  oldestMs: () => number
  /** Refuses new orders and waits for the queued ones. The database stays open. */
  close: () => Promise<void>
}

/**
 * `no` names this life of the process: each start has a new one. A node silent for `deadAfterMs` counts as
 * dead.
 */
export type LedgerOptions = { no: string; now: () => Date; deadAfterMs?: number }

/** The time that `close` gives to a commit of unknown outcome. */
const CLOSE_MS = 5_000

/**
 * An order waits so long for the commit before its own. Then whoever gave it is told that it was not taken.
 */
const WAIT_MS = 10_000

/** Opens the books over a database. Makes no query by itself. */
export function openLedger(db: Db, { no, now, deadAfterMs = 30_000 }: LedgerOptions): Ledger {
  const closing = new AbortController()
  const health = openCommitHealth(db)
  const orders = openGroupCommit(retrying(openBatch(db, { no, now, health }), closing.signal), {
    waitMs: WAIT_MS,
  })
  const vistos = openVistos(now)
  const carryOut = async (order: Order): Promise<Settlement> => {
    const outcome = await orders.add(order)
    vistos.note(order.conta_id, outcome.saldo)
    return outcome
  }
  const balancoOf = openBalancos(db)
  const meses = openMeses(db)
  const abandoned = new Map<string, HoldRef>()
  // Compiled once: each refused call reads the balance.
  const selectSaldo = prepareFirst(
    db.kysely,
    db.kysely.selectFrom('saldos').select(['cota', 'extra', 'periodo']).where('conta_id', '=', '').compile(),
  )

  async function settle(cobranca: Cobranca): Promise<Settlement> {
    const { request_id, conta, endpoint } = cobranca
    try {
      const outcome = await carryOut(orderOf('settle', cobranca))
      abandoned.delete(request_id)
      return outcome
    } catch (error) {
      abandoned.set(request_id, { request_id, conta_id: conta.id, endpoint })
      throw error
    }
  }

  async function releaseDead(): Promise<number> {
    const dead = await findDeadHolds(db, { no, silentMs: deadAfterMs })
    const orphans = [...dead, ...abandoned.values()]
    const outcomes = await Promise.all(orphans.map((hold) => carryOut({ ...hold, kind: 'release' })))
    for (const { request_id } of orphans) abandoned.delete(request_id)
    await forgetDeadNodes(db, now())
    return outcomes.filter(({ ok }) => ok).length
  }

  async function saldo({ id }: { id: string }): Promise<Saldo> {
    const row = await selectSaldo(id)
    if (!row) throw new Error('the account has no balance')
    if (!isExpired(row, periodoOf(now()))) return { ...row }
    return (await carryOut({ kind: 'look', conta_id: id })).saldo
  }

  return {
    settle,
    releaseDead,
    saldo,
    saldoVisto: (conta) => vistos.of(conta.id, () => saldo(conta)),
    balanco: async (conta) => {
      const found = await balancoOf(conta.id)
      if (!isExpired(found.saldo, periodoOf(now()))) return found
      await carryOut({ kind: 'look', conta_id: conta.id })
      return balancoOf(conta.id)
    },
    hold: async (cobranca) => carryOut(orderOf('hold', cobranca)),
    charge: async (cobranca) => carryOut(orderOf('charge', cobranca)),
    grant: async ({ motivo, ...concessao }) => {
      assertCredits(concessao.creditos)
      return (await carryOut({ ...concessao, kind: 'grant', endpoint: motivo })).saldo
    },
    debit: async ({ motivo, ...debito }) => {
      assertCredits(debito.creditos, 1)
      return carryOut({ ...debito, kind: 'debit', endpoint: motivo })
    },
    extrato: (conta_id, options = {}) => selectExtrato(db, conta_id, options),
    livro: async (conta_id) => {
      // A month that has begun is entered by its renewal.
      await saldo({ id: conta_id })
      return meses.of(conta_id)
    },
    pagina: (options) => selectPagina(db, options),
    somarMeses: meses.sumAll,
    extratoDoMes: (conta_id, options) => selectMes(db, conta_id, options),
    heartbeat: () => health.watch(() => beat(db, no, now())),
    ready: health.ok,
    oldestMs: orders.oldestMs,
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
  assertCredits(creditos)
  return { kind, conta_id: conta.id, request_id, endpoint, creditos, nota, jobs }
}

const MOST = 1_000_000_000

function assertCredits(creditos: number, least = 0): void {
  if (!Number.isInteger(creditos) || creditos < least || creditos > MOST)
    throw new RangeError(`credits must be a whole number from ${least} to ${MOST}, not ${creditos}`)
}
