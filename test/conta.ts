import assert from 'node:assert/strict'
import type { Conta } from '../src/contas/conta.ts'
import { createConta } from '../src/contas/registrar.ts'
import type { NomePlano } from '../src/domain/credito/planos.ts'
import type { Db } from '../src/store/db/db.ts'

let accounts = 0

/** Makes an account on `plano` at `now`, with an e-mail that no other account has. */
export async function newConta(db: Db, plano: NomePlano, now: Date): Promise<Conta> {
  accounts += 1
  const email = `conta-${process.pid}-${accounts}@exemplo.test`
  const conta = await createConta(db, { nome: 'Teste', email, plano, now })
  assert.ok(conta)
  return conta
}
