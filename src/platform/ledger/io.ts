import { type CompiledQuery, type RawBuilder, type Selectable, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { periodoOf } from '../../documento/dia.ts'
import type { Db } from '../db/db.ts'
import { CommitUnknown, DatabaseAway, wasGivenUp } from '../db/outage.ts'
import { BEGIN, COMMIT, type CommitHealth, INSIST, RELAX, rolledBack, together } from '../db/queries.ts'
import type { Query } from '../db/sqlite.ts'
import type { Dialect, Tables, TipoLancamento } from '../db/tables.ts'
import { clockOf, steadyClock } from '../jobs/lease.ts'
import { insertion, rowsOf } from '../jobs/rows.ts'
import {
  apply,
  type Book,
  type ContaAberta,
  type Lancamento,
  type Order,
  type Retencao,
  type Settlement,
} from './book.ts'
import type { NomePlano, Tarifa } from './rules.ts'
import { type Charge, openShort, plainCharges, type Signature, type Ways } from './short.ts'

type SaldoRow = Selectable<Tables['saldos']> & { plano: NomePlano | null }
type TarifaRow = Pick<Selectable<Tables['contas']>, 'id' | 'plano' | 'preco_exclusivo' | 'preco_xml'>
type OpenRow = { request_id: string; cota: number; extra: number; periodo: string }

/** Compiled once: each statement takes all its rows as one JSON text, so a group of any size has the same. */
type Statements = ReturnType<typeof prepareStatements>

/** `json_each` over rows and `->>` mean the same on SQLite and PostgreSQL. */
function prepareStatements(db: Db) {
  const forUpdate = db.dialect === 'postgres' ? sql`for update of s` : sql``
  const ids = sql`select j.value ->> 0 from json_each(${''}) as j`
  const compile = <R>(query: RawBuilder<R>): CompiledQuery<R> => query.compile(db.kysely)
  return {
    // In the order of the accounts, so that two nodes never wait for each other. The plan is read only where
    // a renewal is due.
    lock: compile(sql<SaldoRow>`
      select s.conta_id, s.cota, s.extra, s.periodo, s.concedida, s.ultimo_request, s.ultimo_tipo,
        case when s.periodo < ${''} then (select c.plano from contas c where c.id = s.conta_id) end as plano
      from saldos s where s.conta_id in (${ids}) order by s.conta_id ${forUpdate}`),
    recorded: compile(sql<Pick<Lancamento, 'request_id' | 'tipo'>>`
      select request_id, tipo from lancamentos where (request_id, tipo) in
        (select j.value ->> 0, j.value ->> 1 from json_each(${''}) as j)`),
    // After `lock`, so that the plan of a charge is that of its place in the account's books.
    tarifas: compile(sql<TarifaRow>`
      select id, plano, preco_exclusivo, preco_xml from contas where id in (${ids})`),
    open: compile(sql<OpenRow>`
      select request_id, cota, extra, periodo from retencoes where request_id in (${ids})`),
    // For entries that are alike. What they share is bound once, because each `->>` parses its JSON again.
    entries: compile(sql`
      insert into lancamentos (tipo, creditos, cota, extra, endpoint, reais, criado_em, no,
        request_id, conta_id, anterior_request, anterior_tipo)
      select ${''}, cast(${0} as bigint), cast(${0} as bigint), cast(${0} as bigint), ${''}, ${''}, cast(${0} as bigint),
        ${''}, j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3 from json_each(${''}) as j`),
    saldos: compile(sql`
      update saldos set cota = n.cota, extra = n.extra, periodo = n.periodo, concedida = n.concedida,
        ultimo_request = n.ultimo_request, ultimo_tipo = n.ultimo_tipo
      from (select j.value ->> 0 as conta_id, cast(j.value ->> 1 as bigint) as cota,
        cast(j.value ->> 2 as bigint) as extra, j.value ->> 3 as periodo,
        cast(j.value ->> 4 as bigint) as concedida, j.value ->> 5 as ultimo_request,
        j.value ->> 6 as ultimo_tipo from json_each(${''}) as j) as n
      where saldos.conta_id = n.conta_id`),
    hold: compile(sql`
      insert into retencoes (request_id, conta_id, endpoint, cota, extra, periodo, no, criada_em)
      select j.value ->> 0, j.value ->> 1, j.value ->> 2, cast(j.value ->> 3 as bigint),
        cast(j.value ->> 4 as bigint), j.value ->> 5, j.value ->> 6, cast(j.value ->> 7 as bigint)
      from json_each(${''}) as j`),
    close: compile(sql`delete from retencoes where request_id in (${ids})`),
    planos: compile(sql`
      update contas set plano = n.plano
      from (select j.value ->> 0 as id, j.value ->> 1 as plano from json_each(${''}) as j) as n
      where contas.id = n.id`),
    jobs: compile(
      insertion(
        clockOf(db, () => 0),
        '',
      ),
    ),
  }
}

type Session = { query: Query; dialect: Dialect; statements: Statements }

type Row = readonly (string | number | null)[]

/** Begins the transaction, locks the balances and reads what the orders need to be decided. */
async function readBook(session: Session, orders: readonly Order[], periodo: string): Promise<Book> {
  const { statements: from } = session
  const contas = [...new Set(orders.map(({ conta_id }) => conta_id))].map((id) => [id])
  const holds = orders.flatMap((o) => (MEETS_HOLD.has(o.kind) && 'request_id' in o ? [[o.request_id]] : []))
  const notas = orders.flatMap((o) => ('nota' in o && o.nota && o.kind !== 'hold' ? [[o.conta_id]] : []))
  if (session.dialect === 'sqlite') await run(session, RELAX)
  const [, saldos, entries, open, tarifas] = await together(session.dialect, [
    () => run(session, BEGIN),
    () => run(session, from.lock, contas, [periodo]),
    () => run(session, from.recorded, orders.flatMap(recordsOf)),
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

/** Writes what was decided and commits. Entries that are alike go in one statement. */
async function writeBook(session: Session, book: Book, { no, instant }: Signature): Promise<void> {
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
    () => run(session, COMMIT),
  ])
  if (session.dialect === 'sqlite') await run(session, INSIST)
}

const jobClock = ({ dialect }: Session): Row => {
  const instant = Math.floor(steadyClock())
  return dialect === 'postgres' ? [] : [instant, instant]
}

/** False if the session is gone. On SQLite a failed commit leaves nothing to roll back. */
async function rollback({ query, dialect }: Session): Promise<boolean> {
  const isDone = await rolledBack(query)
  if (dialect === 'sqlite') await query(INSIST, [])
  return isDone || dialect === 'sqlite'
}

/**
 * Runs a statement. Its rows go as one JSON text: as an object for PostgreSQL, which reads the members of no
 * list, and as a list for SQLite, where that costs half.
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

const MEETS_HOLD: ReadonlySet<Order['kind']> = new Set(['hold', 'settle', 'release', 'undo'])

const RECORDS: Partial<Record<Order['kind'], readonly TipoLancamento[]>> = {
  grant: ['grant'],
  debit: ['debit'],
  undo: ['charge', 'grant'],
}

const recordsOf = (order: Order): (readonly [string, TipoLancamento])[] =>
  'creditos' in order ? (RECORDS[order.kind] ?? ['charge']).map((tipo) => [order.request_id, tipo]) : []

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

const likeness = ({ tipo, creditos, cota, extra, endpoint, reais }: Lancamento): string =>
  `${tipo} ${creditos} ${cota} ${extra} ${reais} ${endpoint}`

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

/** Carries out orders in one transaction; the outcomes stand in the orders' order. */
export type Batch = (orders: readonly Order[]) => Promise<Settlement[]>

const REMEMBERED = 10_000

/**
 * Opens the transaction of the ledger: lock the balances, read what the requests recorded, decide in memory,
 * write; charges alone go a shorter way (docs/decisions/0097). A repeated order finds its own entry and
 * changes nothing, so a caller may repeat after CommitUnknown.
 */
export function openBatch(
  db: Db,
  { no, now, health }: { no: string; now: () => Date; health: CommitHealth },
): { commit: Batch; ways: Ways } {
  const ways: Ways = { short: 0, early: 0, whole: 0 }
  const statements = prepareStatements(db)
  const short = openShort(db, ways)
  /** Accounts that were refused last: their next charge would be tried in vain. */
  const poor = new LRUCache<string, true>({ max: REMEMBERED })

  async function chargeShort(query: Query, charges: readonly Charge[]): Promise<Settlement[] | undefined> {
    const instant = now()
    try {
      const by = { no, instant: instant.getTime(), periodo: periodoOf(instant) }
      return await short.charge(query, charges, by)
    } catch (error) {
      if (error instanceof DatabaseAway || wasGivenUp(error)) throw error
      // It failed for what the group is: the whole way tells what that is.
      return undefined
    }
  }

  async function transact(query: Query, orders: readonly Order[]): Promise<Settlement[]> {
    const session = { query, dialect: db.dialect, statements }
    const instant = now()
    let sent = false
    try {
      const book = await readBook(session, orders, periodoOf(instant))
      const outcomes = orders.map((order) => apply(book, order))
      sent = true
      await writeBook(session, book, { no, instant: instant.getTime() })
      return outcomes
    } catch (error) {
      const isKnown = await rollback(session)
      throw sent && !isKnown ? new CommitUnknown(error) : error
    }
  }

  async function decide(query: Query, orders: readonly Order[]): Promise<Settlement[]> {
    short.forget(orders)
    const outcomes = await transact(query, orders)
    for (const [at, { kind, conta_id }] of orders.entries())
      if (outcomes[at]?.ok) poor.delete(conta_id)
      else if (kind === 'charge') poor.set(conta_id, true)
    return outcomes
  }

  function carryOut(orders: readonly Order[]): Promise<Settlement[]> {
    const charges = orders.some(({ conta_id }) => poor.has(conta_id)) ? undefined : plainCharges(orders)
    return db.exclusive(async (query) => {
      const charged = charges && (await chargeShort(query, charges))
      if (charged) return charged
      ways.whole += 1
      return decide(query, orders)
    })
  }

  const commit: Batch = (orders) =>
    health.commit(async () => {
      const outcomes = await carryOut(orders)
      if (db.dialect === 'sqlite') await db.syncLog()
      return outcomes
    })
  return { commit, ways }
}
