import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from './db.ts'
import { within } from './within.ts'

/**
 * Whether commits reach the disk. A database on a full disk, or without its standby, still answers queries.
 */
export type CommitHealth = {
  /** Runs a write, and notes it where it fails. */
  watch: <T>(write: () => Promise<T>) => Promise<T>
  /** Runs a commit on the ledger's connection. One that succeeds proves that they go through. */
  commit: <T>(write: () => Promise<T>) => Promise<T>
  /**
   * Whether a commit went through on the ledger's connection, by a trial where none did in the last second;
   * false after two seconds without an answer. On the embedded database a trial follows a failure alone.
   */
  ok: () => Promise<boolean>
}

const PROBE_MS = 1_000
/** Larger than the free room that a page may have left. */
const FILLER_BYTES = 16 * 1024
/** What is written where nothing failed: each node does it once a second, if it is asked so often. */
const FEW_BYTES = 16

/** Opens the watch over a database's commits. */
export function openCommitHealth(db: Db): CommitHealth {
  const commitFiller = openFiller(db)
  let failing = false
  let proven = Number.NEGATIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  let trying: Promise<boolean> | undefined

  async function look(): Promise<boolean> {
    last = performance.now()
    try {
      await commitFiller(failing ? FILLER_BYTES : FEW_BYTES)
      failing = false
      proven = performance.now()
    } catch {
      failing = true
    }
    trying = undefined
    return !failing
  }

  const watch: CommitHealth['watch'] = async (write) => {
    try {
      return await write()
    } catch (error) {
      failing = true
      throw error
    }
  }

  /** Whether the last outcome may be out of date. */
  const isOld = (): boolean => {
    const now = performance.now()
    if (now - last <= PROBE_MS) return false
    return failing || (db.dialect === 'postgres' && now - proven > PROBE_MS)
  }

  return {
    watch,
    commit: async (write) => {
      const result = await watch(write)
      proven = performance.now()
      return result
    },
    ok: async () => {
      // A trial without an answer is one: who comes later does not wait for it as long again.
      if (trying && performance.now() - last > PROBE_MS) return false
      if (isOld()) trying ??= look()
      return trying ? within(trying) : !failing
    },
  }
}

/** Gives what commits a row on the ledger's connection, one that needs room on the disk, and deletes it. */
function openFiller(db: Db): (bytes: number) => Promise<void> {
  const { kysely } = db
  const begin = sql`begin`.compile(kysely)
  const insert = kysely.insertInto('sonda').values({ id: '', enchimento: '' }).compile()
  const remove = kysely.deleteFrom('sonda').where('id', '=', '').compile()
  const [commit, rollback] = [sql`commit`.compile(kysely), sql`rollback`.compile(kysely)]
  return (bytes) =>
    db.exclusive(async (query) => {
      const id = randomUUID()
      try {
        await query(begin, [])
        // Random bytes. PostgreSQL would compress any others to nothing.
        await query(insert, [id, randomBytes(bytes).toString('base64')])
        await query(remove, [id])
        await query(commit, [])
      } catch (error) {
        await query(rollback, []).catch(() => {})
        throw error
      }
    })
}
