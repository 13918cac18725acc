import { type Conta, createConta } from '../../src/contas/store-contas.ts'
import type { Db } from '../../src/platform/db/db.ts'
import type { NomePlano } from '../../src/platform/ledger/rules.ts'
import { NOW } from './basics.ts'

let accounts = 0

/** Makes an account, with an e-mail that no other has. Benches call it too, so it loads no hook of tests. */
export async function newConta(db: Db, plano: NomePlano = 'lite', now = NOW): Promise<Conta> {
  accounts += 1
  const email = `conta-${process.pid}-${accounts}@exemplo.test`
  const conta = await createConta(db, { nome: 'Teste', email, plano, now })
  if (!conta) throw new Error(`${email} has an account`)
  return conta
}
