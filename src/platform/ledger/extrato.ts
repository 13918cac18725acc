import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { TipoLancamento } from '../db/tables.ts'
import { renewalId } from './book.ts'

/** Charges by endpoint and price in BRL. `cota` and `extra` are what they added to the balance. */
export type Soma = {
  tipo: TipoLancamento
  endpoint: string
  reais: string | null
  lancamentos: number
  creditos: number
  cota: number
  extra: number
}

export type Somado = { head: Head; somas: readonly Soma[] }

export type Head = { request_id: string; tipo: TipoLancamento }

/** The way back through an account's chain, from `head` to what is known, else to its month's renewal. */
export type Walk = { conta_id: string; head: Head; known: Somado | undefined }

/** Entries of a query. On SQLite all wait for it: with 500, minutes with a sum had stops of 15 to 30 ms. */
const SLICE = { sqlite: 150, postgres: 500 } as const

/** Walks from entry to entry, with a turn of the event loop between two queries. */
export async function sumUp(db: Db, { conta_id, head, known }: Walk): Promise<Somado> {
  const somas: Soma[] = []
  let at: Head | undefined = head
  while (at) {
    if (known && isSame(at, known.head)) return { head, somas: merge([...known.somas, ...somas]) }
    const slice = await selectSlice(db, conta_id, { head: at, until: known?.head })
    somas.push(...slice.somas)
    at = slice.before
    if (at) await nextTurn()
  }
  return { head, somas: merge(somas) }
}

const isSame = (a: Head, b: Head): boolean => a.request_id === b.request_id && a.tipo === b.tipo

type Anterior = { anterior_request: string; anterior_tipo: TipoLancamento }

type SomaRow = Soma & Anterior & { fim: TipoLancamento }

/** Sums from `head` back to a renewal, or to the entry after `until`. `before` is where to go on. */
async function selectSlice(
  db: Db,
  conta_id: string,
  { head, until }: { head: Head; until: Head | undefined },
): Promise<{ somas: Soma[]; before: Head | undefined }> {
  const { rows } = await sql<SomaRow>`
    with recursive cadeia (lugar, tipo, endpoint, reais, creditos, cota, extra, anterior_request, anterior_tipo)
    as materialized (
      select 1, tipo, endpoint, reais, creditos, cota, extra, anterior_request, anterior_tipo from lancamentos
        where request_id = ${head.request_id} and tipo = ${head.tipo} and conta_id = ${conta_id}
      union all
      select c.lugar + 1, l.tipo, l.endpoint, l.reais, l.creditos, l.cota, l.extra, l.anterior_request,
          l.anterior_tipo from cadeia c
        join lancamentos l on l.request_id = c.anterior_request and l.tipo = c.anterior_tipo
        where l.conta_id = ${conta_id} and c.lugar < ${SLICE[db.dialect]} and c.tipo <> 'renewal'
          and not (c.anterior_request = ${until?.request_id ?? ''} and c.anterior_tipo = ${until?.tipo ?? ''})
    ), fim as (
      select tipo as fim, anterior_request, anterior_tipo from cadeia order by lugar desc limit 1
    ), somas as (
      select tipo, case when tipo = 'charge' then endpoint else '' end as endpoint, reais,
        count(*) as lancamentos, cast(sum(creditos) as bigint) as creditos, cast(sum(cota) as bigint) as cota,
        cast(sum(extra) as bigint) as extra from cadeia group by 1, 2, 3
    )
    select somas.*, fim.* from somas cross join fim`.execute(db.kysely)
  const [row] = rows
  if (!row) throw new Error('the chain of entries is broken')
  const before = { request_id: row.anterior_request, tipo: row.anterior_tipo }
  return { somas: rows.map(toSoma), before: row.fim === 'renewal' ? undefined : before }
}

const toSoma = ({ fim: _fim, anterior_request: _request, anterior_tipo: _tipo, ...soma }: SomaRow): Soma =>
  soma

function add(somas: Soma[], { tipo, endpoint, reais, lancamentos, creditos, cota, extra }: Soma): void {
  const soma = somas.find((one) => one.endpoint === endpoint && one.reais === reais && one.tipo === tipo)
  if (!soma) somas.push({ tipo, endpoint, reais, lancamentos, creditos, cota, extra })
  else {
    soma.lancamentos += lancamentos
    soma.creditos += creditos
    soma.cota += cota
    soma.extra += extra
  }
}

function merge(somas: readonly Soma[]): Soma[] {
  const merged: Soma[] = []
  for (const soma of somas) add(merged, soma)
  return merged
}

/** An entry alone is its own sum. */
type ChargeRow = Soma & Anterior & { request_id: string; conta_id: string }

const READ = { sqlite: 250, postgres: 500 } as const

/**
 * The newest charges of all accounts up to one, and one more, with which the next query begins. Renewals have
 * names that come after all ids: without that end SQLite would walk over each of them.
 */
const selectCharges = ({ kysely, dialect }: Db, from: string): Promise<{ rows: ChargeRow[] }> =>
  sql<ChargeRow>`
    select request_id, conta_id, tipo, endpoint, reais, 1 as lancamentos, creditos, cota, extra, anterior_request,
      anterior_tipo from lancamentos where tipo = 'charge' and request_id <= ${from}
    order by request_id desc limit ${READ[dialect] + 1}`.execute(kysely)

/** At which entry a walk is, with what sums, and the charges of it that were read before their turn. */
type Walking<W> = { walk: W; at: Head; somas: Soma[]; early: Map<string, ChargeRow> }

const goesOn = ({ walk, at }: Walking<Walk>): boolean =>
  at.tipo === 'charge' && !(walk.known && isSame(at, walk.known.head))

const newest = (most: string, { at }: Walking<Walk>): string => (at.request_id > most ? at.request_id : most)

/** Walks on from the entry at which it is, as far as others were read. Over how many. */
function walkOn(one: Walking<Walk>, first: ChargeRow): number {
  let steps = 0
  for (let charge: ChargeRow | undefined = first; charge; steps++) {
    add(one.somas, charge)
    one.at = { request_id: charge.anterior_request, tipo: charge.anterior_tipo }
    charge = one.early.size > 0 && goesOn(one) ? one.early.get(one.at.request_id) : undefined
    if (charge) one.early.delete(charge.request_id)
  }
  return steps
}

/** Charges that are read for nothing in a row, and that wait for the entries after them: of all, of one. */
const [MOST_IDLE, MOST_EARLY, MOST_EACH] = [20_000, 20_000, 1_000]
/** For each query PostgreSQL sorts all of a table that it does not know. What is above `FAST_MS` adds up. */
const [FAST_MS, SLOW_MS] = [25, 250]

/**
 * Walks for many accounts, a walk each: it reads the charges of all, newest first, for those of one moment
 * share a page. Ids tell when a request began, a chain when it was paid: what does not come in the order of
 * the ids is walked to from entry to entry.
 */
export async function* sumTogether<W extends Walk>(
  db: Db,
  walks: readonly W[],
  signal: AbortSignal,
): AsyncGenerator<W & { somado: Somado }> {
  const all = walks.map((walk): Walking<W> => ({ walk, at: walk.head, somas: [], early: new Map() }))
  const going = new Map(all.filter(goesOn).map((one) => [one.walk.conta_id, one]))
  const size = READ[db.dialect]
  let from: string | undefined = [...going.values()].reduce(newest, '')
  let [idle, early, slow] = [0, 0, 0]
  while (from !== undefined && idle < Math.min(MOST_IDLE, size * going.size) && early < MOST_EARLY) {
    signal.throwIfAborted()
    const asked = performance.now()
    const { rows } = await selectCharges(db, from)
    slow = Math.max(0, slow + performance.now() - asked - FAST_MS)
    if (db.dialect === 'postgres' && slow > SLOW_MS) break
    from = rows[size]?.request_id
    idle += rows.length
    for (const charge of rows.slice(0, size)) {
      const { request_id, conta_id } = charge
      const one = going.get(conta_id)
      if (!one) continue
      const before = one.early.size
      let isOver = before >= MOST_EACH
      if (one.at.request_id === request_id) {
        // A step saves a walk to that entry, which takes as long as reading some: five is a guess.
        idle = Math.max(0, idle - 5 * walkOn(one, charge))
        // An entry with a later id was read before, or is not met in this pass.
        isOver = !goesOn(one) || one.at.request_id > request_id
      } else one.early.set(request_id, charge)
      if (isOver) {
        going.delete(conta_id)
        one.early.clear()
      }
      early += one.early.size - before
    }
    await nextTurn()
  }
  for (const { walk, at, somas } of all) {
    signal.throwIfAborted()
    const rest = await sumUp(db, { ...walk, head: at })
    yield { ...walk, somado: { head: walk.head, somas: merge([...rest.somas, ...somas]) } }
    await nextTurn()
  }
}

/** `cota` and `extra` were added to the balance; `creditos` is the size of the matter. */
export type Entry = {
  criado_em: Date
  tipo: TipoLancamento
  endpoint: string
  request_id: string
  creditos: number
  cota: number
  extra: number
  reais: string | null
}

type Row = Omit<Entry, 'criado_em'> & Anterior & { criado_em: number }

/** An account's chain from the entry that `inicio` selects, and the query of its entries without an order. */
const cadeiaOf = (
  conta_id: string,
  inicio: RawBuilder<unknown>,
  limite: number,
  enquanto = sql`1 = 1`,
) => sql`
  cadeia as (
    select l.*, 1 as lugar from (${inicio}) as i
      join lancamentos l on l.request_id = i.request_id and l.tipo = i.tipo where l.conta_id = ${conta_id}
    union all
    select l.*, c.lugar + 1 from cadeia c
      join lancamentos l on l.request_id = c.anterior_request and l.tipo = c.anterior_tipo
      where l.conta_id = ${conta_id} and c.lugar < cast(${limite} as integer) and ${enquanto}
  ) select criado_em, tipo, endpoint, l.request_id, creditos, cota, extra, reais, anterior_request, anterior_tipo
    from cadeia as l`

/**
 * The entries of an account since `desde`, among its newest `limite`, newest first. It follows the account's
 * chain past an older instant, which a clock that was late leaves.
 */
export async function selectExtrato(
  { kysely }: Db,
  conta_id: string,
  { desde, limite = 100 }: { desde?: Date; limite?: number },
): Promise<Entry[]> {
  const inicio = sql`select ultimo_request as request_id, ultimo_tipo as tipo from saldos where conta_id = ${conta_id}`
  const { rows } = await sql<Row>`with recursive ${cadeiaOf(conta_id, inicio, limite)}
    where criado_em >= cast(${desde?.getTime() ?? 0} as bigint) order by lugar`.execute(kysely)
  return rows.map(toEntry)
}

const LAST_MONTH = '9999-12'

/** `AAAA-MM`, Brasília. It enters the chain at the next renewal: later entries cost nothing. */
export async function selectMes(
  { kysely }: Db,
  conta_id: string,
  { mes, limite }: { mes: string; limite: number },
): Promise<Entry[]> {
  const first = renewalId(conta_id, mes)
  const inicio = sql`select request_id, tipo from fim where exists (select 1 from lancamentos
    where request_id = ${first} and tipo = 'renewal' and conta_id = ${conta_id})`
  const { rows } = await sql<Row>`
    with recursive seguinte as (
      select anterior_request, anterior_tipo from lancamentos
        where conta_id = ${conta_id} and tipo = 'renewal' and request_id > ${first}
          and request_id <= ${renewalId(conta_id, LAST_MONTH)}
        order by request_id limit 1
    ), fim (request_id, tipo) as (
      select anterior_request, anterior_tipo from seguinte
      union all
      select ultimo_request, ultimo_tipo from saldos
        where conta_id = ${conta_id} and not exists (select 1 from seguinte)
    ), ${cadeiaOf(conta_id, inicio, limite, sql`c.request_id <> ${first}`)} order by lugar`.execute(kysely)
  return rows.map(toEntry)
}

export type Lancados = { lancamentos: Entry[]; seguinte: Head | undefined }

export async function selectPagina(
  { kysely }: Db,
  conta_id: string,
  { de, limite }: { de: Head; limite: number },
): Promise<Lancados> {
  const inicio = sql`select cast(${de.request_id} as text) as request_id, cast(${de.tipo} as text) as tipo`
  const { rows } = await sql<Row>`
    with recursive ${cadeiaOf(conta_id, inicio, limite, sql`c.tipo <> 'renewal'`)} order by lugar`.execute(
    kysely,
  )
  const last = rows.at(-1)
  const seguinte =
    last && last.tipo !== 'renewal'
      ? { request_id: last.anterior_request, tipo: last.anterior_tipo }
      : undefined
  return { lancamentos: rows.map(toEntry), seguinte }
}

const toEntry = ({ anterior_request: _request, anterior_tipo: _tipo, ...row }: Row): Entry => ({
  ...row,
  criado_em: new Date(row.criado_em),
})
