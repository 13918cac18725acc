import { CompiledQuery } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/db.ts'
import { CommitUnknown, DatabaseAway, isConnectionLost } from '../db/outage.ts'
import { rolledBack } from '../db/queries.ts'
import type { Query } from '../db/sqlite.ts'
import type { TipoLancamento } from '../db/tables.ts'
import { trusted } from '../trusted.ts'
import type { Order, Settlement } from './book.ts'
import { isExpired, type Parcela, type Saldo, take } from './rules.ts'

export type Charge = Extract<Order, { creditos: number }>

/** Which node writes an entry, and when, in milliseconds since 1970. */
export type Signature = { no: string; instant: number }

/** How many groups went which way: `early` is the short way that frees the balances before the disk. */
export type Ways = { short: number; early: number; whole: number }

export type Short = {
  /**
   * Charges a group, waits for the disk on PostgreSQL, and counts its way; undefined where it wrote nothing,
   * because a balance is missing, too small or of a past month. Throws where an entry exists, CommitUnknown,
   * and what the database throws.
   */
  charge: (query: Query, charges: readonly Charge[], by: By) => Promise<Settlement[] | undefined>
  /** After orders that went the whole way. */
  forget: (orders: readonly Order[]) => void
}

type By = Signature & { periodo: string }

/** The orders, where each is a charge that needs nothing but a balance. */
export function plainCharges(orders: readonly Order[]): readonly Charge[] | undefined {
  const isPlain = (order: Order): order is Charge =>
    order.kind === 'charge' && order.creditos > 0 && !order.nota && !order.jobs?.length && isListable(order)
  return orders.every(isPlain) ? orders : undefined
}

/** What a text of a list of PostgreSQL cannot hold as it is. */
const MARKS = /["\\]/

const isListable = ({ conta_id, request_id, endpoint }: Charge): boolean =>
  request_id !== '' && !MARKS.test(request_id) && !MARKS.test(conta_id) && !MARKS.test(endpoint)

export const openShort = (db: Db, ways: Ways): Short =>
  db.dialect === 'sqlite' ? openEmbedded(db, ways) : { charge: openShared(ways), forget: () => {} }

type Conta = { saldo: Saldo; ultimo_request: string; ultimo_tipo: TipoLancamento }
type ContaRow = Saldo & Omit<Conta, 'saldo'>

const REMEMBERED = 10_000

/**
 * One prepared statement a row: to parse the rows out of one text costs SQLite more. A balance is remembered
 * and not read again, and its row is written only where it still is what was remembered.
 */
function openEmbedded({ prepare }: Extract<Db, { dialect: 'sqlite' }>, ways: Ways): Short {
  const [relax, insist] = [prepare('pragma synchronous = normal'), prepare('pragma synchronous = full')]
  const [begin, commit, rollback] = [prepare('begin'), prepare('commit'), prepare('rollback')]
  const find = prepare(
    'select cota, extra, periodo, ultimo_request, ultimo_tipo from saldos where conta_id = ?',
  )
  const enter = prepare(`
    insert into lancamentos (tipo, request_id, conta_id, creditos, cota, extra, endpoint, criado_em, no,
      anterior_request, anterior_tipo) values ('charge', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const move = prepare(`
    update saldos set cota = ?, extra = ?, ultimo_request = ?, ultimo_tipo = 'charge'
    where conta_id = ? and cota = ? and extra = ? and periodo = ? and ultimo_request = ? and ultimo_tipo = ?`)
  const known = new LRUCache<string, Conta>({ max: REMEMBERED })

  function read(conta_id: string): Conta | undefined {
    // Proven by the statement's own list of columns.
    const [row] = trusted<ContaRow[]>(find.all([conta_id]))
    if (!row) return undefined
    const { ultimo_request, ultimo_tipo, ...saldo } = row
    return { saldo, ultimo_request, ultimo_tipo }
  }

  function write(charges: readonly Charge[], { no, instant, periodo }: By): Settlement[] | undefined {
    const contas = new Map<string, { before: Conta; after: Conta }>()
    const outcomes: Settlement[] = []
    for (const { conta_id, request_id, creditos, endpoint } of charges) {
      const changed = contas.get(conta_id)
      const conta = changed?.after ?? known.get(conta_id) ?? read(conta_id)
      const taken = conta && !isExpired(conta.saldo, periodo) && take(conta.saldo, creditos)
      if (!taken) return undefined
      const { ultimo_request: request, ultimo_tipo: tipo } = conta
      const { cota, extra } = taken
      enter.run([request_id, conta_id, creditos, -cota, -extra, endpoint, instant, no, request, tipo])
      const saldo = without(conta.saldo, taken)
      const after: Conta = { saldo, ultimo_request: request_id, ultimo_tipo: 'charge' }
      contas.set(conta_id, { before: changed?.before ?? conta, after })
      outcomes.push({ ok: true, charged: true, saldo })
    }
    for (const [conta_id, { before, after }] of contas) {
      const { cota, extra, periodo: mes } = before.saldo
      const { saldo, ultimo_request: request } = after
      const [ultimo, tipo] = [before.ultimo_request, before.ultimo_tipo]
      const row = [saldo.cota, saldo.extra, request, conta_id, cota, extra, mes, ultimo, tipo]
      if (Number(move.run(row).changes) !== 1) return undefined
    }
    commit.run([])
    ways.short += 1
    for (const [conta_id, { before, after }] of contas) {
      // One object an account: a new one for each charge would leave the young heap each time.
      Object.assign(before, after)
      if (!known.has(conta_id)) known.set(conta_id, before)
    }
    return outcomes
  }

  function charge(charges: readonly Charge[], by: By): Settlement[] | undefined {
    relax.run([])
    let outcomes: Settlement[] | undefined
    try {
      begin.run([])
      outcomes = write(charges, by)
      return outcomes
    } finally {
      if (!outcomes) undo()
      insist.run([])
    }
  }

  function undo(): void {
    try {
      rollback.run([])
    } catch {
      // It had not begun, or SQLite has rolled it back.
    }
  }

  return {
    charge: async (_query, charges, by) => charge(charges, by),
    forget: (orders) => {
      for (const { conta_id } of orders) known.delete(conta_id)
    },
  }
}

const without = ({ cota, extra, periodo }: Saldo, taken: Parcela): Saldo => ({
  cota: cota - taken.cota,
  extra: extra - taken.extra,
  periodo,
})

/** What is committed before it is on the disk with it, and on a synchronous standby: the log is one line. */
const FLUSH = CompiledQuery.raw("select pg_logical_emit_message(true, 'consulta-fiscal', '')")

/**
 * It locks the balances in the order of the accounts, and writes only if all suffice (`$13`, `esperou`: see
 * `openShared`). An entry tells the place of its account: a list of entries in each account took an eighth
 * more of PostgreSQL's CPU (2026-11-30).
 */
const STATEMENT = CompiledQuery.raw(`
  with grupo as materialized (
    select g.*, s.* from (
      select * from unnest($1::text[], $2::bigint[], $3::text[]) with ordinality
        as g (conta_id, total, ultimo, lugar)
      order by conta_id
    ) as g, lateral (
      select cota, extra, periodo, ultimo_request, ultimo_tipo from saldos
      where conta_id = g.conta_id for update
    ) as s
  ), inteiro as materialized (
    select array_agg(cota) as cotas, array_agg(extra) as extras, array_agg(periodo) as periodos,
      array_agg(ultimo_request) as ultimos, array_agg(ultimo_tipo) as tipos
    from (select * from grupo where periodo >= $4 and total <= cota + extra order by lugar) as g
    having count(*) = cardinality($1::text[])
  ), lancados as (
    insert into lancamentos (tipo, request_id, conta_id, creditos, cota, extra, endpoint, criado_em, no,
      anterior_request, anterior_tipo)
    select 'charge', e.request_id, ($1::text[])[e.lugar], e.creditos, -c.cota, c.cota - e.creditos, e.endpoint, $5, $6,
      case when e.anterior = '' then i.ultimos[e.lugar] else e.anterior end,
      case when e.anterior = '' then i.tipos[e.lugar] else 'charge' end
    from inteiro i, unnest($7::text[], $8::text[], $9::bigint[], $10::bigint[], $11::integer[], $12::text[])
        as e (request_id, endpoint, creditos, antes, lugar, anterior),
      lateral (select least(e.creditos, greatest(i.cotas[e.lugar] - e.antes, 0)) as cota) as c
  ), pagos as (
    update saldos s set cota = greatest(g.cota - g.total, 0), extra = g.extra - greatest(g.total - g.cota, 0),
      ultimo_request = g.ultimo, ultimo_tipo = 'charge'
    from inteiro, grupo g where s.conta_id = g.conta_id
  )
  select cast(cotas as text) as cotas, cast(extras as text) as extras, cast(periodos as text) as periodos,
    (select s.ultimo_request <> g.ultimo_request from grupo g, saldos s
      where g.lugar = 1 and s.conta_id = g.conta_id) as esperou,
    (select set_config('synchronous_commit', 'off', true) where $13::boolean) as solta
  from inteiro`)

/** The same for one charge. To set up the lists above took PostgreSQL longer than the charge (2026-11-30). */
const ALONE = CompiledQuery.raw(`
  with conta as materialized (
    select cota, extra, periodo, ultimo_request, ultimo_tipo from saldos where conta_id = $1 for update
  ), inteira as materialized (
    select * from conta where periodo >= $4 and $3::bigint <= cota + extra
  ), lancado as (
    insert into lancamentos (tipo, request_id, conta_id, creditos, cota, extra, endpoint, criado_em, no,
      anterior_request, anterior_tipo)
    select 'charge', $2, $1, $3, -least($3, cota), least($3, cota) - $3, $7, $5, $6, ultimo_request, ultimo_tipo
    from inteira
  ), pago as (
    update saldos s set cota = greatest(i.cota - $3, 0), extra = i.extra - greatest($3 - i.cota, 0),
      ultimo_request = $2, ultimo_tipo = 'charge'
    from inteira i where s.conta_id = $1
  )
  select cast(array[cota] as text) as cotas, cast(array[extra] as text) as extras,
    cast(array[periodo] as text) as periodos,
    (select s.ultimo_request <> i.ultimo_request from saldos s where s.conta_id = $1) as esperou
  from inteira i`)

/** An account of a group: its place among them, from 1, what it is charged, and the last request so far. */
type Somada = { lugar: number; total: number; ultimo: string }

/** The parameters of `STATEMENT`, without `$13`. The first entry of an account has no request before it. */
function parametersOf(charges: readonly Charge[], { no, instant, periodo }: By): readonly unknown[] {
  const contas = new Map<string, Somada>()
  const [antes, lugares, anteriores]: [number[], number[], string[]] = [[], [], []]
  for (const { conta_id, request_id, creditos } of charges) {
    const conta = contas.get(conta_id) ?? { lugar: contas.size + 1, total: 0, ultimo: '' }
    if (conta.total === 0) contas.set(conta_id, conta)
    antes.push(conta.total)
    lugares.push(conta.lugar)
    anteriores.push(conta.ultimo)
    conta.total += creditos
    conta.ultimo = request_id
  }
  const somadas = [...contas.values()]
  return [
    listOf([...contas.keys()]),
    listOf(somadas.map(({ total }) => total)),
    listOf(somadas.map(({ ultimo }) => ultimo)),
    periodo,
    instant,
    no,
    listOf(charges.map(({ request_id }) => request_id)),
    listOf(charges.map(({ endpoint }) => endpoint)),
    listOf(charges.map(({ creditos }) => creditos)),
    ...[antes, lugares, anteriores].map(listOf),
  ]
}

const aloneOf = ({ conta_id, request_id, creditos, endpoint }: Charge, { no, instant, periodo }: By) =>
  [conta_id, request_id, creditos, periodo, instant, no, endpoint] as const

const listOf = (values: readonly (string | number)[]): string => `{"${values.join('","')}"}`

/** One account of many is looked at, so a wait is seen now and then alone. */
const EARLY_GROUPS = 64

/**
 * A statement is its own commit (docs/decisions/0117). Where this node waited for another's group, the groups
 * that follow free their balances at the commit, and wait for the disk after it (0102).
 */
function openShared(ways: Ways): Short['charge'] {
  let left = 0
  let canFlush = true
  return async (query, charges, by) => {
    const early = canFlush && left > 0
    const [only, more] = charges
    const [charged, flushed] = await Promise.allSettled([
      only && !more && !early
        ? query<Saldos>(trusted(ALONE), aloneOf(only, by))
        : query<Saldos>(trusted(STATEMENT), [...parametersOf(charges, by), early]),
      early && query(FLUSH, []),
    ])
    if (charged.status === 'rejected') {
      const { reason } = charged
      // If the session goes on, nothing was written. A server that panics may say that its disk is full, too.
      throw !isConnectionLost(reason) && (await rolledBack(query)) ? reason : new CommitUnknown(reason)
    }
    const [saldos] = charged.value
    if (!saldos) return undefined
    if (flushed.status === 'rejected') {
      // It is seen, and may yet be lost: only a repetition, which waits for the disk, can tell.
      canFlush = flushed.reason instanceof DatabaseAway
      throw new CommitUnknown(flushed.reason)
    }
    left = saldos.esperou ? EARLY_GROUPS : left - 1
    ways[early ? 'early' : 'short'] += 1
    return outcomesOf(charges, saldos)
  }
}

/** The balances before a group, in the order of its accounts. Each is the text of a list of PostgreSQL. */
type Saldos = { cotas: string; extras: string; periodos: string; esperou: boolean }

const valuesOf = (list: string): string[] => list.slice(1, -1).split(',')

/** What each charge came to. */
function outcomesOf(charges: readonly Charge[], { cotas, extras, periodos }: Saldos): Settlement[] {
  const [todasExtras, todosPeriodos] = [valuesOf(extras), valuesOf(periodos)]
  const before = valuesOf(cotas).map((cota, at) => ({
    cota: Number(cota),
    extra: Number(todasExtras[at]),
    periodo: todosPeriodos[at] ?? '',
  }))
  const saldos = new Map<string, Saldo>()
  return charges.map(({ conta_id, creditos }) => {
    const conta = saldos.get(conta_id) ?? before[saldos.size]
    const taken = conta && take(conta, creditos)
    if (!taken) throw new Error('the statement paid more than there is')
    const saldo = without(conta, taken)
    saldos.set(conta_id, saldo)
    return { ok: true, charged: true, saldo }
  })
}
