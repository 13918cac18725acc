import type { CompiledQuery } from 'kysely'
import type { Query } from '../db/connection.ts'
import type { Dialect, TipoLancamento } from '../db/tables.ts'
import { steadyClock } from '../jobs/jobs-clock.ts'
import { rowsOf } from '../jobs/rows.ts'
import { trusted } from '../trusted.ts'
import type { Book, ContaAberta, Lancamento, Order, Retencao } from './book.ts'
import type { Tarifa } from './planos.ts'
import type { SaldoRow, Statements, TarifaRow } from './statements.ts'

/** The process that writes, and its clock. */
export type Signature = { no: string; instant: number }

/** A connection that one transaction holds. */
export type Session = { query: Query; dialect: Dialect; statements: Statements }

type Row = readonly (string | number | null)[]

/** Begins the transaction and reads the part of the books that `orders` touch. */
export async function readBook(session: Session, orders: readonly Order[], periodo: string): Promise<Book> {
  const { statements: from } = session
  const contas = [...new Set(orders.map(({ conta_id }) => conta_id))].map((id) => [id])
  const holds = orders.flatMap((o) => (MEETS_HOLD.has(o.kind) && 'request_id' in o ? [[o.request_id]] : []))
  const notas = orders.flatMap((o) => ('nota' in o && o.nota && o.kind !== 'hold' ? [[o.conta_id]] : []))
  if (session.dialect === 'sqlite') await run(session, from.relax)
  const [, saldos, entries, open, tarifas] = await together(session.dialect, [
    () => run(session, from.begin),
    () => run(session, from.lock, contas, [periodo]),
    () => run(session, from.recorded, orders.flatMap(recordOf)),
    async () => (holds.length > 0 ? run(session, from.open, holds) : []),
    async () => (notas.length > 0 ? run(session, from.tarifas, notas) : []),
  ])
  return {
    periodo,
    contas: new Map(saldos.map((row) => [row.conta_id, toConta(row)])),
    tarifas: new Map(tarifas.map(({ id, ...row }) => [id, toTarifa(row)])),
    recorded: new Set(entries.map(({ tipo, request_id }) => `${tipo}:${request_id}`)),
    open: new Map(open.map(({ request_id, ...held }) => [request_id, held])),
    entries: [],
    held: new Map(),
    closed: [],
    jobs: [],
  }
}

/** Writes the changes of the book and commits. */
export async function writeBook(session: Session, book: Book, { no, instant }: Signature): Promise<void> {
  const { statements: to } = session
  const changed = [...book.contas].filter(([, conta]) => conta.changed)
  const alike = [...Map.groupBy(book.entries, likeness).values()]
  const replanned = [...book.contas].filter(([, conta]) => conta.replanned)
  const write = async (statement: CompiledQuery<unknown>, rows: readonly Row[]): Promise<void> => {
    if (rows.length > 0) await run(session, statement, rows)
  }
  await together(session.dialect, [
    ...alike.map((entries) => () => insert(session, entries, { no, instant })),
    () => write(to.saldos, changed.map(saldoRow)),
    () =>
      write(
        to.planos,
        replanned.flatMap(([id, { plano }]) => (plano === null ? [] : [[id, plano]])),
      ),
    () =>
      write(
        to.hold,
        [...book.held.values()].map((hold) => [...holdRow(hold), no, instant]),
      ),
    () =>
      write(
        to.close,
        book.closed.map((request_id) => [request_id]),
      ),
    async () => {
      if (book.jobs.length > 0) await run(session, to.jobs, rowsOf(book.jobs), jobClock(session))
    },
    () => run(session, to.commit),
  ])
  if (session.dialect === 'sqlite') await run(session, to.insist)
}

/** The clock of jobs, bound where it is the process's: a job tells the hour twice. */
const jobClock = ({ dialect }: Session): Row => {
  const instant = Math.floor(steadyClock())
  return dialect === 'postgres' ? [] : [instant, instant]
}

/** Rolls the transaction back, if one is still open. */
export async function rollback(session: Session): Promise<void> {
  // Without a connection, or after a failed commit, there is nothing to roll back.
  await run(session, session.statements.rollback).catch(() => {})
  if (session.dialect === 'sqlite') await run(session, session.statements.insist)
}

type Steps = readonly (() => Promise<unknown>)[]
type Results<S extends Steps> = { -readonly [K in keyof S]: Awaited<ReturnType<S[K]>> }

/**
 * Runs the steps of a transaction in order. PostgreSQL gets them in one packet and stops at the first
 * failure; SQLite would go on, so there each step waits for the one before.
 */
async function together<const S extends Steps>(dialect: Dialect, steps: S): Promise<Results<S>> {
  // Proven by construction: one result for each step, in order.
  if (dialect === 'postgres') return trusted<Results<S>>(await Promise.all(steps.map((step) => step())))
  const results: unknown[] = []
  for (const step of steps) results.push(await step())
  return trusted<Results<S>>(results)
}

/**
 * Runs a statement. Its last parameter is the JSON of `rows`: PostgreSQL takes an object by number alone, and
 * the embedded database a list, which costs half.
 */
function run<R>(
  { query, dialect }: Session,
  statement: CompiledQuery<R>,
  rows?: readonly Row[],
  shared: Row = [],
): Promise<R[]> {
  if (!rows) return query(statement, [])
  return query(statement, [...shared, JSON.stringify(dialect === 'postgres' ? { ...rows } : rows)])
}

/** The orders whose answer depends on an open hold. */
const MEETS_HOLD: ReadonlySet<Order['kind']> = new Set(['hold', 'settle', 'release'])

/** The entry that shows that an order was carried out before. */
function recordOf(order: Order): [string, TipoLancamento][] {
  if (order.kind === 'grant' || order.kind === 'debit') return [[order.request_id, order.kind]]
  if (order.kind === 'hold' || order.kind === 'charge' || order.kind === 'settle')
    return [[order.request_id, 'charge']]
  return []
}

const toConta = (row: SaldoRow): ContaAberta => ({
  saldo: { cota: row.cota, extra: row.extra, periodo: row.periodo },
  concedida: row.concedida,
  plano: row.plano,
  ultimo: { request_id: row.ultimo_request, tipo: row.ultimo_tipo },
  changed: false,
  replanned: false,
})

const toTarifa = ({ plano, preco_exclusivo, preco_xml }: Omit<TarifaRow, 'id'>): Tarifa => ({
  plano,
  preco_exclusivo: preco_exclusivo === 1,
  preco_xml: preco_xml ?? '',
})

const saldoRow = ([id, { saldo, concedida, ultimo }]: [string, ContaAberta]): Row => [
  id,
  saldo.cota,
  saldo.extra,
  saldo.periodo,
  concedida,
  ultimo.request_id,
  ultimo.tipo,
]

/** The members by which entries are alike: all but the account's. */
const likeness = ({ tipo, creditos, cota, extra, endpoint, reais }: Lancamento): string =>
  `${tipo} ${creditos} ${cota} ${extra} ${reais} ${endpoint}`

/** Inserts entries that are alike. */
async function insert(session: Session, entries: readonly Lancamento[], by: Signature): Promise<void> {
  const [first] = entries
  if (!first) return
  const rows = entries.map(({ request_id, conta_id, anterior }) => [
    request_id,
    conta_id,
    anterior.request_id,
    anterior.tipo,
  ])
  const { tipo, creditos, cota, extra, endpoint, reais } = first
  const shared = [tipo, creditos, cota, extra, endpoint, reais, by.instant, by.no]
  await run(session, session.statements.entries, rows, shared)
}

const holdRow = ({ request_id, conta_id, endpoint, cota, extra, periodo }: Retencao): Row => [
  request_id,
  conta_id,
  endpoint,
  cota,
  extra,
  periodo,
]
