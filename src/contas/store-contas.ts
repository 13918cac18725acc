import { randomBytes, randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { periodoOf } from '../documento/dia.ts'
import type { Db } from '../platform/db/db.ts'
import { StoreError } from '../platform/db/outage.ts'
import { openCommitHealth, transact } from '../platform/db/queries.ts'
import type { Tables } from '../platform/db/tables.ts'
import { renewalId } from '../platform/ledger/book.ts'
import { openBatch } from '../platform/ledger/io.ts'
import { type NomePlano, planos, type Saldo } from '../platform/ledger/rules.ts'
import { normalizeEmail } from './rules.ts'

export type Conta = {
  id: string
  nome: string
  email: string
  plano: NomePlano
  preco_exclusivo: boolean
  /** The negotiated price of a note in BRL; empty where there is none. */
  preco_xml: string
  criada_em: Date
  /** Since when the operator refuses its calls, and why; null if he does not. */
  bloqueio: { desde: Date; motivo: string } | null
}

const columns = [
  'id',
  'nome',
  'email',
  'plano',
  'preco_exclusivo',
  'preco_xml',
  'criada_em',
  'bloqueada_em',
  'motivo_bloqueio',
] as const

export async function findContaByEmail(db: Db, email: string): Promise<Conta | undefined> {
  const plain = email.trim().toLowerCase()
  const row = await db.kysely
    .selectFrom('contas')
    .select(columns)
    // Versions before took any text with an @, and left the domain as it was.
    .where('email', 'in', [normalizeEmail(email) ?? plain, plain])
    .executeTakeFirst()
  return row && toConta(row)
}

/** An account with its stored password, which leaves this room in no answer. */
type ComSenha = { conta: Conta; senha_hash: string | null }

export const findSenhaByEmail = (db: Db, email: string): Promise<ComSenha | undefined> =>
  selectSenha(db, 'email', email)

export async function getSenha(db: Db, id: string): Promise<ComSenha> {
  const found = await selectSenha(db, 'id', id)
  if (!found) throw new Error(`no account ${id}`)
  return found
}

async function selectSenha(db: Db, column: 'id' | 'email', value: string): Promise<ComSenha | undefined> {
  const row = await db.kysely
    .selectFrom('contas')
    .select([...columns, 'senha_hash'])
    .where(column, '=', value)
    .executeTakeFirst()
  return row && { conta: toConta(row), senha_hash: row.senha_hash }
}

export async function getConta(db: Db, id: string): Promise<Conta> {
  const row = await db.kysely.selectFrom('contas').select(columns).where('id', '=', id).executeTakeFirst()
  if (!row) throw new Error(`no account ${id}`)
  return toConta(row)
}

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

type ContaRow = Pick<Conta, 'id' | 'nome' | 'email' | 'plano'> & {
  preco_exclusivo: number
  preco_xml: string | null
  criada_em: number
  bloqueada_em: number | null
  motivo_bloqueio: string | null
}

const toConta = (row: ContaRow): Conta => ({
  id: row.id,
  nome: row.nome,
  email: row.email,
  plano: row.plano,
  preco_exclusivo: row.preco_exclusivo === 1,
  preco_xml: row.preco_xml ?? '',
  criada_em: new Date(row.criada_em),
  bloqueio:
    row.bloqueada_em === null
      ? null
      : { desde: new Date(row.bloqueada_em), motivo: row.motivo_bloqueio ?? '' },
})

export type NovaConta = { nome: string; email: string; plano: NomePlano; now: Date }

/** How its owner signed up; null where the operator made it. */
type Cadastrada = { senha_hash: string | null; confirmado: boolean }

/** Undefined if another account has the e-mail. Throws StoreError for an empty name and for no e-mail. */
export async function createConta(db: Db, { nome, email, ...nova }: NovaConta): Promise<Conta | undefined> {
  const dito = nome.trim()
  if (dito === '') throw new StoreError('O nome da conta está vazio.')
  const normal = normalizeEmail(email)
  if (normal === undefined) throw new StoreError(`"${email}" não é um e-mail.`)
  const conta = { ...nova, nome: dito, email: normal, senha_hash: null, confirmado: false }
  return transact(db, (trx) => insertConta(trx, conta))
}

const ID_BYTES = 13

/** As `createConta`, in a transaction. Name and e-mail are good and normal. */
export async function insertConta(
  trx: Transaction<Tables>,
  { nome, email, plano, now, senha_hash, confirmado }: NovaConta & Cadastrada,
): Promise<Conta | undefined> {
  // An entry has room for 27 signs before it takes eight bytes more. Older accounts have UUIDs.
  const id = randomBytes(ID_BYTES).toString('hex')
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

/** The node of entries that account commands write, and no server process. */
const OPERADOR = 'operador'

/** Nodes follow in 5 seconds. A larger plan adds the difference at once, a smaller one counts next month. */
export async function changePlano(db: Db, conta_id: string, plano: NomePlano, now: Date): Promise<Saldo> {
  const { commit } = openBatch(db, { no: OPERADOR, now: () => now, health: openCommitHealth(db) })
  const [outcome] = await commit([{ kind: 'plan', conta_id, request_id: `plano:${randomUUID()}`, plano }])
  if (!outcome) throw new Error('a commit of one order has one outcome')
  return outcome.saldo
}

/** Every node refuses its calls within five seconds. A second block keeps the instant of the first. */
export async function blockConta(
  db: Db,
  conta_id: string,
  { motivo, now }: { motivo: string; now: Date },
): Promise<void> {
  await db.kysely
    .updateTable('contas')
    .set(({ fn, ref, val }) => ({
      bloqueada_em: fn.coalesce(ref('bloqueada_em'), val(now.getTime())),
      motivo_bloqueio: motivo,
    }))
    .where('id', '=', conta_id)
    .execute()
}

/** Ends the block of an account, within five seconds on every node. False if it had none. */
export async function unblockConta(db: Db, conta_id: string): Promise<boolean> {
  const { numUpdatedRows } = await db.kysely
    .updateTable('contas')
    .set({ bloqueada_em: null, motivo_bloqueio: null })
    .where('id', '=', conta_id)
    .where('bloqueada_em', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** 1 credit a note. `reais` is decimal text such as `0.12`, or empty where no price in BRL was agreed. */
export async function negotiatePreco(db: Db, conta_id: string, reais: string): Promise<void> {
  await setPreco(db, conta_id, { preco_exclusivo: 1, preco_xml: reais === '' ? null : reais })
}

export async function endPreco(db: Db, conta_id: string): Promise<void> {
  await setPreco(db, conta_id, { preco_exclusivo: 0, preco_xml: null })
}

async function setPreco(
  db: Db,
  conta_id: string,
  preco: { preco_exclusivo: 0 | 1; preco_xml: string | null },
): Promise<void> {
  await db.kysely.updateTable('contas').set(preco).where('id', '=', conta_id).execute()
}
