import { type Conta, createConta } from '../src/contas/store-contas.ts'
import type { Db } from '../src/platform/db/db.ts'
import type { NomePlano } from '../src/platform/ledger/rules.ts'

let accounts = 0

/** Makes an account on `plano` at `now`, with an e-mail that no other account has. */
export async function newConta(db: Db, plano: NomePlano, now: Date): Promise<Conta> {
  accounts += 1
  const email = `conta-${process.pid}-${accounts}@exemplo.test`
  const conta = await createConta(db, { nome: 'Teste', email, plano, now })
  if (!conta) throw new Error(`${email} has an account`)
  return conta
}
