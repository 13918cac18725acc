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

/** Entries of a query. On SQLite all wait for it: with 500, minutes with a sum had stops of 15 to 30 ms. */
const SLICE = { sqlite: 150, postgres: 500 } as const

/** Walks an account's chain back from `head`, with a turn of the event loop between two queries. */
export async function sumUp(
  db: Db,
  { conta_id, head, known }: { conta_id: string; head: Head; known: Somado | undefined },
): Promise<Somado> {
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

const merge = (somas: readonly Soma[]): Soma[] =>
  [...Map.groupBy(somas, ({ tipo, endpoint, reais }) => `${tipo} ${reais} ${endpoint}`).values()].map(
    (alike) =>
      alike.reduce((a, b) => ({
        tipo: a.tipo,
        endpoint: a.endpoint,
        reais: a.reais,
        lancamentos: a.lancamentos + b.lancamentos,
        creditos: a.creditos + b.creditos,
        cota: a.cota + b.cota,
        extra: a.extra + b.extra,
      })),
  )

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

/** Entries of an account's chain, newest first: from the one that `inicio` selects, `limite` at most. */
const cadeiaOf = (conta_id: string, inicio: RawBuilder<unknown>, limite: number, goesOn = sql`1 = 1`) => sql`
  cadeia as (
    select l.*, 1 as lugar from (${inicio}) as i
      join lancamentos l on l.request_id = i.request_id and l.tipo = i.tipo where l.conta_id = ${conta_id}
    union all
    select l.*, c.lugar + 1 from cadeia c
      join lancamentos l on l.request_id = c.anterior_request and l.tipo = c.anterior_tipo
      where l.conta_id = ${conta_id} and c.lugar < cast(${limite} as integer) and ${goesOn}
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
