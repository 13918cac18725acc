import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { TrabalhosTable } from '../db/tables.ts'
import { codeOf } from '../wire/fonte.ts'
import { clockOf, steadyClock } from './lease.ts'

/** PostgreSQL's code. The embedded database has one writer, which sees the other job. */
const UNIQUE_VIOLATION = '23505'

export const estados = ['esperando', 'executando', 'feito', 'morto'] as const
export type JobState = (typeof estados)[number]

export type Trabalho = Omit<TrabalhosTable, 'estado' | 'dono'> & { estado: JobState }

export type JobChange = 'feito' | 'não existe' | 'em execução' | 'chave ocupada'

const toTrabalho = ({ estado, dono, ...row }: TrabalhosTable): Trabalho => ({
  ...row,
  estado: estado === 'aberto' ? (dono === null ? 'esperando' : 'executando') : estado,
})

export async function listJobs(
  { kysely }: Db,
  { estado, tipo, limite }: { estado?: JobState | undefined; tipo?: string | undefined; limite: number },
): Promise<Trabalho[]> {
  let query = kysely.selectFrom('trabalhos').selectAll().orderBy('id', 'desc').limit(limite)
  if (tipo !== undefined) query = query.where('tipo', '=', tipo)
  if (estado === 'esperando') query = query.where('estado', '=', 'aberto').where('dono', 'is', null)
  else if (estado === 'executando') query = query.where('dono', 'is not', null)
  else if (estado !== undefined) query = query.where('estado', '=', estado)
  const rows = await query.execute()
  return rows.map(toTrabalho)
}

export const countOpen = ({ kysely }: Db): Promise<{ kind: string; open: number | string | bigint }[]> =>
  kysely
    .selectFrom('trabalhos')
    .select(({ fn }) => ['tipo as kind', fn.countAll().as('open')])
    .where('estado', '=', 'aberto')
    .groupBy('tipo')
    .execute()

export async function findJob({ kysely }: Db, id: string): Promise<Trabalho | undefined> {
  const row = await kysely.selectFrom('trabalhos').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toTrabalho(row)
}

/** With all its attempts. One that ended is opened again, unless another of its key is open. */
export async function repeatJob(db: Db, id: string): Promise<JobChange> {
  const clock = clockOf(db, steadyClock)
  const repeated = sql`
    update trabalhos set estado = 'aberto', dono = null, livre_em = ${clock}, tentativas = 0, resultado = null,
      terminado_em = null, expira_em = null
    where id = ${id} and (dono is null or livre_em <= ${clock}) and not exists (select 1 from trabalhos as outro
      where outro.estado = 'aberto' and outro.tipo = trabalhos.tipo and outro.chave = trabalhos.chave
        and outro.id <> trabalhos.id)`
  try {
    const { numAffectedRows = 0n } = await repeated.execute(db.kysely)
    return numAffectedRows > 0n ? 'feito' : whyNot(db, id)
  } catch (error) {
    if (codeOf(error) === UNIQUE_VIOLATION) return 'chave ocupada'
    throw error
  }
}

/** Deletes a job, in whatever state, but for one that runs. A holder without a sign of life runs nothing. */
export async function discardJob(db: Db, id: string): Promise<JobChange> {
  const { numDeletedRows } = await db.kysely
    .deleteFrom('trabalhos')
    .where('id', '=', id)
    .where((row) => row.or([row('dono', 'is', null), row('livre_em', '<=', clockOf(db, steadyClock))]))
    .executeTakeFirst()
  return numDeletedRows > 0n ? 'feito' : whyNot(db, id)
}

async function whyNot(db: Db, id: string): Promise<JobChange> {
  const found = await findJob(db, id)
  if (!found) return 'não existe'
  return found.estado === 'executando' ? 'em execução' : 'chave ocupada'
}
