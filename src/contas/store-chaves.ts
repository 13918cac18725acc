import { randomBytes, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../platform/db/db.ts'
import { StoreError } from '../platform/db/outage.ts'
import { prepareFirst, transact, transactAll } from '../platform/db/queries.ts'
import type { Tables } from '../platform/db/tables.ts'
import type { ContaAutenticada } from '../platform/ledger/rules.ts'
import { decryptKey, encryptKey, hashOf } from '../platform/secrets.ts'
import { API_KEY_BYTES, formatApiKey } from './rules.ts'
import { noteUso } from './store-acessos.ts'

/** Finds the account of a key, or of an access token: what was read is good for five seconds. */
export type KeyCache = {
  /** The account of a key that was read within these seconds, without a question to the database. */
  seen: (key: string) => ContaAutenticada | undefined
  /**
   * The account, or undefined for a key that is malformed, unknown or revoked: all take the same way. Rejects
   * with StoreError where the database is away.
   */
  find: (key: string) => ContaAutenticada | undefined | Promise<ContaAutenticada | undefined>
  /** Whether the key was valid when it was last looked at, however long ago. */
  knows: (key: string) => boolean
  /** Forgets a key that this node knows to have ended. Other nodes follow in five seconds. */
  forget: (key: string) => void
}

type Known = { conta: ContaAutenticada; since: number; until: number }

const FRESH_MS = 5_000

type Options = { now: () => Date; max?: number }

export const openKeyCache = (db: Db, options: Options): KeyCache =>
  openAccountCache(prepareSelectKey(db), options)

/** Keeps for five seconds: in that time a revocation, a block or a change of plan reaches every node. */
function openAccountCache(select: SelectAccount, { now, max = 10_000 }: Options): KeyCache {
  const known = new LRUCache<string, Known>({ max })
  const loading = new Map<string, Promise<ContaAutenticada | undefined>>()

  async function load(key: string): Promise<ContaAutenticada | undefined> {
    const since = now().getTime()
    const found = await select(key, since)
    if (!found) {
      known.delete(key)
      return undefined
    }
    known.set(key, { conta: found.conta, since, until: Math.min(since + FRESH_MS, found.expira_em) })
    return found.conta
  }

  function seen(key: string): ContaAutenticada | undefined {
    // A key in use is read, and so set, every five seconds: that keeps its place.
    const hit = known.peek(key)
    if (!hit) return undefined
    const instant = now().getTime()
    // A clock that went back must not keep a key alive: both ends are checked.
    return instant >= hit.since && instant < hit.until ? hit.conta : undefined
  }

  return {
    seen,
    knows: (key) => known.has(key),
    forget: (key) => void known.delete(key),
    find: (key) => {
      const hit = seen(key)
      if (hit) return hit
      const shared = loading.get(key)
      if (shared) return shared
      const query = load(key).finally(() => loading.delete(key))
      loading.set(key, query)
      return query
    },
  }
}

export type SelectAccount = (
  key: string,
  instant: number,
) => Promise<{ conta: ContaAutenticada; expira_em: number } | undefined>

/** Compiles the statement once: each account's first call in five seconds runs it. */
function prepareSelectKey(db: Db): SelectAccount {
  const select = prepareFirst(
    db,
    db.kysely
      .selectFrom('chaves')
      .innerJoin('contas', 'contas.id', 'chaves.conta_id')
      .select(['contas.id', 'contas.plano', 'contas.preco_exclusivo', 'chaves.expira_em'])
      .select(['contas.bloqueada_em', 'contas.motivo_bloqueio'])
      .where('chaves.hash', '=', '')
      .where((where) => where.or([where('chaves.expira_em', 'is', null), where('chaves.expira_em', '>', 0)]))
      .compile(),
  )
  return async (key, instant) => {
    const row = await select(hashOf(key), instant)
    if (!row) return undefined
    return { conta: toAutenticada(row), expira_em: row.expira_em ?? Number.POSITIVE_INFINITY }
  }
}

type Row = Pick<ContaAutenticada, 'id' | 'plano'> & {
  preco_exclusivo: number
  bloqueada_em: number | null
  motivo_bloqueio: string | null
}

const toAutenticada = (row: Row): ContaAutenticada => ({
  id: row.id,
  plano: row.plano,
  preco_exclusivo: row.preco_exclusivo === 1,
  bloqueio: row.bloqueada_em === null ? undefined : (row.motivo_bloqueio ?? ''),
})

/** A login that was ended is refused on every node within five seconds. */
export const openLoginCache = (db: Db, { now }: { now: () => Date }): KeyCache =>
  openAccountCache(prepareSelectLogin(db), { now })

function prepareSelectLogin(db: Db): SelectAccount {
  const select = prepareFirst(
    db,
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
    await noteUso(db, { ...row, id: acesso }, instant)
    return { conta: toAutenticada(row), expira_em: row.expira_em }
  }
}

const HOUR_MS = 3_600_000
const MAX_GRACE_HOURS = 24

export const newKey = (): string => formatApiKey(randomBytes(API_KEY_BYTES))

/** The key before ends at once or after `carenciaHoras` (0 to 24; StoreError for another number). */
export async function issueKey(
  db: Db,
  secret: string,
  conta_id: string,
  { carenciaHoras = 0, now }: { carenciaHoras?: number; now: Date },
): Promise<string> {
  if (!(carenciaHoras >= 0 && carenciaHoras <= MAX_GRACE_HOURS))
    throw new StoreError(`A carência vai de 0 a ${MAX_GRACE_HOURS} horas.`)
  const key = newKey()
  const { kysely } = db
  await transactAll(db, [
    ...endKeys(kysely, conta_id, now.getTime() + carenciaHoras * HOUR_MS).map((one) => one.compile()),
    insertKey(kysely, secret, conta_id, key, now).compile(),
  ])
  return key
}

/** Undefined if the account has none. Throws StoreError if the secret changed. */
export async function revealKey(db: Db, secret: string, conta_id: string): Promise<string | undefined> {
  const row = await db.kysely
    .selectFrom('chaves')
    .select('cifrada')
    .where('conta_id', '=', conta_id)
    .where('expira_em', 'is', null)
    .executeTakeFirst()
  return row && decryptKey(secret, conta_id, row.cifrada)
}

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

/** Throws StoreError for a key of another account, and for a revoked one: a restart never revives it. */
export async function importKey(
  db: Db,
  secret: string,
  conta_id: string,
  key: string,
  now: Date,
): Promise<void> {
  await transact(db, async (trx) => {
    await lockConta(trx, conta_id).execute()
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
    for (const statement of endKeys(trx, conta_id, now.getTime())) await statement.execute()
    await insertKey(trx, secret, conta_id, key, now).execute()
  })
}

/** The keys end for one caller at a time. */
const endKeys = (db: Kysely<Tables>, conta_id: string, instant: number) =>
  [
    lockConta(db, conta_id),
    db
      .updateTable('chaves')
      .set({ expira_em: instant })
      .where('conta_id', '=', conta_id)
      .where((where) => where.or([where('expira_em', 'is', null), where('expira_em', '>', instant)])),
  ] as const

export const insertKey = (db: Kysely<Tables>, secret: string, conta_id: string, key: string, now: Date) =>
  db.insertInto('chaves').values({
    id: randomUUID(),
    conta_id,
    hash: hashOf(key),
    cifrada: encryptKey(secret, conta_id, key),
    criada_em: now.getTime(),
    expira_em: null,
  })

/** One caller at a time: an update that changes nothing locks the account's row on both databases. */
const lockConta = (db: Kysely<Tables>, conta_id: string) =>
  db
    .updateTable('contas')
    .set((set) => ({ nome: set.ref('nome') }))
    .where('id', '=', conta_id)
