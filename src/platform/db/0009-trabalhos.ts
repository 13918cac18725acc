import { type Kysely, sql } from 'kysely'
import type { Dialect, Tables } from './tables.ts'

/**
 * Durable work: what is to be done, who does it, what it came to; when each schedule is due; and all named
 * leases.
 */
export async function trabalhos(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await sql`create table trabalhos (
    id text primary key,
    tipo text not null,
    chave text not null,
    estado text not null check (estado in ('aberto', 'feito', 'morto')),
    dados text not null,
    livre_em bigint not null,
    tentativas integer not null,
    dono text,
    resultado text,
    motivo text,
    criado_em bigint not null,
    terminado_em bigint,
    expira_em bigint
  )`.execute(db)
  await sql`create unique index trabalhos_chave on trabalhos (tipo, chave) where estado = 'aberto'`.execute(
    db,
  )
  await sql`create index trabalhos_vez on trabalhos (tipo, livre_em) where estado = 'aberto'`.execute(db)
  await sql`create index trabalhos_expira_em on trabalhos (expira_em) where expira_em is not null`.execute(db)
  await sql`create table agendas (nome text primary key, proxima bigint not null)`.execute(db)
  // Lost with a crash of PostgreSQL, on purpose: it is the last minutes'. It takes the place of `cargas` and
  // `turnos`.
  const kind = dialect === 'postgres' ? sql`unlogged` : sql``
  await sql`create ${kind} table posses (
    nome text primary key,
    dono text not null,
    ate bigint not null,
    livre_em bigint not null,
    vez integer not null
  )`.execute(db)
  // On PostgreSQL a node of the version before may still be at work. It asks both tables, and answers 500
  // without them.
  if (dialect === 'postgres') return
  await sql`drop table if exists cargas`.execute(db)
  await sql`drop table if exists turnos`.execute(db)
}
