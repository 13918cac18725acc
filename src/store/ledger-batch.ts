import type { Transaction } from 'kysely'
import { periodoOf } from '../domain/periodo.ts'
import { isConnectionLost } from './connection-lost.ts'
import type { Db } from './db.ts'
import { apply, type Book, type ContaAberta, type Order, type Outcome } from './ledger-book.ts'
import { prepareStatements, run, type Statements, writeBook } from './ledger-statements.ts'
import type { Tables } from './tables.ts'

type Trx = Transaction<Tables>

/** Commits a group of orders in one transaction, all or nothing; the outcomes come in their order, after the commit. */
export type Batch = (orders: readonly Order[]) => Promise<Outcome[]>

/** The connection was lost while the commit was on its way: whether it happened is only known by asking again. */
export class CommitUnknown extends Error {
  override name = 'CommitUnknown'
}

/**
 * The transaction of the ledger: lock the balances, read what the requests have recorded, decide in memory, write. It
 * may be repeated at will: what was recorded before is recognised by its request. Throws CommitUnknown when only a
 * repetition can tell.
 */
export function openBatch(db: Db, { no, now }: { no: string; now: () => Date }): Batch {
  const statements = prepareStatements(db)
  return async (orders) => {
    const instant = now()
    let written = false
    const transaction = db.kysely.transaction().execute(async (trx) => {
      const book = await readBook(trx, statements, orders, periodoOf(instant))
      const outcomes = orders.map((order) => apply(book, order))
      await writeBook(trx, statements, book, { no, instant: instant.getTime() })
      for (const order of orders) if (order.kind === 'plan') await writePlano(trx, order)
      written = true
      return outcomes
    })
    return transaction.catch((error) => {
      throw written && isConnectionLost(error) ? new CommitUnknown(error.message, { cause: error }) : error
    })
  }
}

async function readBook(
  trx: Trx,
  from: Statements,
  orders: readonly Order[],
  periodo: string,
): Promise<Book> {
  const contas = [...new Set(orders.map(({ conta_id }) => conta_id))].map((id) => [id])
  const requests = orders.flatMap((order) => ('request_id' in order ? [[order.request_id]] : []))
  const settles = orders.some(({ kind }) => kind === 'settle' || kind === 'release')
  const [saldos, entries, open] = await Promise.all([
    run(trx, from.lock, contas),
    run(trx, from.recorded, requests),
    settles ? run(trx, from.open, requests) : [],
  ])
  return {
    periodo,
    contas: new Map(saldos.map(({ conta_id, ...row }) => [conta_id, toConta(row)])),
    recorded: new Set(entries.map(({ tipo, request_id }) => `${tipo}:${request_id}`)),
    open: new Map(open.map(({ request_id, ...held }) => [request_id, held])),
    entries: [],
    held: new Map(),
    closed: [],
  }
}

type SaldoRow = Omit<ContaAberta, 'saldo' | 'changed'> & { cota: number; extra: number; periodo: string }

const toConta = ({ cota, extra, periodo, concedida, plano }: SaldoRow): ContaAberta => ({
  saldo: { cota, extra, periodo },
  concedida,
  plano,
  changed: false,
})

async function writePlano(trx: Trx, { conta_id, plano }: Order & { kind: 'plan' }): Promise<void> {
  await trx.updateTable('contas').set({ plano }).where('id', '=', conta_id).execute()
}
