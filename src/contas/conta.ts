import type { NomePlano } from '../domain/credito/planos.ts'
import type { Db } from '../store/db/db.ts'

export type Conta = {
  id: string
  nome: string
  email: string
  plano: NomePlano
  preco_exclusivo: boolean
  criada_em: Date
}

const columns = ['id', 'nome', 'email', 'plano', 'preco_exclusivo', 'criada_em'] as const

/** The account of an e-mail, in either case. */
export async function findContaByEmail(db: Db, email: string): Promise<Conta | undefined> {
  const row = await db.kysely
    .selectFrom('contas')
    .select(columns)
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
  return row && toConta(row)
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

type ContaRow = Omit<Conta, 'preco_exclusivo' | 'criada_em'> & { preco_exclusivo: number; criada_em: number }

/** An account, as its row says. */
export const toConta = (row: ContaRow): Conta => ({
  id: row.id,
  nome: row.nome,
  email: row.email,
  plano: row.plano,
  preco_exclusivo: row.preco_exclusivo === 1,
  criada_em: new Date(row.criada_em),
})
