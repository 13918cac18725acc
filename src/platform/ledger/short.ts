import { CompiledQuery } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/db.ts'
import { CommitUnknown, DatabaseAway, isConnectionLost } from '../db/outage.ts'
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

/** What a text of a list of PostgreSQL, and of a list in it, cannot hold as it is. */
const MARKS = /["\\\n]/

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

const BEGIN = CompiledQuery.raw('begin')
/** What is committed before it is on the disk with it, and on a synchronous standby: the log is one line. */
const FLUSH = CompiledQuery.raw("select pg_logical_emit_message(true, 'consulta-fiscal', '')")
const COMMIT = CompiledQuery.raw('commit')
const ROLLBACK = CompiledQuery.raw('rollback')

/**
 * It locks the balances in the order of the accounts, and writes only if all suffice, in the order of the
 * entries' index. What one account is charged stands in one row; `$11` and `esperou`: see `openShared`.
 */
const STATEMENT = CompiledQuery.raw(`
  with grupo as materialized (
    select g.*, s.* from (
      select * from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
        as g (conta_id, total, ultimo, pedidos, creditos, antes, endpoints)
      order by conta_id
    ) as g, lateral (
      select cota, extra, periodo, ultimo_request, ultimo_tipo from saldos
      where conta_id = g.conta_id for update
    ) as s
  ), inteiro as materialized (
    select 1 from grupo where periodo >= $8 and total <= cota + extra
    having count(*) = cardinality($1::text[])
  ), lancados as (
    insert into lancamentos (tipo, request_id, conta_id, creditos, cota, extra, endpoint, criado_em, no,
      anterior_request, anterior_tipo)
    select 'charge', p.request_id, g.conta_id, p.creditos, -p.cota, p.cota - p.creditos, p.endpoint, $9, $10,
      coalesce(p.anterior, g.ultimo_request), case when p.anterior is null then g.ultimo_tipo else 'charge' end
    from inteiro, grupo g, lateral (
      select e.request_id, e.creditos, coalesce(e.endpoint, '') as endpoint, e.anterior,
         least(e.creditos, greatest(g.cota - e.antes, 0)) as cota
      from unnest(string_to_array(g.pedidos, e'\\n'), string_to_array(g.creditos, ' ')::bigint[],
        string_to_array(g.antes, ' ')::bigint[], string_to_array(g.endpoints, e'\\n'),
        array[null] || string_to_array(g.pedidos, e'\\n')) as e (request_id, creditos, antes, endpoint, anterior)
      where e.request_id is not null) as p
    order by p.request_id
  ), pagos as (
    update saldos s set cota = greatest(g.cota - g.total, 0), extra = g.extra - greatest(g.total - g.cota, 0),
      ultimo_request = g.ultimo, ultimo_tipo = 'charge'
    from inteiro, grupo g where s.conta_id = g.conta_id
  )
  select conta_id, cota, extra, periodo,
    (select s.ultimo_request <> g.ultimo_request from grupo g, saldos s
      where g.conta_id = ($1::text[])[1] and s.conta_id = g.conta_id) as esperou,
    (select set_config('synchronous_commit', 'off', true) where $11::boolean) as solta
  from inteiro, grupo`)

type Pilha = { total: number; pedidos: string[]; creditos: number[]; antes: number[]; endpoints: string[] }

/** The parameters of `STATEMENT`, without `$11`. */
function parametersOf(charges: readonly Charge[], { no, instant, periodo }: By): readonly unknown[] {
  const contas = new Map<string, Pilha>()
  for (const { conta_id, request_id, creditos, endpoint } of charges) {
    let conta = contas.get(conta_id)
    if (!conta) {
      conta = { total: 0, pedidos: [], creditos: [], antes: [], endpoints: [] }
      contas.set(conta_id, conta)
    }
    conta.pedidos.push(request_id)
    conta.creditos.push(creditos)
    conta.antes.push(conta.total)
    conta.endpoints.push(endpoint)
    conta.total += creditos
  }
  const pilhas = [...contas.values()]
  const lists = [
    [...contas.keys()],
    pilhas.map(({ total }) => total),
    pilhas.map(({ pedidos }) => pedidos.at(-1)),
    pilhas.map(({ pedidos }) => pedidos.join('\n')),
    pilhas.map(({ creditos }) => creditos.join(' ')),
    pilhas.map(({ antes }) => antes.join(' ')),
    pilhas.map(({ endpoints }) => endpoints.join('\n')),
  ].map((list) => `{"${list.join('","')}"}`)
  return [...lists, periodo, instant, no]
}

/** One account of many is looked at, so a wait is seen now and then alone. */
const EARLY_GROUPS = 64

/**
 * Where this node waited for another's group, the groups that follow free their balances at the commit and
 * wait for the disk after it (docs/decisions/0102).
 */
function openShared(ways: Ways): Short['charge'] {
  let left = 0
  let canFlush = true
  return async (query, charges, by) => {
    const early = canFlush && left > 0
    let outcomes: Settlement[] | undefined
    let committed = false
    try {
      // The commit goes apart: of a statement that is its own commit nobody knows, when its answer is lost.
      const [, rows] = await Promise.all([
        query(BEGIN, []),
        query<SaldoDaConta>(trusted(STATEMENT), [...parametersOf(charges, by), early]),
      ])
      const [first] = rows
      if (first) {
        left = first.esperou ? EARLY_GROUPS : left - 1
        outcomes = outcomesOf(charges, rows)
        const commit = query(COMMIT, []).then(() => {
          committed = true
        })
        await (early ? Promise.all([commit, query(FLUSH, [])]) : commit)
        ways[early ? 'early' : 'short'] += 1
        return outcomes
      }
    } catch (error) {
      await undoShared(query)
      // It is seen, and may yet be lost: only a repetition, which waits for the disk, can tell.
      if (committed) canFlush = error instanceof DatabaseAway
      if (!committed && !(outcomes && isConnectionLost(error))) throw error
      throw new CommitUnknown(error instanceof DatabaseAway ? error.cause : error)
    }
    await undoShared(query)
    return undefined
  }
}

/** Without a connection there is nothing to roll back. */
const undoShared = (query: Query): Promise<unknown> => query(ROLLBACK, []).catch(() => {})

type SaldoDaConta = Saldo & { conta_id: string; esperou: boolean | null }

/** What each charge came to, from the balances before the group. */
function outcomesOf(charges: readonly Charge[], rows: readonly SaldoDaConta[]): Settlement[] {
  const saldos = new Map(
    rows.map(({ conta_id, cota, extra, periodo }) => [conta_id, { cota, extra, periodo }]),
  )
  return charges.map(({ conta_id, creditos }) => {
    const before = saldos.get(conta_id)
    const taken = before && take(before, creditos)
    if (!taken) throw new Error('the statement paid more than there is')
    const saldo = without(before, taken)
    saldos.set(conta_id, saldo)
    return { ok: true, charged: true, saldo }
  })
}
