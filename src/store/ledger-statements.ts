import { type CompiledQuery, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely'
import type { NomePlano } from '../domain/planos.ts'
import type { Db } from './db.ts'
import type { Book, Lancamento, Retencao } from './ledger-book.ts'
import type { Tables } from './tables.ts'

type Trx = Transaction<Tables>
type SaldoRow = Selectable<Tables['saldos']> & { plano: NomePlano }
type OpenRow = { request_id: string; cota: number; extra: number; periodo: string }

/** Who writes, and when. */
export type Signature = { no: string; instant: number }

/** The statements of the ledger: as many for a group of any size, because each takes all its rows as one JSON text. */
export type Statements = ReturnType<typeof prepareStatements>

/**
 * Compiles the ledger's statements once. `json_each` over an object and `->>` mean the same on SQLite and PostgreSQL,
 * so both databases get the same text, rows travel as one parameter, and nothing is compiled again for another size.
 */
export function prepareStatements(db: Db) {
  const forUpdate = db.dialect === 'postgres' ? sql`for update of s` : sql``
  const ids = sql`select j.value ->> 0 from json_each(${''}) as j`
  const compile = <R>(query: RawBuilder<R>): CompiledQuery<R> => query.compile(db.kysely)
  return {
    // In the order of the accounts, so that two nodes never wait for each other.
    lock: compile(sql<SaldoRow>`
      select s.conta_id, s.cota, s.extra, s.periodo, s.concedida, c.plano
      from saldos s join contas c on c.id = s.conta_id
      where s.conta_id in (${ids}) order by s.conta_id ${forUpdate}`),
    recorded: compile(sql<Pick<Lancamento, 'request_id' | 'tipo'>>`
      select request_id, tipo from lancamentos where request_id in (${ids})`),
    open: compile(sql<OpenRow>`
      select request_id, cota, extra, periodo from retencoes where request_id in (${ids})`),
    entries: compile(sql`
      insert into lancamentos (conta_id, request_id, tipo, creditos, cota, extra, endpoint, criado_em, no)
      select j.value ->> 0, j.value ->> 1, j.value ->> 2, cast(j.value ->> 3 as bigint),
        cast(j.value ->> 4 as bigint), cast(j.value ->> 5 as bigint), j.value ->> 6,
        cast(j.value ->> 7 as bigint), j.value ->> 8 from json_each(${''}) as j`),
    saldos: compile(sql`
      update saldos set cota = n.cota, extra = n.extra, periodo = n.periodo, concedida = n.concedida
      from (select j.value ->> 0 as conta_id, cast(j.value ->> 1 as bigint) as cota,
        cast(j.value ->> 2 as bigint) as extra, j.value ->> 3 as periodo,
        cast(j.value ->> 4 as bigint) as concedida from json_each(${''}) as j) as n
      where saldos.conta_id = n.conta_id`),
    hold: compile(sql`
      insert into retencoes (request_id, conta_id, endpoint, cota, extra, periodo, no, criada_em)
      select j.value ->> 0, j.value ->> 1, j.value ->> 2, cast(j.value ->> 3 as bigint),
        cast(j.value ->> 4 as bigint), j.value ->> 5, j.value ->> 6, cast(j.value ->> 7 as bigint)
      from json_each(${''}) as j`),
    close: compile(sql`delete from retencoes where request_id in (${ids})`),
  }
}

type Row = readonly (string | number)[]

/** Runs a compiled statement over `rows`. */
export async function run<R>(trx: Trx, statement: CompiledQuery<R>, rows: readonly Row[]): Promise<R[]> {
  const { rows: found } = await trx.executeQuery<R>({
    ...statement,
    parameters: [JSON.stringify({ ...rows })],
  })
  return found
}

/** Writes what a book gathered. The statements travel together; the commit that follows waits for them all. */
export async function writeBook(trx: Trx, to: Statements, book: Book, by: Signature): Promise<void> {
  const held = [...book.held.values()]
  const changed = [...book.contas].filter(([, conta]) => conta.changed)
  await Promise.all([
    book.entries.length > 0 &&
      run(
        trx,
        to.entries,
        book.entries.map((entry) => entryRow(entry, by)),
      ),
    changed.length > 0 &&
      run(
        trx,
        to.saldos,
        changed.map(([id, { saldo, concedida }]) => [id, saldo.cota, saldo.extra, saldo.periodo, concedida]),
      ),
    held.length > 0 &&
      run(
        trx,
        to.hold,
        held.map((hold) => holdRow(hold, by)),
      ),
    book.closed.length > 0 &&
      run(
        trx,
        to.close,
        book.closed.map((request_id) => [request_id]),
      ),
  ])
}

const entryRow = (entry: Lancamento, { instant, no }: Signature): Row => [
  entry.conta_id,
  entry.request_id,
  entry.tipo,
  entry.creditos,
  entry.cota,
  entry.extra,
  entry.endpoint,
  instant,
  no,
]

const holdRow = (hold: Retencao, { instant, no }: Signature): Row => [
  hold.request_id,
  hold.conta_id,
  hold.endpoint,
  hold.cota,
  hold.extra,
  hold.periodo,
  no,
  instant,
]
