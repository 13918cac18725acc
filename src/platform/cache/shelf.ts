import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { openGroupCommit } from '../db/commits.ts'
import type { Db } from '../db/db.ts'
import { prepareFirst, relaxed } from '../db/queries.ts'

type CacheRow = { chave: string; valor: string; expira_em: number }

type SelectValue = (chave: string, instant: number) => Promise<Omit<CacheRow, 'chave'> | undefined>

/** Compiles the statement once: a question that is not in memory runs it twice. */
const prepareSelectValue = ({ kysely }: Db): SelectValue =>
  prepareFirst(
    kysely,
    kysely
      .selectFrom('cache')
      .select(['valor', 'expira_em'])
      .where('chave', '=', '')
      .where('expira_em', '>', 0)
      .compile(),
  )

/** The last row of a key wins. Nobody waits for the disk: a cache may lose its last moment. */
async function upsertValues(db: Db, rows: readonly CacheRow[]): Promise<true[]> {
  const latest = [...new Map(rows.map((row) => [row.chave, row])).values()]
  await relaxed(db, (connection) =>
    connection
      .insertInto('cache')
      .values(latest)
      .onConflict((on) =>
        on.column('chave').doUpdateSet(({ ref }) => ({
          valor: ref('excluded.valor'),
          expira_em: ref('excluded.expira_em'),
        })),
      )
      .execute(),
  )
  return rows.map(() => true)
}

export type Kept = { value: unknown; since: string; until: number }

export type Shelf = {
  find: (key: string) => Promise<Kept | undefined>
  /** The same, past what this node remembers where another may have stored a newer one. */
  latest: (key: string) => Promise<Kept | undefined>
  keep: (key: string, kept: Kept) => Promise<void>
  forget: (key: string) => Promise<void>
  /** The name of the turn for a key in the database, where no document must stand. */
  turnoOf: (key: string) => string
  close: () => Promise<void>
}

export type ShelfOptions = {
  now: () => Date
  log: { error: (fields: object, message: string) => void }
  fonte: string
}

/** Entries (some 20 MB of registrations) and letters of their texts, because PDFs are large. */
const REMEMBERED = { max: 5_000, maxSize: 64 * 1024 * 1024 }

/**
 * How long a node believes its memory where another may have replaced the value. A key so costs one
 * read in five seconds.
 */
const BELIEVED_MS = 5_000

/** Part of the hash, so that two versions on one database never read each other's values. */
const SHAPE = '2'
const INSTANT = 24

type Remembered = Kept & { size: number; looked: number }

export function openShelf(db: Db, { now, log, fonte }: ShelfOptions): Shelf {
  const memory = new LRUCache<string, Remembered>({ ...REMEMBERED, sizeCalculation: ({ size }) => size })
  const selectValue = prepareSelectValue(db)
  const writes = openGroupCommit((rows: CacheRow[]) => upsertValues(db, rows))
  const chaveOf = (key: string): string => hash('sha256', `${SHAPE}:${fonte}:${key}`)
  const shared = db.dialect === 'postgres'

  function remember(key: string, kept: Kept, size: number): Remembered {
    const remembered = { ...kept, size, looked: now().getTime() }
    memory.set(key, remembered)
    return remembered
  }

  /** A clock that went back must not keep a value believed: both ends are checked. */
  function isSure({ looked }: Remembered): boolean {
    const sinceMs = now().getTime() - looked
    return !shared || (sinceMs >= 0 && sinceMs < BELIEVED_MS)
  }

  const ifGood = (kept: Kept): Kept | undefined => (now().getTime() < kept.until ? kept : undefined)

  async function read(key: string): Promise<Kept | undefined> {
    const before = memory.peek(key)
    const row = await selectValue(chaveOf(key), now().getTime())
    // While the database was read, a newer value may have been stored here.
    const after = memory.peek(key)
    if (after && after !== before) return ifGood(after)
    if (!row) {
      memory.delete(key)
      return undefined
    }
    const { valor, expira_em: until } = row
    const kept = { value: JSON.parse(valor.slice(INSTANT)), since: valor.slice(0, INSTANT), until }
    return remember(key, kept, valor.length)
  }

  async function find(key: string): Promise<Kept | undefined> {
    const known = memory.get(key)
    return known && isSure(known) ? ifGood(known) : read(key)
  }

  // No answer waits for the write: a lost value is asked for again.
  const write = async (key: string, valor: string, expira_em: number): Promise<void> => {
    await writes
      .add({ chave: chaveOf(key), valor, expira_em })
      .catch((err) => log.error({ err }, 'the cache could not be written'))
  }

  return {
    find,
    latest: shared ? read : find,
    keep: (key, kept) => {
      const valor = kept.since + JSON.stringify(kept.value)
      remember(key, kept, valor.length)
      return write(key, valor, kept.until)
    },
    forget: (key) => {
      remember(key, { value: undefined, since: '', until: 0 }, 1)
      return write(key, '', 0)
    },
    // Without the shape: a node of the version before has the same turn, and a note's event is sent once.
    turnoOf: (key) => `carga:${hash('sha256', `${fonte}:${key}`)}`,
    close: () => writes.close(),
  }
}
