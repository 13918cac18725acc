import { type CompiledQuery, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { Tables } from '../db/tables.ts'
import { clockOf } from '../jobs/jobs-clock.ts'
import { insertion } from '../jobs/rows.ts'
import type { Lancamento } from './book.ts'
import type { NomePlano } from './planos.ts'

/** An account's balance with its plan, locked. */
export type SaldoRow = Selectable<Tables['saldos']> & { plano: NomePlano | null }
/** What an account agreed for its notes, as it is stored. */
export type TarifaRow = Pick<Selectable<Tables['contas']>, 'id' | 'plano' | 'preco_exclusivo' | 'preco_xml'>
type OpenRow = { request_id: string; cota: number; extra: number; periodo: string }

/**
 * The statements of the ledger. Their number is the same for a group of any size, because each takes all rows
 * as one JSON text.
 */
export type Statements = ReturnType<typeof prepareStatements>

/**
 * Compiles the ledger's statements once. `json_each` over rows and `->>` mean the same on SQLite and
 * PostgreSQL, so one text serves both and a group of any size.
 */
export function prepareStatements(db: Db) {
  const forUpdate = db.dialect === 'postgres' ? sql`for update of s` : sql``
  const ids = sql`select j.value ->> 0 from json_each(${''}) as j`
  const compile = <R>(query: RawBuilder<R>): CompiledQuery<R> => query.compile(db.kysely)
  return {
    // In the order of the accounts, so that two nodes never wait for each other. The plan is read only where
    // a renewal is due.
    lock: compile(sql<SaldoRow>`
      select s.conta_id, s.cota, s.extra, s.periodo, s.concedida, s.ultimo_request, s.ultimo_tipo,
        case when s.periodo < ${''} then (select c.plano from contas c where c.id = s.conta_id) end as plano
      from saldos s where s.conta_id in (${ids}) order by s.conta_id ${forUpdate}`),
    recorded: compile(sql<Pick<Lancamento, 'request_id' | 'tipo'>>`
      select request_id, tipo from lancamentos where (request_id, tipo) in
        (select j.value ->> 0, j.value ->> 1 from json_each(${''}) as j)`),
    // After `lock`, so that the plan of a charge is that of its place in the account's books.
    tarifas: compile(sql<TarifaRow>`
      select id, plano, preco_exclusivo, preco_xml from contas where id in (${ids})`),
    open: compile(sql<OpenRow>`
      select request_id, cota, extra, periodo from retencoes where request_id in (${ids})`),
    // For entries that are alike. What they share is bound once, because each `->>` parses its JSON again.
    entries: compile(sql`
      insert into lancamentos (tipo, creditos, cota, extra, endpoint, reais, criado_em, no,
        request_id, conta_id, anterior_request, anterior_tipo)
      select ${''}, cast(${0} as bigint), cast(${0} as bigint), cast(${0} as bigint), ${''}, ${''}, cast(${0} as bigint),
        ${''}, j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3 from json_each(${''}) as j`),
    saldos: compile(sql`
      update saldos set cota = n.cota, extra = n.extra, periodo = n.periodo, concedida = n.concedida,
        ultimo_request = n.ultimo_request, ultimo_tipo = n.ultimo_tipo
      from (select j.value ->> 0 as conta_id, cast(j.value ->> 1 as bigint) as cota,
        cast(j.value ->> 2 as bigint) as extra, j.value ->> 3 as periodo,
        cast(j.value ->> 4 as bigint) as concedida, j.value ->> 5 as ultimo_request,
        j.value ->> 6 as ultimo_tipo from json_each(${''}) as j) as n
      where saldos.conta_id = n.conta_id`),
    hold: compile(sql`
      insert into retencoes (request_id, conta_id, endpoint, cota, extra, periodo, no, criada_em)
      select j.value ->> 0, j.value ->> 1, j.value ->> 2, cast(j.value ->> 3 as bigint),
        cast(j.value ->> 4 as bigint), j.value ->> 5, j.value ->> 6, cast(j.value ->> 7 as bigint)
      from json_each(${''}) as j`),
    close: compile(sql`delete from retencoes where request_id in (${ids})`),
    planos: compile(sql`
      update contas set plano = n.plano
      from (select j.value ->> 0 as id, j.value ->> 1 as plano from json_each(${''}) as j) as n
      where contas.id = n.id`),
    jobs: compile(
      insertion(
        clockOf(db, () => 0),
        '',
      ),
    ),
    begin: compile(sql`begin`),
    commit: compile(sql`commit`),
    // For SQLite alone: `syncLog` waits for the disk in the place of its commit.
    relax: compile(sql`pragma synchronous = normal`),
    insist: compile(sql`pragma synchronous = full`),
    rollback: compile(sql`rollback`),
  }
}
