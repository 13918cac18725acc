import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { TipoLancamento } from '../db/tables.ts'

/** One line of an account's books: `cota` and `extra` are what it added to the balance, `creditos` what it is about. */
export type Entry = {
  criado_em: Date
  tipo: TipoLancamento
  endpoint: string
  request_id: string
  creditos: number
  cota: number
  extra: number
}

/** The entries of an account since `desde`, newest first, at most `limite`: its chain, followed from its newest one back. */
export async function selectExtrato(
  db: Db,
  conta_id: string,
  { desde, limite = 100 }: { desde?: Date; limite?: number },
): Promise<Entry[]> {
  const { rows } = await sql<Omit<Entry, 'criado_em'> & { criado_em: number }>`
    with recursive cadeia as (
      select l.*, 1 as lugar from saldos s
        join lancamentos l on l.request_id = s.ultimo_request and l.tipo = s.ultimo_tipo
        where s.conta_id = ${conta_id}
      union all
      select l.*, c.lugar + 1 from cadeia c
        join lancamentos l on l.request_id = c.anterior_request and l.tipo = c.anterior_tipo
        where c.lugar < cast(${limite} as integer) and l.criado_em >= cast(${desde?.getTime() ?? 0} as bigint)
    )
    select criado_em, tipo, endpoint, request_id, creditos, cota, extra from cadeia
    where criado_em >= cast(${desde?.getTime() ?? 0} as bigint) order by lugar`.execute(db.kysely)
  return rows.map((row) => ({ ...row, criado_em: new Date(row.criado_em) }))
}
