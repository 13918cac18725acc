import { randomBytes } from 'node:crypto'
import type { Db } from '../platform/db/db.ts'
import type { CodigosTable } from '../platform/db/tables.ts'
import { hashOf } from '../platform/secrets.ts'

type NovoCodigo = Pick<CodigosTable, 'tipo' | 'email'> &
  Partial<Pick<CodigosTable, 'conta_id' | 'plano' | 'dados'>> & { vidaMs: number; now: Date }

/** Makes a code that is good once. Only its hash is stored. */
export async function createCodigo(
  { kysely }: Db,
  { conta_id = null, plano = null, dados = null, vidaMs, now, ...novo }: NovoCodigo,
): Promise<string> {
  const codigo = randomBytes(24).toString('base64url')
  const criado_em = now.getTime()
  const vida = { criado_em, expira_em: criado_em + vidaMs, usado_em: null }
  await kysely
    .insertInto('codigos')
    .values({ ...novo, conta_id, plano, dados, hash: hashOf(codigo), ...vida })
    .execute()
  return codigo
}

export const findCodigo = (
  { kysely }: Db,
  tipo: CodigosTable['tipo'],
  codigo: string,
  now: Date,
): Promise<CodigosTable | undefined> =>
  kysely
    .selectFrom('codigos')
    .selectAll()
    .where('hash', '=', hashOf(codigo))
    .where('tipo', '=', tipo)
    .where('usado_em', 'is', null)
    .where('expira_em', '>', now.getTime())
    .executeTakeFirst()

/** Uses a code up, and returns its row: of two who use it at once, one gets it. */
export const spendCodigo = (
  kysely: Db['kysely'],
  { tipo, hash }: Pick<CodigosTable, 'tipo' | 'hash'>,
  now: Date,
): Promise<CodigosTable | undefined> =>
  kysely
    .updateTable('codigos')
    .set({ usado_em: now.getTime() })
    .where('hash', '=', hash)
    .where('tipo', '=', tipo)
    .where('usado_em', 'is', null)
    .where('expira_em', '>', now.getTime())
    .returningAll()
    .executeTakeFirst()

export const ultimosCodigos = (
  { kysely }: Db,
  tipo: CodigosTable['tipo'],
  email: string,
  now: Date,
): Promise<CodigosTable[]> =>
  kysely
    .selectFrom('codigos')
    .selectAll()
    .where('email', '=', email)
    .where('tipo', '=', tipo)
    .where('usado_em', 'is', null)
    .where('expira_em', '>', now.getTime())
    .orderBy('criado_em', 'desc')
    .orderBy('hash')
    .limit(2)
    .execute()
