import type { Db } from '../platform/db/db.ts'
import { deleteInBatches } from '../platform/db/queries.ts'
import type { AcessosTable } from '../platform/db/tables.ts'

/** The row of a login that has not ended, by its id or by the hash of its token. */
export const selectAcesso = (
  { kysely }: Db,
  coluna: 'id' | 'hash',
  valor: string,
  instante: number,
): Promise<AcessosTable | undefined> =>
  kysely
    .selectFrom('acessos')
    .selectAll()
    .where(coluna, '=', valor)
    .where('expira_em', '>', instante)
    .executeTakeFirst()

/** Every login of an account that has not ended: the one seen last comes first. */
export const selectAcessos = ({ kysely }: Db, conta_id: string, instante: number): Promise<AcessosTable[]> =>
  kysely
    .selectFrom('acessos')
    .selectAll()
    .where('conta_id', '=', conta_id)
    .where('expira_em', '>', instante)
    .orderBy('visto_em', 'desc')
    .orderBy('id')
    .execute()

/** Writes a login. With the stored password that proved it: false, and no row, where another is stored. */
export const insertAcesso = ({ kysely }: Db, linha: AcessosTable, senha_hash?: string): Promise<boolean> =>
  kysely.transaction().execute(async (trx) => {
    if (senha_hash !== undefined) {
      // Locks the account's row, as a new password does: that one ends this login, or was there before it.
      const { numUpdatedRows } = await trx
        .updateTable('contas')
        .set((set) => ({ senha_em: set.ref('senha_em') }))
        .where('id', '=', linha.conta_id)
        .where('senha_hash', '=', senha_hash)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
    }
    await trx.insertInto('acessos').values(linha).execute()
    return true
  })

const HOUR_MS = 3_600_000
/** How long a login lives: a session of the dashboard without use, the tokens of the API in all. */
export const VIDA_MS = { painel: 7 * 24 * HOUR_MS, api: HOUR_MS } as const
/** How long a session of the dashboard lives however much it is used. */
const MAIOR_VIDA_MS = 30 * 24 * HOUR_MS
/** How exactly the last use is noted. */
const TOUCH_MS = 60_000

type Usado = Pick<AcessosTable, 'id' | 'tipo' | 'criado_em' | 'visto_em' | 'expira_em'>

/** Notes that a login was used. A session of the dashboard then lives longer. */
export async function notarUso({ kysely }: Db, linha: Usado, instante: number): Promise<void> {
  if (instante - linha.visto_em < TOUCH_MS) return
  const longer = Math.min(instante + VIDA_MS.painel, linha.criado_em + MAIOR_VIDA_MS)
  const expira_em = linha.tipo === 'painel' ? longer : linha.expira_em
  await kysely
    .updateTable('acessos')
    .set({ visto_em: instante, expira_em })
    .where('id', '=', linha.id)
    .execute()
}

/** Deletes the logins that are over; how many. */
export const deleteEncerrados = ({ kysely }: Db, instante: number): Promise<number> =>
  deleteInBatches(500, async (size) => {
    const { numDeletedRows } = await kysely
      .deleteFrom('acessos')
      .where('id', 'in', (from) =>
        from.selectFrom('acessos').select('id').where('expira_em', '<=', instante).limit(size),
      )
      .executeTakeFirst()
    return Number(numDeletedRows)
  })

/** Ends the logins of an account but for the `most` that were seen last. */
export async function deleteExcesso({ kysely }: Db, conta_id: string, most: number): Promise<void> {
  await kysely
    .deleteFrom('acessos')
    .where('conta_id', '=', conta_id)
    .where('id', 'not in', (from) =>
      from
        .selectFrom('acessos')
        .select('id')
        .where('conta_id', '=', conta_id)
        .orderBy('visto_em', 'desc')
        .orderBy('criado_em', 'desc')
        .orderBy('id')
        .limit(most),
    )
    .execute()
}

/** Ends one login of an account, or all of them but one. Returns how many. */
export async function deleteAcessos(
  { kysely }: Pick<Db, 'kysely'>,
  conta_id: string,
  which: { id: string } | { menos: string },
): Promise<number> {
  const { numDeletedRows } = await kysely
    .deleteFrom('acessos')
    .where('conta_id', '=', conta_id)
    .where('id', 'id' in which ? '=' : '<>', 'id' in which ? which.id : which.menos)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
