import { type Insertable, type Kysely, sql } from 'kysely'
import type { CertidoesTable, Tables } from '../platform/db/tables.ts'

type Change = Partial<Omit<CertidoesTable, 'chave' | 'expira_em'>>

const EMPTY = {
  certidao: null,
  conferida_em: 0,
  emissao: null,
  emitida_em: 0,
  anunciada: null,
  andamento: null,
  recusa: null,
  recusada_em: 0,
}

/** The row of a key. */
export const selectRegistro = (on: Kysely<Tables>, chave: string): Promise<CertidoesTable | undefined> =>
  on.selectFrom('certidoes').selectAll().where('chave', '=', chave).executeTakeFirst()

/** Changes these columns of a key, whose row is made where there is none. It is kept until `ate` at least. */
export async function upsertRegistro(
  on: Kysely<Tables>,
  chave: string,
  { ate, ...change }: Change & { ate: number },
): Promise<void> {
  const row: Insertable<CertidoesTable> = { ...EMPTY, ...change, chave, expira_em: ate }
  await on
    .insertInto('certidoes')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('chave').doUpdateSet({
        ...change,
        expira_em: sql<number>`case when certidoes.expira_em > ${ate} then certidoes.expira_em else ${ate} end`,
      }),
    )
    .execute()
}

/** Ends the announcement of the issuance that made the certificate. */
export async function deleteAnuncio(on: Kysely<Tables>, chave: string): Promise<void> {
  await on
    .updateTable('certidoes')
    .set({ anunciada: null })
    .where('chave', '=', chave)
    .whereRef('anunciada', '=', 'emissao')
    .execute()
}
