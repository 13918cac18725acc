import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect, Tables } from '../db/tables.ts'
import type { Ending } from './ending.ts'
import type { Lease } from './kind.ts'

/** The statements of jobs: the same on both databases, each with all its rows as one JSON text. */

type Connection = Kysely<Tables>
type Clock = RawBuilder<number>

/** Where statements run, and the clock that they read. */
export type Table = { connection: Connection; dialect: Dialect; clock: Clock }

/** A job to be inserted. `conta` is the id of the account that asks for it; empty where none does. */
export type NewJob = {
  id: string
  kind: string
  key: string
  payload: string
  delayMs: number
  conta: string
  /** How many of its kind may be open with it. */
  most?: OpenJobs | undefined
}

/** How many jobs of a kind are open at once, on all nodes: of all accounts, and of one. */
export type OpenJobs = { open: number; own: number }

/** Rows as one parameter, which `json_each` gives back. */
export const json = (rows: readonly (readonly (string | number | null)[])[]): string =>
  JSON.stringify({ ...rows })

/**
 * What inserts jobs, without those whose key is open or whose id is taken. `rows` is the JSON of `rowsOf`.
 */
export const insertion = (clock: Clock, rows: string): RawBuilder<{ id: string }> => sql`
  insert into trabalhos (id, tipo, chave, estado, dados, livre_em, tentativas, criado_em, conta_id)
  select j.value ->> 0, j.value ->> 1, j.value ->> 2, 'aberto', j.value ->> 3,
    ${clock} + cast(j.value ->> 4 as bigint), 0, ${clock}, j.value ->> 5
  from json_each(${rows}) as j where true
  on conflict do nothing returning id`

/**
 * As `insertion`, without those that are beyond their `most`. Two nodes at the same instant do not see each
 * other's.
 */
const boundedInsertion = (clock: Clock, rows: string): RawBuilder<{ id: string }> => sql`
  insert into trabalhos (id, tipo, chave, estado, dados, livre_em, tentativas, criado_em, conta_id)
  select id, tipo, chave, 'aberto', dados, ${clock} + espera, 0, ${clock}, conta_id
  from (
    select j.value ->> 0 as id, j.value ->> 1 as tipo, j.value ->> 2 as chave, j.value ->> 3 as dados,
      cast(j.value ->> 4 as bigint) as espera, j.value ->> 5 as conta_id,
      cast(j.value ->> 6 as bigint) as most, cast(j.value ->> 7 as bigint) as most_own,
      row_number() over (partition by j.value ->> 1 order by j.value ->> 2) as nth,
      row_number() over (partition by j.value ->> 1, j.value ->> 5 order by j.value ->> 2) as nth_own
    from json_each(${rows}) as j) as n
  where most = 0 or (
    nth + (select count(*) from trabalhos as t where t.estado = 'aberto' and t.tipo = n.tipo) <= most
    and nth_own + (select count(*) from trabalhos as t
      where t.estado = 'aberto' and t.tipo = n.tipo and t.conta_id = n.conta_id) <= most_own)
  order by tipo, chave
  on conflict do nothing returning id`

/**
 * The rows of an insertion, in its order of columns. They are in the order of their keys, so that two nodes
 * never wait for each other.
 */
export const rowsOf = (jobs: readonly NewJob[]): (string | number)[][] =>
  jobs
    .toSorted((one, other) => compare(one.kind, other.kind) || compare(one.key, other.key))
    .map(({ id, kind, key, payload, delayMs, conta, most }) => [
      id,
      kind,
      key,
      payload,
      delayMs,
      conta,
      most?.open ?? 0,
      most?.own ?? 0,
    ])

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other)

/** Inserts jobs; the ids of those that were, as nothing stood against them. */
export async function insertJobs(
  connection: Connection,
  jobs: readonly NewJob[],
  clock: Clock,
): Promise<Set<string>> {
  const insert = jobs.some(({ most }) => most) ? boundedInsertion : insertion
  const { rows } = await insert(clock, json(rowsOf(jobs))).execute(connection)
  return new Set(rows.map(({ id }) => id))
}

/**
 * The open job of a key, or the job itself in whatever state: a repeated insertion finds that it was made
 * before.
 */
export const selectAsked = (
  connection: Connection,
  { id, kind, key }: NewJob,
): Promise<{ id: string } | undefined> =>
  connection
    .selectFrom('trabalhos')
    .select('id')
    .where(({ and, eb, or }) => or([eb('id', '=', id), and({ tipo: kind, chave: key, estado: 'aberto' })]))
    .executeTakeFirst()

/** The id of the open job of a key. */
export async function selectOpen(
  connection: Connection,
  { kind, key }: Pick<NewJob, 'kind' | 'key'>,
): Promise<string | undefined> {
  const found = await connection
    .selectFrom('trabalhos')
    .select('id')
    .where(({ and }) => and({ tipo: kind, chave: key, estado: 'aberto' }))
    .executeTakeFirst()
  return found?.id
}

/** How many jobs of a kind are open on all nodes: of everybody, and of one account. */
export async function countOf(
  connection: Connection,
  { kind, conta }: Pick<NewJob, 'kind' | 'conta'>,
): Promise<OpenJobs> {
  const { rows } = await sql<{ abertos: number | string; dela: number | string }>`
    select count(*) as abertos, count(case when conta_id = ${conta} then 1 end) as dela
    from trabalhos where estado = 'aberto' and tipo = ${kind}`.execute(connection)
  const { abertos = 0, dela = 0 } = rows[0] ?? {}
  return { open: Number(abertos), own: Number(dela) }
}

/** Says that the holders of these leases live; the ids of those that still hold them. */
export async function renewJobs(
  { connection, dialect, clock }: Table,
  leases: readonly Lease[],
  leaseMs: number,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update trabalhos set livre_em = ${clock} + cast(${leaseMs} as bigint)
    from (select j.value ->> 0 as id, j.value ->> 1 as dono from json_each(${json(leases.map(leaseRow))}) as j) as n
    where trabalhos.id = n.id and trabalhos.dono = n.dono ${among(dialect, leases)}
    returning trabalhos.id`.execute(connection)
  return new Set(rows.map(({ id }) => id))
}

/**
 * What makes PostgreSQL walk down the index of ids: it takes the rows of a JSON text for many, and would read
 * the whole table.
 */
const among = (dialect: Dialect, leases: readonly Lease[]): RawBuilder<unknown> =>
  dialect === 'postgres' ? sql`and trabalhos.id = any(${leases.map(({ id }) => id)})` : sql``

/** Writes what runs came to; the ids of those whose lease was still theirs. The others change nothing. */
export async function endJobs(
  { connection, dialect, clock }: Table,
  endings: readonly Ending[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update trabalhos set estado = n.estado, dono = null, resultado = n.resultado, motivo = n.motivo,
      livre_em = ${clock} + n.espera, tentativas = tentativas - n.devolvidas,
      terminado_em = case when n.estado = 'aberto' then null else ${clock} end,
      expira_em = ${clock} + n.guarda
    from (select j.value ->> 0 as id, j.value ->> 1 as dono, j.value ->> 2 as estado, j.value ->> 3 as resultado,
      j.value ->> 4 as motivo, cast(j.value ->> 5 as bigint) as espera, cast(j.value ->> 6 as bigint) as guarda,
      cast(j.value ->> 7 as integer) as devolvidas
      from json_each(${json(endings.map(endingRow))}) as j) as n
    where trabalhos.id = n.id and trabalhos.dono = n.dono ${among(dialect, endings)}
    returning trabalhos.id`.execute(connection)
  return new Set(rows.map(({ id }) => id))
}

const leaseRow = ({ id, token }: Lease): string[] => [id, token]

const endingRow = ({ id, token, state, result, reason, delayMs, keptMs, uncounted }: Ending) => [
  id,
  token,
  state,
  result,
  reason,
  delayMs,
  keptMs,
  uncounted,
]

/** Deletes at most `count` finished jobs whose time is over; how many. */
export async function deleteOld(connection: Connection, clock: Clock, count: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from trabalhos where id in (select id from trabalhos where expira_em <= ${clock} limit ${count})`.execute(
    connection,
  )
  return Number(numAffectedRows)
}
