import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { TipoLancamento } from '../db/tables.ts'
import { renewalId } from './book.ts'
import type { Head } from './somas.ts'

/**
 * One line of an account's books. `cota` and `extra` were added to the balance; `creditos` is the size of the
 * matter.
 */
export type Entry = {
  criado_em: Date
  tipo: TipoLancamento
  endpoint: string
  request_id: string
  creditos: number
  cota: number
  extra: number
  /** What a note cost in BRL, as decimal text. Null where the entry has no price in BRL. */
  reais: string | null
}

type Row = Omit<Entry, 'criado_em'> & { criado_em: number }

/**
 * The entries of an account since `desde`, among its newest `limite`, newest first. It follows the account's
 * chain past an older instant, which a clock that was late leaves.
 */
export async function selectExtrato(
  db: Db,
  conta_id: string,
  { desde, limite = 100 }: { desde?: Date; limite?: number },
): Promise<Entry[]> {
  const { rows } = await sql<Row>`
    with recursive cadeia as (
      select l.*, 1 as lugar from saldos s
        join lancamentos l on l.request_id = s.ultimo_request and l.tipo = s.ultimo_tipo
        where s.conta_id = ${conta_id}
      union all
      select l.*, c.lugar + 1 from cadeia c
        join lancamentos l on l.request_id = c.anterior_request and l.tipo = c.anterior_tipo
        where c.lugar < cast(${limite} as integer)
    )
    select criado_em, tipo, endpoint, request_id, creditos, cota, extra, reais from cadeia
    where criado_em >= cast(${desde?.getTime() ?? 0} as bigint) order by lugar`.execute(db.kysely)
  return rows.map(toEntry)
}

/** A month after any real one. */
const LAST_MONTH = '9999-12'

/**
 * The entries of an account in one month of its quota (`AAAA-MM`, Brasília), newest first, at most `limite`.
 * It enters the chain at the next month's renewal, so later entries cost nothing.
 */
export async function selectMes(
  db: Db,
  conta_id: string,
  { mes, limite }: { mes: string; limite: number },
): Promise<Entry[]> {
  const first = renewalId(conta_id, mes)
  const { rows } = await sql<Row>`
    with recursive seguinte as (
      select anterior_request, anterior_tipo from lancamentos
        where tipo = 'renewal' and request_id > ${first} and request_id <= ${renewalId(conta_id, LAST_MONTH)}
        order by request_id limit 1
    ), fim (request_id, tipo) as (
      select anterior_request, anterior_tipo from seguinte
      union all
      select ultimo_request, ultimo_tipo from saldos
        where conta_id = ${conta_id} and not exists (select 1 from seguinte)
    ), cadeia as (
      select l.*, 1 as lugar from fim
        join lancamentos l on l.request_id = fim.request_id and l.tipo = fim.tipo
        where exists (select 1 from lancamentos where request_id = ${first} and tipo = 'renewal')
      union all
      select l.*, c.lugar + 1 from cadeia c
        join lancamentos l on l.request_id = c.anterior_request and l.tipo = c.anterior_tipo
        where c.lugar < cast(${limite} as integer) and c.request_id <> ${first}
    )
    select criado_em, tipo, endpoint, request_id, creditos, cota, extra, reais from cadeia order by lugar`.execute(
    db.kysely,
  )
  return rows.map(toEntry)
}

/** Lines of a month, newest first, and where the next ones begin; undefined after the month's renewal. */
export type Lancados = { lancamentos: Entry[]; seguinte: Head | undefined }

/** The entries from one of them on, newest first, to the renewal of their month, at most `limite`. */
export async function selectPagina(db: Db, { de, limite }: { de: Head; limite: number }): Promise<Lancados> {
  const { rows } = await sql<Row & { anterior_request: string; anterior_tipo: TipoLancamento }>`
    with recursive cadeia as (
      select l.*, 1 as lugar from lancamentos l
        where l.request_id = ${de.request_id} and l.tipo = ${de.tipo}
      union all
      select l.*, c.lugar + 1 from cadeia c
        join lancamentos l on l.request_id = c.anterior_request and l.tipo = c.anterior_tipo
        where c.lugar < cast(${limite} as integer) and c.tipo <> 'renewal'
    )
    select criado_em, tipo, endpoint, request_id, creditos, cota, extra, reais, anterior_request, anterior_tipo
    from cadeia order by lugar`.execute(db.kysely)
  const last = rows.at(-1)
  const seguinte =
    last && last.tipo !== 'renewal'
      ? { request_id: last.anterior_request, tipo: last.anterior_tipo }
      : undefined
  const lancamentos = rows.map(({ anterior_request: _request, anterior_tipo: _tipo, ...row }) => toEntry(row))
  return { lancamentos, seguinte }
}

const toEntry = (row: Row): Entry => ({ ...row, criado_em: new Date(row.criado_em) })
