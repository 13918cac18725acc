import { sql } from 'kysely'
import { openIndexer } from '../src/contas/store-indice.ts'
import { createPartitions, insertUsos, monthAfter } from '../src/contas/store-usos.ts'
import { periodoOf } from '../src/documento/dia.ts'
import type { Db } from '../src/platform/db/db.ts'
import type { UsosTable } from '../src/platform/db/tables.ts'
import { renewalId } from '../src/platform/ledger/book.ts'
import { chamadaFeita } from '../test/kit/contas.ts'

const BATCH = 5_000
/** One call in so many is of the state that is looked for, and one of the rare code. */
const RARE = 250_000

/** The call that a page begins with, or is about. */
export type Place = Pick<UsosTable, 'criado_em' | 'request_id'>

/**
 * Fills the log of an account with `count` calls of 88 days up to `agora`, and its books with a charge for
 * each that cost credits. Returns every tenth place, the oldest first.
 */
export async function fill(
  db: Db,
  conta: string,
  { count, agora }: { count: number; agora: number },
): Promise<Place[]> {
  const step = (88 * 86_400_000) / count
  const since = agora - 88 * 86_400_000
  if (db.dialect === 'postgres') await preparePartitions(db, since, agora)
  const book = openBook(db, conta, since)
  const places: Place[] = []
  for (let at = 0; at < count; at += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - at) }, (_, i) =>
      rowOf(conta, at + i, Math.round(since + (at + i + 1) * step)),
    )
    await insertUsos(db, rows)
    await book.add(rows)
    if (at % (count / 10) === 0 && rows[0]) places.push(rows[0])
  }
  await book.close()
  await openIndexer(db)(agora)
  if (db.dialect === 'postgres') await sql`analyze`.execute(db.kysely)
  return places
}

function rowOf(conta_id: string, at: number, criado_em: number): UsosTable {
  const made = chamadaFeita(conta_id, at, criado_em)
  const { document, cached, request_id, endpoint, uf, http, error_code, creditos, ms } = made
  const isRare = at % RARE === RARE / 2
  return {
    conta_id,
    criado_em,
    request_id,
    endpoint,
    documento: document,
    uf: isRare ? 'BR' : uf,
    http: isRare ? 500 : http,
    error_code: isRare ? 'ERRO_INTERNO' : error_code,
    creditos: isRare ? 0 : creditos,
    cached: cached ? 1 : 0,
    ms,
    fontes_falhas: made.source_failures,
    fonte_code: made.source_code,
  }
}

async function preparePartitions(db: Db, since: number, until: number): Promise<void> {
  const months = [periodoOf(new Date(since))]
  while ((months.at(-1) ?? '') < periodoOf(new Date(until))) months.push(monthAfter(months.at(-1) ?? ''))
  await createPartitions(db, months)
}

/** Chains the account's entries as the ledger does: a renewal a month, and the charges between. */
function openBook(db: Db, conta_id: string, since: number) {
  let periodo = periodoOf(new Date(since))
  let head = { request_id: renewalId(conta_id, periodo), tipo: 'renewal' }
  return {
    add: async (rows: readonly UsosTable[]): Promise<void> => {
      const lines: unknown[] = []
      const enter = (tipo: string, request_id: string, row: UsosTable): void => {
        const { creditos, endpoint, criado_em } = row
        const cost = tipo === 'charge' ? creditos : 0
        lines.push([request_id, tipo, cost, endpoint, criado_em, head.request_id, head.tipo])
        head = { request_id, tipo }
      }
      for (const row of rows) {
        const month = periodoOf(new Date(row.criado_em))
        if (month !== periodo) enter('renewal', renewalId(conta_id, month), row)
        periodo = month
        if (row.creditos > 0) enter('charge', row.request_id, row)
      }
      await sql`insert into lancamentos (conta_id, cota, extra, no, request_id, tipo, creditos, endpoint, reais,
          criado_em, anterior_request, anterior_tipo)
        select ${conta_id}, 0 - cast(j.value ->> 2 as bigint), 0, 'bench', j.value ->> 0, j.value ->> 1,
          cast(j.value ->> 2 as bigint), case when j.value ->> 1 = 'charge' then j.value ->> 3 else '' end,
          case when j.value ->> 3 = '/api/consultar-nfe-xml' then '0.075' end, cast(j.value ->> 4 as bigint),
          j.value ->> 5, j.value ->> 6
        from json_each(${JSON.stringify({ ...lines })}) as j`.execute(db.kysely)
    },
    close: (): Promise<unknown> =>
      db.kysely
        .updateTable('saldos')
        .set({ periodo, ultimo_request: head.request_id, ultimo_tipo: 'charge' })
        .where('conta_id', '=', conta_id)
        .execute(),
  }
}
