import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Static, TSchema } from 'typebox'
import { Check, Errors } from 'typebox/schema'
import type { Dialect, Tables, TrabalhosTable } from '../db/tables.ts'
import { trusted } from '../trusted.ts'
import { DEAD_KEPT_MS, type JobOutcome, type JobRules, type Lease } from './kind.ts'

/** Bytes of the JSON of a payload or a result. What is larger belongs in a table of its own. */
const MOST_BYTES = 256 * 1024

/** The JSON of a payload or a result. Throws RangeError where it has more than 256 KiB. */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  if (Buffer.byteLength(text) > MOST_BYTES)
    throw new RangeError(`more than ${MOST_BYTES} bytes of JSON in a job`)
  return text
}

/** Reads a stored payload. One that is no JSON, or not of the schema, gives the reason in Portuguese. */
export function readPayload<S extends TSchema>(
  schema: S,
  text: string,
): { payload: Static<S> } | { reason: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { reason: 'os dados não são um JSON que se possa ler' }
  }
  // Proven by the schema.
  if (Check(schema, value)) return { payload: trusted<Static<S>>(value) }
  const [, [first]] = Errors(schema, value)
  return { reason: `os dados não têm a forma que esta versão espera (${first?.instancePath || 'o todo'})` }
}

/**
 * What a run leaves in its row, durations in milliseconds; `uncounted` attempts are given back. Where
 * `keptMs` is null the job stays open, and may be claimed after `delayMs`.
 */
export type Ending = Lease & {
  state: 'aberto' | 'feito' | 'morto'
  result: string | null
  reason: string | null
  delayMs: number
  keptMs: number | null
  uncounted: number
}

const LONGEST_REASON = 500

/**
 * The row that an outcome leaves: reasons are cut at 500 characters. A result of more than 256 KiB makes the
 * job dead.
 */
export function endingOf({ id, token }: Lease, outcome: JobOutcome): Ending {
  const ending = { id, token, result: null, reason: null, delayMs: 0, keptMs: null, uncounted: 0 }
  if (outcome.type === 'done')
    try {
      return { ...ending, state: 'feito', result: writeJson(outcome.result), keptMs: outcome.keptMs }
    } catch {
      return { ...ending, state: 'morto', reason: 'o resultado não cabe no banco', keptMs: DEAD_KEPT_MS }
    }
  // PostgreSQL takes no NUL, and not the half of a character that a cut may leave.
  const reason = outcome.reason.replaceAll('\0', '').slice(0, LONGEST_REASON).toWellFormed()
  if (outcome.type === 'dead') return { ...ending, state: 'morto', reason, keptMs: DEAD_KEPT_MS }
  if (outcome.type === 'back') return { ...ending, state: 'aberto', reason, uncounted: 1 }
  return { ...ending, state: 'aberto', reason, delayMs: outcome.delayMs }
}

type Connection = Kysely<Tables>
/** The instant now as an expression of SQL, in milliseconds: all nodes of one PostgreSQL have its clock. */
type Clock = RawBuilder<number>

export type Table = { connection: Connection; dialect: Dialect; clock: Clock }

/** A job that is not stored yet. `payload` is JSON; `conta` is the id of an account, or empty. */
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

/** How many jobs of a kind are open: of all accounts, and of the account in question. */
export type OpenJobs = { open: number; own: number }

const json = (rows: readonly (readonly (string | number | null)[])[]): string => JSON.stringify({ ...rows })

/**
 * Inserts jobs and returns the ids of those that are new: one whose key is open or whose id is taken is left
 * out. `rows` is the JSON of `rowsOf`.
 */
export const insertion = (clock: Clock, rows: string): RawBuilder<{ id: string }> => sql`
  insert into trabalhos (id, tipo, chave, estado, dados, livre_em, tentativas, criado_em, conta_id)
  select j.value ->> 0, j.value ->> 1, j.value ->> 2, 'aberto', j.value ->> 3,
    ${clock} + cast(j.value ->> 4 as bigint), 0, ${clock}, j.value ->> 5
  from json_each(${rows}) as j where true
  on conflict do nothing returning id`

/**
 * The same within the bounds of each job. Two nodes at one instant do not see each other's, and may pass a
 * bound.
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

/** The values of jobs for `insertion`, in the order of their keys: so two nodes never wait for each other. */
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

/** Stores jobs, within `most` where one has it. Returns the ids of those that were stored. */
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
 * The open job of the same key, or the job of the same id in any state: after an insertion that was repeated,
 * this finds that the first one stored it.
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

/** Counts the open jobs of a kind. */
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

/**
 * Makes leases last `leaseMs` from now. Returns the ids of those that were still held: the others are lost.
 */
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

/** PostgreSQL takes the rows of a JSON text for many, and would read the whole table. */
const among = (dialect: Dialect, leases: readonly Lease[]): RawBuilder<unknown> =>
  dialect === 'postgres' ? sql`and trabalhos.id = any(${leases.map(({ id }) => id)})` : sql``

/** Ends runs. Returns the ids of those whose lease was still held: the others changed nothing. */
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

/** Deletes at most `count` ended jobs whose time is over. Returns how many. */
export async function deleteOld(connection: Connection, clock: Clock, count: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from trabalhos where id in (select id from trabalhos where expira_em <= ${clock} limit ${count})`.execute(
    connection,
  )
  return Number(numAffectedRows)
}

/** What one look for work asks: `count` jobs of a kind, to be held under `token` for `leaseMs`. */
export type Claim = {
  kind: string
  token: string
  count: number
  leaseMs: number
  /** Jobs in this process's hands: it never takes them from itself, whatever the clock says. */
  held: readonly string[]
}

type ClaimedRow = Pick<TrabalhosTable, 'id' | 'conta_id' | 'dados' | 'tentativas' | 'motivo'> & {
  estado: 'aberto' | 'morto'
}

const KILLED = 'o processo que executava o trabalho parou na última tentativa'
const TOO_OFTEN = 'as tentativas permitidas acabaram'

/** A claim looks past so many jobs that others are claiming. The next look finds the rest. */
const LOCKED = 50

/**
 * Claims jobs that are due and that nobody has, or whose holder's lease ran out, in the order of `turnsOf`.
 * One that has no attempt left is buried instead: a job that kills its process does so no more often than it
 * may be tried.
 */
export async function claimJobs(
  table: Table,
  claim: Claim,
  { attempts }: Pick<JobRules, 'attempts'>,
): Promise<ClaimedRow[]> {
  const { connection, clock } = table
  const spent = sql`tentativas >= ${attempts}`
  const { rows } = await sql<ClaimedRow>`
    with recursive ${turnsOf(table, claim)}
    update trabalhos set
      estado = case when ${spent} then 'morto' else 'aberto' end,
      dono = case when ${spent} then null else ${claim.token} end,
      tentativas = case when ${spent} then tentativas else tentativas + 1 end,
      livre_em = ${clock} + cast(${claim.leaseMs} as bigint),
      motivo = case when ${spent} then case when dono is null then ${TOO_OFTEN} else ${KILLED} end else motivo end,
      terminado_em = case when ${spent} then ${clock} end,
      expira_em = case when ${spent} then ${clock} + cast(${DEAD_KEPT_MS} as bigint) end
    where id in (select id from due)
    returning id, conta_id, estado, dados, tentativas, motivo`.execute(connection)
  return rows
}

/**
 * The jobs to claim, in turns: an account's n-th waiting job comes n turns after its jobs that run. Jobs
 * without an account count as one account's.
 */
function turnsOf({ dialect, clock }: Table, { kind, count, held }: Claim): RawBuilder<unknown> {
  const open = sql`estado = 'aberto' and tipo = ${kind}`
  const most = dialect === 'postgres' ? count + LOCKED : count
  // An account's own first jobs, walked in its part of the index: it may have ten thousand.
  const first = sql`
    select id, livre_em from trabalhos
    where ${open} and conta_id = contas.conta_id and livre_em <= ${clock}
      and id not in (select j.value ->> 0 from json_each(${json(held.map((id) => [id]))}) as j)
    order by livre_em limit ${most}`
  const firstOfEach =
    dialect === 'postgres'
      ? sql`cross join lateral (${first}) as j`
      : sql`cross join trabalhos as j on j.id in (select id from (${first}))`
  return sql`
    contas (conta_id) as (
      select min(conta_id) from trabalhos where ${open}
      union all
      select (select min(conta_id) from trabalhos where ${open} and conta_id > contas.conta_id)
      from contas where conta_id is not null),
    em_curso as (
      select conta_id, count(*) as quantos from trabalhos
      where dono is not null and tipo = ${kind} and livre_em > ${clock} group by conta_id),
    fila as materialized (
      select j.id, j.livre_em, coalesce(em_curso.quantos, 0)
        + row_number() over (partition by contas.conta_id order by j.livre_em) as vez
      from contas ${firstOfEach} left join em_curso on em_curso.conta_id = contas.conta_id
      order by vez, j.livre_em limit ${most}),
    due as materialized (${unlocked(dialect, clock, count)})`
}

/** The first jobs of `fila` that no other node is claiming: PostgreSQL locks no rows of a window function. */
function unlocked(dialect: Table['dialect'], clock: Table['clock'], count: number): RawBuilder<unknown> {
  if (dialect === 'sqlite') return sql`select id from fila`
  // The array has PostgreSQL walk down the index of ids (see `among`). A claim that a crash of the machine
  // takes back was never made: nobody waits for the disk (see `relaxed`).
  return sql`
    select trabalhos.id from fila join trabalhos on trabalhos.id = fila.id
    where trabalhos.id = any(array(select id from fila)) and terminado_em is null and trabalhos.livre_em <= ${clock}
      and (select set_config('synchronous_commit', 'off', true)) is not null
    order by fila.vez, fila.livre_em limit ${count} for update of trabalhos skip locked`
}
