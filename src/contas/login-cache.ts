import type { Db } from '../platform/db/db.ts'
import { prepareFirst } from '../platform/db/queries.ts'
import { notarUso } from './io.ts'
import { type KeyCache, openAccountCache, type SelectAccount, toAutenticada } from './store-chaves.ts'

/**
 * The accounts of logins, by the login's id: as those of keys, looked at again after five seconds. A login
 * that was ended is refused on every node in that time.
 */
export const openLoginCache = (db: Db, { now }: { now: () => Date }): KeyCache =>
  openAccountCache(prepareSelectLogin(db), { now })

/** Compiles the statement once: each login's first call in five seconds runs it. */
function prepareSelectLogin(db: Db): SelectAccount {
  const select = prepareFirst(
    db.kysely,
    db.kysely
      .selectFrom('acessos')
      .innerJoin('contas', 'contas.id', 'acessos.conta_id')
      .select(['acessos.tipo', 'acessos.criado_em', 'acessos.visto_em', 'acessos.expira_em'])
      .select(['contas.id', 'contas.plano', 'contas.preco_exclusivo'])
      .select(['contas.bloqueada_em', 'contas.motivo_bloqueio'])
      .where('acessos.id', '=', '')
      .where('acessos.expira_em', '>', 0)
      .compile(),
  )
  return async (acesso, instant) => {
    const row = await select(acesso, instant)
    if (!row) return undefined
    await notarUso(db, { ...row, id: acesso }, instant)
    return { conta: toAutenticada(row), expira_em: row.expira_em }
  }
}
