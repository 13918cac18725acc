import { randomBytes, randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Db } from '../platform/db/db.ts'
import { StoreError } from '../platform/db/outage.ts'
import type { Tables } from '../platform/db/tables.ts'
import { decryptKey, encryptKey, hashOf } from '../platform/secrets.ts'
import { API_KEY_BYTES, formatApiKey } from './rules.ts'

const HOUR_MS = 3_600_000
const MAX_GRACE_HOURS = 24

/** A new key. No account has it yet. */
export const newKey = (): string => formatApiKey(randomBytes(API_KEY_BYTES))

/**
 * Gives the account a new key and returns it. The one before ends at once or after `carenciaHoras` (0 to 24;
 * StoreError for another number).
 */
export async function issueKey(
  db: Db,
  secret: string,
  conta_id: string,
  { carenciaHoras = 0, now }: { carenciaHoras?: number; now: Date },
): Promise<string> {
  if (!(carenciaHoras >= 0 && carenciaHoras <= MAX_GRACE_HOURS))
    throw new StoreError(`A carência vai de 0 a ${MAX_GRACE_HOURS} horas.`)
  const key = newKey()
  await db.kysely.transaction().execute(async (trx) => {
    await endKeys(trx, conta_id, now.getTime() + carenciaHoras * HOUR_MS)
    await insertKey(trx, secret, conta_id, key, now)
  })
  return key
}

/**
 * The text of the account's current key, for its owner; undefined if it has none. Throws StoreError if the
 * secret changed.
 */
export async function revealKey(db: Db, secret: string, conta_id: string): Promise<string | undefined> {
  const row = await db.kysely
    .selectFrom('chaves')
    .select('cifrada')
    .where('conta_id', '=', conta_id)
    .where('expira_em', 'is', null)
    .executeTakeFirst()
  return row && decryptKey(secret, conta_id, row.cifrada)
}

/** Ends at once the keys that are only good for a while. The current one stays. */
export async function endPreviousKeys(db: Db, conta_id: string, now: Date): Promise<void> {
  await db.kysely
    .updateTable('chaves')
    .set({ expira_em: now.getTime() })
    .where('conta_id', '=', conta_id)
    .where('expira_em', '>', now.getTime())
    .execute()
}

/** The keys that an account ever had: how many, since when the current one, until when the one before it. */
export async function countKeys(
  db: Db,
  conta_id: string,
): Promise<{ total: number; atual_desde: Date | null; anterior_ate: Date | null }> {
  const { total, criada_em, expira_em } = await db.kysely
    .selectFrom('chaves')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.max('criada_em').filterWhere('expira_em', 'is', null).as('criada_em'),
      fn.max('expira_em').as('expira_em'),
    ])
    .where('conta_id', '=', conta_id)
    .executeTakeFirstOrThrow()
  const instant = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))
  return { total, atual_desde: instant(criada_em), anterior_ate: instant(expira_em) }
}

/**
 * Makes a key of the operator's choice the account's current one, unless it already is. Throws StoreError for
 * a key of another account, and for a revoked one: a restart never revives it.
 */
export async function importKey(
  db: Db,
  secret: string,
  conta_id: string,
  key: string,
  now: Date,
): Promise<void> {
  await db.kysely.transaction().execute(async (trx) => {
    await lockConta(trx, conta_id)
    const known = await trx
      .selectFrom('chaves')
      .select(['conta_id', 'expira_em'])
      .where('hash', '=', hashOf(key))
      .executeTakeFirst()
    if (known && known.conta_id !== conta_id) throw new StoreError('Essa chave de API já é de outra conta.')
    if (known && known.expira_em !== null)
      throw new StoreError(
        'Essa chave de API foi revogada e não volta a valer. Faça outra com "fiscal contas chave-nova".',
      )
    if (known) return
    await endKeys(trx, conta_id, now.getTime())
    await insertKey(trx, secret, conta_id, key, now)
  })
}

/** Ends the account's keys at `instant`, also those that would end later. */
async function endKeys(trx: Transaction<Tables>, conta_id: string, instant: number): Promise<void> {
  await lockConta(trx, conta_id)
  await trx
    .updateTable('chaves')
    .set({ expira_em: instant })
    .where('conta_id', '=', conta_id)
    .where((where) => where.or([where('expira_em', 'is', null), where('expira_em', '>', instant)]))
    .execute()
}

/** Gives an account a key, in a transaction. It has no other that is current. */
export async function insertKey(
  trx: Transaction<Tables>,
  secret: string,
  conta_id: string,
  key: string,
  now: Date,
): Promise<void> {
  const cifrada = encryptKey(secret, conta_id, key)
  await trx
    .insertInto('chaves')
    .values({
      id: randomUUID(),
      conta_id,
      hash: hashOf(key),
      cifrada,
      criada_em: now.getTime(),
      expira_em: null,
    })
    .execute()
}

/**
 * Lets one caller at a time work on an account. An update that changes nothing locks its row on both
 * databases.
 */
async function lockConta(trx: Transaction<Tables>, conta_id: string): Promise<void> {
  await trx
    .updateTable('contas')
    .set((set) => ({ nome: set.ref('nome') }))
    .where('id', '=', conta_id)
    .execute()
}

/** What the settings page says of an account besides its terms. */
export type AjustesDaConta = {
  senha_em: Date | null
  email_confirmado_em: Date | null
  chave: ChaveDaConta
  /** The newest call in its log, by whatever key or session; null where there is none. */
  ultima_chamada: Date | null
}

/** The account's key: its text is known, was sealed with another secret, or there is none. */
type ChaveDaConta = {
  texto: string | 'outro-segredo' | undefined
  desde: Date | null
  /** Until when the one before it is good; null where it ended, or there was none. */
  anterior_ate: Date | null
}

/** Reads the settings of an account. The text of its key is for its owner alone. */
export async function readAjustes(
  { db, secret }: { db: Db; secret: string },
  conta_id: string,
  now: Date,
): Promise<AjustesDaConta> {
  const [conta, texto, { atual_desde, anterior_ate }, ultima_chamada] = await Promise.all([
    db.kysely
      .selectFrom('contas')
      .select(['senha_em', 'email_confirmado_em'])
      .where('id', '=', conta_id)
      .executeTakeFirstOrThrow(),
    revealKey(db, secret, conta_id).catch(outroSegredo),
    countKeys(db, conta_id),
    lastCall(db, conta_id),
  ])
  const isGood = anterior_ate !== null && anterior_ate > now
  return {
    senha_em: instantOf(conta.senha_em),
    email_confirmado_em: instantOf(conta.email_confirmado_em),
    chave: { texto, desde: atual_desde, anterior_ate: isGood ? anterior_ate : null },
    ultima_chamada,
  }
}

const instantOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

function outroSegredo(error: unknown): 'outro-segredo' {
  if (error instanceof StoreError) return 'outro-segredo'
  throw error
}

/** By the index of the account's calls: one row is read. */
async function lastCall({ kysely }: Db, conta_id: string): Promise<Date | null> {
  const row = await kysely
    .selectFrom('usos')
    .select('criado_em')
    .where('conta_id', '=', conta_id)
    .orderBy('criado_em', 'desc')
    .limit(1)
    .executeTakeFirst()
  return instantOf(row?.criado_em ?? null)
}
