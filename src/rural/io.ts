import type { Db } from '../platform/db/db.ts'
import { openDurable } from '../platform/db/queries.ts'
import type { SessoesTable } from '../platform/db/tables.ts'

/** The part of a session that anybody may see. */
export type LinhaDaSessao = Omit<SessoesTable, 'nome'>

/** The row of a session. */
export const selectSessao = ({ kysely }: Db, nome: string): Promise<LinhaDaSessao | undefined> =>
  kysely.selectFrom('sessoes').selectAll().where('nome', '=', nome).executeTakeFirst()

/** Writes a session in the place of the one before; on the disk when it resolves. */
export async function upsertSessao(db: Db, nome: string, linha: LinhaDaSessao): Promise<void> {
  await openDurable(db)((on) =>
    on
      .insertInto('sessoes')
      .values({ nome, ...linha })
      .onConflict((conflict) => conflict.column('nome').doUpdateSet(linha))
      .execute(),
  )
}

/** Changes a session, unless somebody wrote other cookies meanwhile: then false. */
export async function updateSessao(
  { kysely }: Db,
  { nome, versao }: Pick<SessoesTable, 'nome' | 'versao'>,
  values: Partial<LinhaDaSessao>,
): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable('sessoes')
    .set(values)
    .where('nome', '=', nome)
    .where('versao', '=', versao)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes a session. Whether there was one. */
export async function deleteSessao({ kysely }: Db, nome: string): Promise<boolean> {
  const { numDeletedRows } = await kysely.deleteFrom('sessoes').where('nome', '=', nome).executeTakeFirst()
  return numDeletedRows > 0n
}
