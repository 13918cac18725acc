import { randomUUID } from 'node:crypto'
import { periodoOf } from '../../domain/credito/periodo.ts'
import { type NomePlano, planos } from '../../domain/credito/planos.ts'
import type { Saldo } from '../../domain/credito/saldo.ts'
import { openCommitHealth } from '../db/commit-health.ts'
import type { Db } from '../db/db.ts'
import { StoreError } from '../db/store-error.ts'
import { openBatch } from '../ledger/batch.ts'
import { renewalId } from '../ledger/book.ts'

/** Who writes entries that no server process writes: account commands. */
const OPERADOR = 'operador'

export type Conta = {
  id: string
  nome: string
  email: string
  plano: NomePlano
  preco_exclusivo: boolean
  criada_em: Date
}

export type NovaConta = { nome: string; email: string; plano: NomePlano; now: Date }

const columns = ['id', 'nome', 'email', 'plano', 'preco_exclusivo', 'criada_em'] as const

/** Makes an account with the month's quota of its plan. Throws StoreError for a wrong or taken e-mail. */
export async function createConta(db: Db, { nome, email, plano, now }: NovaConta): Promise<Conta> {
  const id = randomUUID()
  const conta = { id, nome: nome.trim(), email: normalizeEmail(email), plano, criada_em: now.getTime() }
  if (conta.nome === '') throw new StoreError('O nome da conta está vazio.')
  const periodo = periodoOf(now)
  const request_id = renewalId(id, periodo)
  const cota = planos[plano].creditos
  await db.kysely.transaction().execute(async (trx) => {
    const made = await trx
      .insertInto('contas')
      .values({ ...conta, preco_exclusivo: 0 })
      .onConflict((on) => on.column('email').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) throw new StoreError(`Já existe uma conta com o e-mail ${conta.email}.`)
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
  })
  return toConta({ ...conta, preco_exclusivo: 0 })
}

/** The account of an e-mail, in either case. */
export async function findContaByEmail(db: Db, email: string): Promise<Conta | undefined> {
  const row = await db.kysely
    .selectFrom('contas')
    .select(columns)
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
  return row && toConta(row)
}

/** Every account with the balance that the books show, by name. */
export async function listContas(
  db: Db,
): Promise<(Conta & { cota: number; extra: number; periodo: string })[]> {
  const rows = await db.kysely
    .selectFrom('contas')
    .innerJoin('saldos', 'saldos.conta_id', 'contas.id')
    .select([...columns, 'cota', 'extra', 'periodo'])
    .orderBy('nome')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...toConta(row), cota: row.cota, extra: row.extra, periodo: row.periodo }))
}

/**
 * Moves an account to another plan. An upgrade adds at once what the month's quota lacks; a downgrade takes nothing back
 * and counts from the next month. Nodes follow within five seconds.
 */
export async function changePlano(db: Db, conta_id: string, plano: NomePlano, now: Date): Promise<Saldo> {
  const commit = openBatch(db, { no: OPERADOR, now: () => now, health: openCommitHealth(db) })
  const [outcome] = await commit([{ kind: 'plan', conta_id, request_id: `plano:${randomUUID()}`, plano }])
  if (!outcome) throw new Error('a commit of one order has one outcome')
  return outcome.saldo
}

type ContaRow = Omit<Conta, 'preco_exclusivo' | 'criada_em'> & { preco_exclusivo: number; criada_em: number }

const toConta = (row: ContaRow): Conta => ({
  id: row.id,
  nome: row.nome,
  email: row.email,
  plano: row.plano,
  preco_exclusivo: row.preco_exclusivo === 1,
  criada_em: new Date(row.criada_em),
})

function normalizeEmail(email: string): string {
  const normal = email.trim().toLowerCase()
  if (!/^[^\s@]+@[^\s@]+$/.test(normal)) throw new StoreError(`"${email}" não é um e-mail.`)
  return normal
}
