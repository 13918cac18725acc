import type { Db } from '../platform/db/db.ts'
import type { NomePlano } from '../platform/ledger/rules.ts'
import { normalizarEmail } from './rules.ts'

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

/** The account of an e-mail, however it is written. */
export async function findContaByEmail(db: Db, email: string): Promise<Conta | undefined> {
  const plain = email.trim().toLowerCase()
  const row = await db.kysely
    .selectFrom('contas')
    .select(columns)
    // Versions before took any text with an @, and left the domain as it was.
    .where('email', 'in', [normalizarEmail(email) ?? plain, plain])
    .executeTakeFirst()
  return row && toConta(row)
}

/** An account with its stored password, which leaves this room in no answer. */
type ComSenha = { conta: Conta; senha_hash: string | null }

/** The account of a normal e-mail, with its stored password. */
export const findSenhaByEmail = (db: Db, email: string): Promise<ComSenha | undefined> =>
  selectSenha(db, 'email', email)

/** The account of an id, with its stored password. Throws if there is none. */
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

/** The account of an id. Throws if there is none. */
export async function getConta(db: Db, id: string): Promise<Conta> {
  const row = await db.kysely.selectFrom('contas').select(columns).where('id', '=', id).executeTakeFirst()
  if (!row) throw new Error(`no account ${id}`)
  return toConta(row)
}

/** Every account with its balance in the books, by name. */
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
