import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Federal certificates with their issuances, and the routes whose refusals are counted. */
export async function certidoesFederais(db: Kysely<Tables>): Promise<void> {
  await sql`create table certidoes (
    chave text primary key,
    certidao text,
    conferida_em bigint not null,
    emissao text,
    emitida_em bigint not null,
    anunciada text,
    andamento text,
    recusa text,
    recusada_em bigint not null,
    expira_em bigint not null
  )`.execute(db)
  await sql`create index certidoes_expira_em on certidoes (expira_em)`.execute(db)
  await sql`create table confianca (
    chave text primary key,
    recusados text not null,
    experiencia_em bigint not null
  )`.execute(db)
}
