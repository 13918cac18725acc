import { type RawBuilder, sql } from 'kysely'
import { inicioDoDia } from '../documento/dia.ts'
import type { Db } from '../platform/db/db.ts'

/** Calls that are alike: an endpoint, and what they came to. Undefined says nothing of it. */
export type FiltroDeDias = {
  endpoint?: string | undefined
  /**
   * `entregues`, `falhas`, `interrompidas` (the client left), `cache`, `fonte` (delivered, though a source
   * failed), or the code of a failure.
   */
  desfecho?: string | undefined
}

/** What calls that are alike came to. */
export type SomaDeUsos = {
  chamadas: number
  entregues: number
  /** The rest are calls whose client left before the answer was complete. */
  falhas: number
  /** Those delivered that the cache answered. */
  do_cache: number
  /** Those delivered in which a source failed. */
  com_falha: number
  creditos: number
  /** The sum of their milliseconds. */
  ms: number
}

/** How many days the sums are kept: 13 months. */
const KEPT_DAYS = 397
const DAY_MS = 86_400_000

/** The number of a day AAAA-MM-DD in `usos_dia`. */
const numeroDoDia = (dia: string): number => Date.parse(`${dia}T00:00:00Z`) / DAY_MS

/** The day AAAA-MM-DD of such a number. */
const diaDoNumero = (numero: number): string => new Date(numero * DAY_MS).toISOString().slice(0, 10)

type Periodo = FiltroDeDias & { de: string; ate: string }

/** What a row of calls has to come to, in the words of the filter. */
export function comDesfecho(
  desfecho: string | undefined,
  names: { cached: 'cached' | 'do_cache'; falhas: 'fontes_falhas' | 'com_falha' },
): RawBuilder<unknown> {
  if (desfecho === undefined) return sql`true`
  if (desfecho === 'entregues') return sql`http < 400`
  if (desfecho === 'falhas') return sql`http >= 400 and http <> 499`
  if (desfecho === 'interrompidas') return sql`http = 499`
  if (desfecho === 'cache') return sql`${sql.ref(names.cached)} > 0`
  if (desfecho === 'fonte') return sql`${sql.ref(names.falhas)} > 0`
  return sql`error_code = ${desfecho}`
}

const wanted = (conta_id: string, { endpoint, desfecho, de, ate }: Periodo): RawBuilder<unknown> =>
  sql`conta_id = ${conta_id} and dia between ${numeroDoDia(de)} and ${numeroDoDia(ate)}
    and ${endpoint === undefined ? sql`true` : sql`endpoint = ${endpoint}`} and ${comDesfecho(desfecho, { cached: 'do_cache', falhas: 'com_falha' })}`

const somas = sql`cast(sum(chamadas) as bigint) as chamadas,
  cast(sum(case when http < 400 then chamadas else 0 end) as bigint) as entregues,
  cast(sum(case when http >= 400 and http <> 499 then chamadas else 0 end) as bigint) as falhas,
  cast(sum(do_cache) as bigint) as do_cache, cast(sum(com_falha) as bigint) as com_falha,
  cast(sum(creditos) as bigint) as creditos, cast(sum(ms) as bigint) as ms`

/** The calls of each day and endpoint, the oldest day first; days AAAA-MM-DD in Brasília, both included. */
export async function somarDias(
  { kysely }: Db,
  conta_id: string,
  periodo: Periodo,
): Promise<(SomaDeUsos & { dia: string; endpoint: string })[]> {
  const { rows } = await sql<SomaDeUsos & { dia: number; endpoint: string }>`
    select dia, endpoint, ${somas} from usos_dia where ${wanted(conta_id, periodo)}
    group by dia, endpoint order by dia`.execute(kysely)
  return rows.map((row) => ({ ...row, dia: diaDoNumero(row.dia) }))
}

/** The calls of each endpoint and code (empty on success), the most frequent first. */
export async function somarDesfechos(
  { kysely }: Db,
  conta_id: string,
  periodo: Periodo,
): Promise<(SomaDeUsos & { endpoint: string; error_code: string })[]> {
  const { rows } = await sql<SomaDeUsos & { endpoint: string; error_code: string }>`
    select endpoint, error_code, ${somas} from usos_dia where ${wanted(conta_id, periodo)}
    group by endpoint, error_code order by chamadas desc, endpoint, error_code`.execute(kysely)
  return rows
}

/** The day with such calls that is nearest to the end of a period, or to its start. Undefined without one. */
export async function diaMaisPerto(
  { kysely }: Db,
  conta_id: string,
  periodo: Periodo,
  extremo: 'fim' | 'inicio',
): Promise<string | undefined> {
  const order = extremo === 'fim' ? sql`desc` : sql`asc`
  const { rows } = await sql<{ dia: number }>`
    select dia from usos_dia where ${wanted(conta_id, periodo)} order by dia ${order} limit 1`.execute(kysely)
  const [row] = rows
  return row && diaDoNumero(row.dia)
}

/** Deletes sums from before 13 months ago, at most `most` of them; returns how many. */
export async function deleteOldestDias({ kysely }: Db, instant: number, most: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from usos_dia where (conta_id, dia, endpoint, http, error_code) in (
      select conta_id, dia, endpoint, http, error_code from usos_dia
      where dia < ${Math.floor(instant / DAY_MS) - KEPT_DAYS} limit ${most})`.execute(kysely)
  return Number(numAffectedRows)
}

/** The first and the last millisecond of the days of a period. */
export const limitesDe = (de: string, ate: string): [number, number] => [
  inicioDoDia(de),
  inicioDoDia(ate) + DAY_MS - 1,
]
