import { periodoOf } from '../../documento/periodo.ts'
import type { CommitHealth } from '../db/commit-health.ts'
import type { Db } from '../db/db.ts'
import { DatabaseAway, isConnectionLost } from '../db/outage.ts'
import { apply, type Order, type Settlement } from './book.ts'
import { readBook, rollback, writeBook } from './io.ts'
import { prepareStatements } from './statements.ts'

/**
 * Commits a group of orders in one transaction, all or nothing. The outcomes come in their order, after the
 * commit.
 */
export type Batch = (orders: readonly Order[]) => Promise<Settlement[]>

/** The connection was lost during the commit. Only a repetition can tell whether it happened. */
export class CommitUnknown extends DatabaseAway {
  override name = 'CommitUnknown'
}

/**
 * The transaction of the ledger: lock the balances, read what the requests recorded, decide in memory, write.
 * It may be repeated, because a recorded order is known by its request; throws CommitUnknown as that class
 * says.
 */
export function openBatch(
  db: Db,
  { no, now, health }: { no: string; now: () => Date; health: CommitHealth },
): Batch {
  const statements = prepareStatements(db)
  const transact = (orders: readonly Order[]): Promise<Settlement[]> =>
    db.exclusive(async (query) => {
      const session = { query, dialect: db.dialect, statements }
      const instant = now()
      let sent = false
      try {
        const book = await readBook(session, orders, periodoOf(instant))
        const outcomes = orders.map((order) => apply(book, order))
        sent = true
        await writeBook(session, book, { no, instant: instant.getTime() })
        return outcomes
      } catch (error) {
        await rollback(session)
        throw sent && isConnectionLost(error) ? new CommitUnknown(error.cause, { lost: true }) : error
      }
    })
  return (orders) =>
    health.commit(async () => {
      const outcomes = await transact(orders)
      if (db.dialect === 'sqlite') await db.syncLog()
      return outcomes
    })
}
