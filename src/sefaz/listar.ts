import { sql } from 'kysely'
import type { Db } from '../platform/db/db.ts'
import type { Ambiente } from '../platform/wire/fonte.ts'

/**
 * The authorizers that have readings. Each step seeks the next name in the primary key, because a plain
 * `distinct` would read 1.75 million rows.
 */
export async function listAutorizadores({ kysely }: Db, ambiente: Ambiente): Promise<string[]> {
  const { rows } = await sql<{ nome: string }>`
    with recursive nomes (nome) as (
      select min(autorizador) from leituras_sefaz where ambiente = ${ambiente}
      union all
      select (select min(autorizador) from leituras_sefaz
        where ambiente = ${ambiente} and autorizador > nomes.nome)
      from nomes where nomes.nome is not null)
    select nome from nomes where nome is not null`.execute(kysely)
  return rows.map(({ nome }) => nome)
}
