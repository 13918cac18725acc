import type { Kysely } from 'kysely'
import type { Tables } from '../platform/db/tables.ts'
import type { Ambiente } from '../platform/wire/fonte.ts'
import type { DoAmbiente } from './alone.ts'
import type { LeituraSefaz } from './leitura.ts'
import type { DiaSefaz } from './sefaz-rodada.ts'

/** Rows of one statement: some 50 KB. */
const BATCH = 500

/** What a day counts of a reading. */
type Contada = Pick<LeituraSefaz, 'em' | 'resultado' | 'respostaMs' | 'cStat' | 'desmentida'>

/** Stores days; one that is stored stays as it is. */
export async function insertDias(
  trx: Kysely<Tables>,
  ambiente: Ambiente,
  dias: readonly DiaSefaz[],
): Promise<void> {
  for (let from = 0; from < dias.length; from += BATCH)
    await trx
      .insertInto('dias_sefaz')
      .values(
        dias
          .slice(from, from + BATCH)
          .map(({ tempos, ...dia }) => ({ ...dia, ambiente, tempos: bytesOf(tempos) })),
      )
      .onConflict((on) => on.columns(['ambiente', 'autorizador', 'dia']).doNothing())
      .execute()
}

/** The last day of each authorizer that is summed up, of those until `ate`. */
export async function selectFechados(
  { db: { kysely }, ambiente }: DoAmbiente,
  { autorizadores, ate }: { autorizadores: readonly string[]; ate: string },
): Promise<ReadonlyMap<string, string>> {
  if (autorizadores.length === 0) return new Map()
  const rows = await kysely
    .selectFrom('dias_sefaz')
    .select(({ fn }) => ['autorizador', fn.max('dia').as('dia')])
    .where('ambiente', '=', ambiente)
    .where('autorizador', 'in', autorizadores)
    .where('dia', '<=', ate)
    .groupBy('autorizador')
    .execute()
  return new Map(rows.map(({ autorizador, dia }) => [autorizador, dia]))
}

/** The days of authorizers that are summed up, each authorizer's by date. */
export async function selectSomados(
  { db: { kysely }, ambiente }: DoAmbiente,
  { autorizadores, de, ate }: { autorizadores: readonly string[]; de: string; ate: string },
): Promise<DiaSefaz[]> {
  if (autorizadores.length === 0) return []
  const rows = await kysely
    .selectFrom('dias_sefaz')
    .select(['autorizador', 'dia', 'leituras', 'erros', 'timeouts', 'tempos', 'confirmadas', 'desmentidas'])
    .where('ambiente', '=', ambiente)
    .where('autorizador', 'in', autorizadores)
    .where('dia', '>=', de)
    .where('dia', '<=', ate)
    .orderBy('dia')
    .execute()
  return rows.map((row) => ({ ...row, tempos: temposOf(row.tempos) }))
}

/** From the first moment until before the other. */
type Lapso = { de: number; ate: number }

/** The rounds in which nobody answered at all. */
export async function selectSemRede(
  { db: { kysely }, ambiente }: DoAmbiente,
  { de, ate }: Lapso,
): Promise<ReadonlySet<number>> {
  const rows = await kysely
    .selectFrom('rodadas_sefaz')
    .select('em')
    .where('ambiente', '=', ambiente)
    .where('em', '>=', de)
    .where('em', '<', ate)
    .where('sem_rede', '=', 1)
    .execute()
  return new Set(rows.map(({ em }) => em))
}

/** The readings of an authorizer, in the order of time. */
export async function selectContadas(
  { db: { kysely }, ambiente }: DoAmbiente,
  autorizador: string,
  { de, ate }: Lapso,
): Promise<Contada[]> {
  const rows = await kysely
    .selectFrom('leituras_sefaz')
    .select(['em', 'resultado', 'resposta_ms', 'cstat', 'desmentida'])
    .where('ambiente', '=', ambiente)
    .where('autorizador', '=', autorizador)
    .where('em', '>=', de)
    .where('em', '<', ate)
    .orderBy('em')
    .execute()
  return rows.map(({ em, resultado, resposta_ms, cstat, desmentida }) => ({
    em,
    resultado,
    respostaMs: resposta_ms,
    cStat: cstat,
    desmentida: desmentida === null ? null : desmentida === 1,
  }))
}

/** The times as the database has them: little-endian, as every machine that Node runs on has its numbers. */
const bytesOf = ({ buffer, byteOffset, byteLength }: Uint16Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** A copy, because the database's bytes may begin at an odd address. */
const temposOf = (bytes: Uint8Array): Uint16Array => new Uint16Array(new Uint8Array(bytes).buffer)
