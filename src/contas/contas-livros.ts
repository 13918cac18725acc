import type { Db } from '../platform/db/db.ts'
import { StoreError } from '../platform/db/outage.ts'
import type { Ledger } from '../platform/ledger/ledger.ts'
import { type Conta, findContaByEmail } from './conta.ts'

/** The open books. `close` ends them. */
export type Livros = { db: Db; secret: string; ledger: Ledger; close: () => Promise<void> }

/** What the commands of accounts need: the books, open for one piece of work, and the clock. */
export type ComLivros = {
  using: <T>(work: (livros: Livros) => Promise<T>) => Promise<T>
  now: () => Date
}

/** The account of an e-mail. Throws StoreError if there is none. */
export async function contaOf(db: Db, email: string): Promise<Conta> {
  const found = await findContaByEmail(db, email)
  if (!found) throw new StoreError(`Não há conta com o e-mail ${email}. Veja "fiscal contas listar".`)
  return found
}
