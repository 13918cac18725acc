import { randomBytes, randomUUID } from 'node:crypto'
import type { Db } from './db.ts'

/** Whether commits reach the disk. A database on a full disk still answers queries. */
export type CommitHealth = {
  /** Runs a commit, and notes it where it fails. */
  watch: <T>(commit: () => Promise<T>) => Promise<T>
  /** False after a failed commit, until a trial commit succeeds. Trials run at most once a second. */
  ok: () => Promise<boolean>
}

const PROBE_MS = 1_000
/** Larger than the free room that a page may have left. */
const FILLER_BYTES = 16 * 1024

/** Opens the watch over a database's commits. */
export function openCommitHealth(db: Db): CommitHealth {
  let failing = false
  let last = Number.NEGATIVE_INFINITY
  let probing: Promise<void> | undefined

  async function look(): Promise<void> {
    last = performance.now()
    failing = await commitFiller(db).then(
      () => false,
      () => true,
    )
    probing = undefined
  }

  return {
    watch: async (commit) => {
      try {
        return await commit()
      } catch (error) {
        failing = true
        throw error
      }
    },
    ok: async () => {
      if (failing && performance.now() - last > PROBE_MS) probing ??= look()
      await probing
      return !failing
    },
  }
}

/** Commits a row that needs new room on the disk, and leaves nothing behind. */
async function commitFiller(db: Db): Promise<void> {
  const id = randomUUID()
  await db.kysely.transaction().execute(async (trx) => {
    // Random bytes. PostgreSQL would compress any others to nothing.
    await trx
      .insertInto('sonda')
      .values({ id, enchimento: randomBytes(FILLER_BYTES).toString('base64') })
      .execute()
    await trx.deleteFrom('sonda').where('id', '=', id).execute()
  })
}
