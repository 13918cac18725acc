import { randomBytes, randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../platform/db/db.ts'
import { StoreError } from '../platform/db/outage.ts'
import { isListed, prepareRows, transact, transactAll } from '../platform/db/queries.ts'
import type { Tables } from '../platform/db/tables.ts'
import type { ContaAutenticada } from '../platform/ledger/rules.ts'
import { decryptKey, encryptKey, hashOf } from '../platform/secrets.ts'
import { API_KEY_BYTES, formatApiKey } from './rules.ts'
import { noteUso } from './store-acessos.ts'

/** Finds the account of a key, or of an access token: what was read is good for five seconds. */
export type KeyCache = {
  /** The account of a key that was read within these seconds. It waits for no question to the database. */
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

const FRESH_MS = 5_000
/** From this age on, a call looks a key up again for those after it, and does not wait. */
const AGING_MS = 4_000

type Options = { now: () => Date; max?: number }

export const openKeyCache = (db: Db, options: Options): KeyCache =>
  openAccountCache({ select: prepareSelectKeys(db), nameOf: hashOf }, options)

/** A login that was ended is refused on every node within five seconds. */
export const openLoginCache = (db: Db, options: Options): KeyCache =>
  openAccountCache({ select: prepareSelectLogins(db), nameOf: (acesso) => acesso }, options)

/** How the database names a key, and which of some keys are valid at an instant. */
type Source = {
  nameOf: (key: string) => string
  select: (names: readonly string[], instant: number) => Promise<Row[]>
}

/** Keeps for five seconds: in that time a revocation, a block or a change of plan reaches every node. */
function openAccountCache({ nameOf, select }: Source, { now, max = 10_000 }: Options): KeyCache {
  const known = new LRUCache<string, { conta: ContaAutenticada; since: number; until: number }>({ max })
  const loading = new Map<string, Promise<ContaAutenticada | undefined>>()
  let names: string[] = []
  let found: Promise<Map<string, Row>> | undefined

  // One question for all of a turn: under load a thousand keys come due within a moment.
  async function ask(): Promise<Map<string, Row>> {
    await nextTurn()
    const rows = select(names, now().getTime())
    names = []
    found = undefined
    return new Map((await rows).map((row) => [row.nome, row]))
  }

  async function look(name: string): Promise<Row | undefined> {
    names.push(name)
    found ??= ask()
    return (await found).get(name)
  }

  function load(key: string): Promise<ContaAutenticada | undefined> {
    const since = now().getTime()
    const query = look(nameOf(key))
      .then((row) => {
        const conta = row && toAutenticada(row)
        // What was forgotten meanwhile may have been read before its end.
        if (loading.get(key) !== query) return conta
        const until = Math.min(since + FRESH_MS, row?.expira_em ?? Number.POSITIVE_INFINITY)
        if (conta) known.set(key, { conta, since, until })
        else known.delete(key)
        return conta
      })
      .finally(() => loading.get(key) === query && loading.delete(key))
    loading.set(key, query)
    return query
  }

  function seen(key: string): ContaAutenticada | undefined {
    // A key in use is read, and so set, every few seconds: that keeps its place.
    const hit = known.peek(key)
    if (!hit) return undefined
    const instant = now().getTime()
    // A clock that went back must not keep a key alive: both ends are checked.
    if (instant < hit.since || instant >= hit.until) return undefined
    if (instant >= hit.since + AGING_MS && !loading.has(key)) load(key).catch(() => {})
    return hit.conta
  }

  return {
    seen,
    knows: (key) => known.has(key),
    forget: (key) => {
      known.delete(key)
      loading.delete(key)
    },
    find: (key) => seen(key) ?? loading.get(key) ?? load(key),
  }
}

type Row = Pick<ContaAutenticada, 'id' | 'plano'> & {
  nome: string
  preco_exclusivo: number
  bloqueada_em: number | null
  motivo_bloqueio: string | null
  expira_em: number | null
}

const toAutenticada = (row: Row): ContaAutenticada => ({
  id: row.id,
  plano: row.plano,
  preco_exclusivo: row.preco_exclusivo === 1,
  bloqueio: row.bloqueada_em === null ? undefined : (row.motivo_bloqueio ?? ''),
})

const prepareSelectKeys = (db: Db): Source['select'] =>
  prepareRows(
    db,
    db.kysely
      .selectFrom('chaves')
      .innerJoin('contas', 'contas.id', 'chaves.conta_id')
      .select(['chaves.hash as nome', 'contas.id', 'contas.plano', 'contas.preco_exclusivo'])
      .select(['contas.bloqueada_em', 'contas.motivo_bloqueio', 'chaves.expira_em'])
      .where(isListed(db, 'chaves.hash'))
      .where((where) => where.or([where('chaves.expira_em', 'is', null), where('chaves.expira_em', '>', 0)]))
      .compile(),
  )

function prepareSelectLogins(db: Db): Source['select'] {
  const select = prepareRows(
    db,
    db.kysely
      .selectFrom('acessos')
      .innerJoin('contas', 'contas.id', 'acessos.conta_id')
      .select(['acessos.id as nome', 'acessos.tipo', 'acessos.criado_em', 'acessos.visto_em'])
      .select(['contas.id', 'contas.plano', 'contas.preco_exclusivo', 'acessos.expira_em'])
      .select(['contas.bloqueada_em', 'contas.motivo_bloqueio'])
      .where(isListed(db, 'acessos.id'))
      .where('acessos.expira_em', '>', 0)
      .compile(),
  )
  return async (acessos, instant) => {
    const rows = await select(acessos, instant)
    // Nobody waits for what one of them writes: if it fails, the next look does it.
    for (const row of rows) noteUso(db, { ...row, id: row.nome }, instant).catch(() => {})
    return rows
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
