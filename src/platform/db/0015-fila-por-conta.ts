import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** What a claim walks: each account's open jobs in their order, and the few that somebody has. */
export async function filaPorConta(db: Kysely<Tables>): Promise<void> {
  // A node of the version before still claims without it. It sorts the open jobs of the kind.
  await sql`drop index trabalhos_vez`.execute(db)
  await sql`create index trabalhos_fila on trabalhos (tipo, conta_id, livre_em) where estado = 'aberto'`.execute(
    db,
  )
  await sql`create index trabalhos_em_curso on trabalhos (tipo, livre_em) where dono is not null`.execute(db)
}
