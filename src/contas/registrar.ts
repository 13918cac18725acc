import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { periodoOf } from '../documento/dia.ts'
import type { Db } from '../platform/db/db.ts'
import { StoreError } from '../platform/db/outage.ts'
import type { Tables } from '../platform/db/tables.ts'
import { renewalId } from '../platform/ledger/book.ts'
import { type NomePlano, planos } from '../platform/ledger/rules.ts'
import type { Conta } from './conta.ts'
import { normalizarEmail, OPERADOR } from './rules.ts'

export type NovaConta = { nome: string; email: string; plano: NomePlano; now: Date }

/** How its owner signed up; null where the operator made it. */
type Cadastrada = { senha_hash: string | null; confirmado: boolean }

/**
 * Makes an account with the month's quota of its plan; undefined if another account has the e-mail. Throws
 * StoreError for an empty name and for a text that is no e-mail.
 */
export async function createConta(db: Db, { nome, email, ...nova }: NovaConta): Promise<Conta | undefined> {
  const dito = nome.trim()
  if (dito === '') throw new StoreError('O nome da conta está vazio.')
  const normal = normalizarEmail(email)
  if (normal === undefined) throw new StoreError(`"${email}" não é um e-mail.`)
  const conta = { ...nova, nome: dito, email: normal, senha_hash: null, confirmado: false }
  return db.kysely.transaction().execute((trx) => insertConta(trx, conta))
}

/**
 * Makes an account as `createConta` does, in a transaction. Its name and its e-mail are good and normal.
 */
export async function insertConta(
  trx: Transaction<Tables>,
  { nome, email, plano, now, senha_hash, confirmado }: NovaConta & Cadastrada,
): Promise<Conta | undefined> {
  const id = randomUUID()
  const criado_em = now.getTime()
  const periodo = periodoOf(now)
  const request_id = renewalId(id, periodo)
  const cota = planos[plano].creditos
  const made = await trx
    .insertInto('contas')
    .values({
      id,
      nome,
      email,
      plano,
      criada_em: criado_em,
      preco_exclusivo: 0,
      senha_hash,
      senha_em: senha_hash === null ? null : criado_em,
      email_confirmado_em: confirmado ? criado_em : null,
    })
    .onConflict((on) => on.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return undefined
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
      criado_em,
      no: OPERADOR,
      anterior_request: '',
      anterior_tipo: '',
    })
    .execute()
  return { id, nome, email, plano, criada_em: now, preco_exclusivo: false, preco_xml: '', bloqueio: null }
}
