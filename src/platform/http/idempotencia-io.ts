import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { IdempotenciaTable, Tables } from '../db/tables.ts'
import { LEASE_MS } from '../jobs/jobs-lease.ts'

/** The call that works on the answer of a key. Its writes are refused once another call has taken over. */
export type Ref = { chave: string; request_id: string }

type Taken = Pick<IdempotenciaTable, 'eventos'>
/** `cobrada`: its answer was charged. `viva`: its call gave a sign of life lately and has not ended. */
type Known = Pick<IdempotenciaTable, 'corpo' | 'request_id' | 'resposta' | 'creditos'> & {
  cobrada: 0 | 1
  viva: 0 | 1
}

/**
 * Takes a key that is free, expired, or of a call for the same body that gave up or is dead; undefined
 * otherwise. The lease stands in the key's row, not in `posses`, because one statement must also compare body
 * and answer.
 */
export async function takeKey(
  connection: Kysely<Tables>,
  key: Pick<IdempotenciaTable, 'chave' | 'corpo' | 'request_id' | 'expira_em'>,
  { instant, leases }: { instant: number; leases: RawBuilder<number> },
): Promise<Taken | undefined> {
  const { chave, corpo, request_id, expira_em } = key
  const { rows } = await sql<Taken>`
    insert into idempotencia as i (chave, corpo, request_id, ate, creditos, expira_em)
    values (${chave}, ${corpo}, ${request_id}, ${leases} + ${LEASE_MS}, 0, ${expira_em})
    on conflict (chave) do update set corpo = excluded.corpo, request_id = excluded.request_id, ate = excluded.ate,
      eventos = case when i.expira_em <= ${instant} then null else i.eventos end,
      resposta = null, creditos = 0, expira_em = excluded.expira_em
    where i.expira_em <= ${instant}
      or (i.corpo = excluded.corpo and i.resposta is null and i.ate <= ${leases})
    returning eventos`.execute(connection)
  return rows[0]
}

/** What is known of a key. */
export async function selectKey(
  connection: Kysely<Tables>,
  chave: string,
  leases: RawBuilder<number>,
): Promise<Known | undefined> {
  const { rows } = await sql<Known>`
    select corpo, request_id, resposta, creditos, case when exists (
      select 1 from lancamentos l where l.request_id = i.request_id and l.tipo = 'charge') then 1 else 0 end as cobrada,
      case when ate > ${leases} then 1 else 0 end as viva
    from idempotencia i where chave = ${chave}`.execute(connection)
  return rows[0]
}

/** Writes the state of a call. False, with nothing written, if another took over or the answer stands. */
export async function updateKey(
  connection: Kysely<Tables>,
  { chave, request_id }: Ref,
  values: Partial<Pick<IdempotenciaTable, 'eventos' | 'resposta' | 'creditos'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await connection
    .updateTable('idempotencia')
    .set(values)
    .where('chave', '=', chave)
    .where('request_id', '=', request_id)
    .where('resposta', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Says that the call at a key lives. Changes nothing where another has taken over. */
export async function renewKey(
  connection: Kysely<Tables>,
  { chave, request_id }: Ref,
  leases: RawBuilder<number>,
): Promise<void> {
  const ate = sql<number>`${leases} + ${LEASE_MS}`
  await setAte(connection, { chave, request_id }, ate)
}

/** Says that the call at a key has ended. Changes nothing where another has taken over. */
export const endKey = (connection: Kysely<Tables>, ref: Ref): Promise<void> => setAte(connection, ref, sql`0`)

async function setAte(
  connection: Kysely<Tables>,
  { chave, request_id }: Ref,
  ate: RawBuilder<number>,
): Promise<void> {
  await connection
    .updateTable('idempotencia')
    .set({ ate })
    .where('chave', '=', chave)
    .where('request_id', '=', request_id)
    .execute()
}

/** Forgets a key under which nothing has happened. False if something has, or if another call took over. */
export async function deleteIdleKey(
  connection: Kysely<Tables>,
  { chave, request_id }: Ref,
): Promise<boolean> {
  const { numDeletedRows } = await connection
    .deleteFrom('idempotencia')
    .where('chave', '=', chave)
    .where('request_id', '=', request_id)
    .where('eventos', 'is', null)
    .where('resposta', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
