import type { Db } from './db.ts'
import type { TipoLancamento } from './tables.ts'

/** One line of an account's books: `cota` and `extra` are what it added to the balance, `creditos` what it is about. */
export type Entry = {
  id: number
  criado_em: Date
  tipo: TipoLancamento
  endpoint: string
  request_id: string
  creditos: number
  cota: number
  extra: number
}

/** The entries of an account since `desde`, newest first, at most `limite`. */
export async function selectExtrato(
  db: Db,
  conta_id: string,
  { desde, limite = 100 }: { desde?: Date; limite?: number },
): Promise<Entry[]> {
  const rows = await db.kysely
    .selectFrom('lancamentos')
    .select(['id', 'criado_em', 'tipo', 'endpoint', 'request_id', 'creditos', 'cota', 'extra'])
    .where('conta_id', '=', conta_id)
    .where('criado_em', '>=', desde?.getTime() ?? 0)
    .orderBy('id', 'desc')
    .limit(limite)
    .execute()
  return rows.map((row) => ({ ...row, criado_em: new Date(row.criado_em) }))
}
