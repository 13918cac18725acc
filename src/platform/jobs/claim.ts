import { type RawBuilder, sql } from 'kysely'
import type { TrabalhosTable } from '../db/tables.ts'
import { DEAD_KEPT_MS, type JobRules } from './kind.ts'
import { json, type Table } from './rows.ts'

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

/**
 * A claim looks past so many jobs that other nodes are claiming at this moment. Where there are more it finds
 * less than there is, and the next look finds the rest.
 */
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
 * The jobs whose turn it is, as `due`: an account's n-th waiting job comes n turns after those of the account
 * that run. The jobs without an account stand together, as one account's do.
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
