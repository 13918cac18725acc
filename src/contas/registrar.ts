import { randomUUID } from 'node:crypto'
import { periodoOf } from '../domain/credito/periodo.ts'
import { type NomePlano, planos } from '../domain/credito/planos.ts'
import type { Db } from '../store/db/db.ts'
import { StoreError } from '../store/db/store-error.ts'
import { renewalId } from '../store/ledger/book.ts'
import type { Conta } from './conta.ts'
import { OPERADOR } from './plano.ts'

export type NovaConta = { nome: string; email: string; plano: NomePlano; now: Date }

/**
 * Makes an account with the month's quota of its plan; undefined if another account has the e-mail. Throws
 * StoreError for an empty name and for a text that is no e-mail.
 */
export async function createConta(
  db: Db,
  { nome, email, plano, now }: NovaConta,
): Promise<Conta | undefined> {
  const id = randomUUID()
  const conta = { id, nome: nome.trim(), email: normalizeEmail(email), plano, criada_em: now.getTime() }
  if (conta.nome === '') throw new StoreError('O nome da conta está vazio.')
  const periodo = periodoOf(now)
  const request_id = renewalId(id, periodo)
  const cota = planos[plano].creditos
  const isNew = await db.kysely.transaction().execute(async (trx) => {
    const made = await trx
      .insertInto('contas')
      .values({ ...conta, preco_exclusivo: 0 })
      .onConflict((on) => on.column('email').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) return false
    await trx
      .insertInto('saldos')
      .values({
        conta_id: id,
        cota,
        extra: 0,
        periodo,
        concedida: cota,
        ultimo_request: request_id,
        ultimo_tipo: 'renewal',
      })
      .execute()
    await trx
      .insertInto('lancamentos')
      .values({
        conta_id: id,
        request_id,
        tipo: 'renewal',
        creditos: cota,
        cota,
        extra: 0,
        endpoint: '',
        criado_em: conta.criada_em,
        no: OPERADOR,
        anterior_request: '',
        anterior_tipo: '',
      })
      .execute()
    return true
  })
  if (!isNew) return undefined
  return { ...conta, preco_exclusivo: false, preco_xml: '', criada_em: now, bloqueio: null }
}

function normalizeEmail(email: string): string {
  const normal = email.trim().toLowerCase()
  if (!/^[^\s@]+@[^\s@]+$/.test(normal)) throw new StoreError(`"${email}" não é um e-mail.`)
  return normal
}
