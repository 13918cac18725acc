import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { diaDe, diaDepois, inicioDoDia } from '../documento/dia.ts'
import type { Db } from '../platform/db/db.ts'
import type { Tables } from '../platform/db/tables.ts'
import type { Ambiente } from '../platform/wire/fonte.ts'
import { isRecusada, type LeituraSefaz } from './rules.ts'
import { countDia } from './rules-historico.ts'
import type { DiaSefaz } from './rules-rodada.ts'
import { alone, type DoAmbiente, selectNewest, selectNext } from './store-rodadas.ts'

/** Seeks the next name in the primary key: a plain `distinct` would read 1.75 million rows. */
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

/** Rows of one statement: some 50 KB. */
const BATCH = 500

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

async function selectFechados(
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

async function selectSomados(
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
async function selectSemRede(
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

async function selectContadas(
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

type Procura = { autorizadores: readonly string[]; de: string; ate: string }

/** A day that is summed up is read so, any other is counted from its readings. */
export async function selectDias(on: DoAmbiente, { autorizadores, de, ate }: Procura): Promise<DiaSefaz[]> {
  const fechados = await selectFechados(on, { autorizadores, ate })
  const somados = await selectSomados(on, { autorizadores, de, ate })
  const byAutorizador = Map.groupBy(somados, ({ autorizador }) => autorizador)
  const abertos = autorizadores.map((autorizador) => {
    const fechado = fechados.get(autorizador)
    return { autorizador, de: fechado === undefined || fechado < de ? de : diaDepois(fechado, 1) }
  })
  const contados = await countDias(on, abertos, ate)
  return autorizadores.flatMap((autorizador) => [
    ...(byAutorizador.get(autorizador) ?? []),
    ...(contados.get(autorizador) ?? []),
  ])
}

/** Whether an authorizer has a reading since an instant that a day would count. */
export async function hasProva(on: DoAmbiente, autorizador: string, desde: number): Promise<boolean> {
  const lapso = { de: desde, ate: Number.MAX_SAFE_INTEGER }
  const semRede = await selectSemRede(on, lapso)
  const rows = await selectContadas(on, autorizador, lapso)
  return rows.some((leitura) => !semRede.has(leitura.em) && !isRecusada(leitura))
}

/** On the embedded database others run between two of them. */
async function countDias(
  on: DoAmbiente,
  abertos: readonly { autorizador: string; de: string }[],
  ate: string,
): Promise<ReadonlyMap<string, readonly DiaSefaz[]>> {
  const wanted = abertos.filter(({ de }) => de <= ate)
  const [first] = wanted.map(({ de }) => de).sort()
  const counted = new Map<string, readonly DiaSefaz[]>()
  if (first === undefined) return counted
  const end = inicioDoDia(diaDepois(ate, 1))
  const semRede = await selectSemRede(on, { de: inicioDoDia(first), ate: end })
  for (const { autorizador, de } of wanted) {
    const rows = await selectContadas(on, autorizador, { de: inicioDoDia(de), ate: end })
    const byDay = Map.groupBy(
      rows.filter(({ em }) => !semRede.has(em)),
      ({ em }) => diaDe(em),
    )
    const dias = [...byDay].map(([dia, leituras]) => countDia({ autorizador, dia }, leituras))
    counted.set(
      autorizador,
      dias.filter(({ leituras }) => leituras > 0),
    )
    await nextTurn()
  }
  return counted
}

/** A day has ended when a round of a later day is stored: no older round is stored after it. */
export async function closeDays(on: DoAmbiente, agora: number): Promise<void> {
  const newest = await selectNewest(on)(agora)
  if (newest === undefined) return
  const ids = await listAutorizadores(on.db, on.ambiente)
  const fechados = await selectFechados(on, { autorizadores: ids, ate: diaDe(newest) })
  let next = await firstDay(on, [...fechados.values()].sort().at(-1))
  while (next !== undefined && next < diaDe(newest)) {
    const de = next
    const counted = await countDias(
      on,
      ids.map((autorizador) => ({ autorizador, de })),
      de,
    )
    await alone(on, (trx) => insertDias(trx, on.ambiente, [...counted.values()].flat()))
    next = await firstDay(on, de)
  }
}

/** The first day with a round, of those after `dia`. */
async function firstDay(on: DoAmbiente, dia: string | undefined): Promise<string | undefined> {
  const em = await selectNext(on, dia === undefined ? 0 : inicioDoDia(diaDepois(dia, 1)))
  return em === undefined ? undefined : diaDe(em)
}
