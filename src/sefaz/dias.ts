import { setImmediate as nextTurn } from 'node:timers/promises'
import { contarDia, diaDe, diaDepois, inicioDoDia } from '../documento/dia.ts'
import { alone, type DoAmbiente } from './alone.ts'
import { isRecusada } from './leitura.ts'
import { listAutorizadores } from './listar.ts'
import type { DiaSefaz } from './sefaz-rodada.ts'
import { insertDias, selectContadas, selectFechados, selectSemRede, selectSomados } from './store-dias.ts'
import { selectNewest, selectNext } from './store-rodadas.ts'

type Procurados = { autorizadores: readonly string[]; de: string; ate: string }

/**
 * The days of authorizers in their order, each authorizer's by date. A day that is summed up is read so, any
 * other is counted from its readings.
 */
export async function selectDias(
  on: DoAmbiente,
  { autorizadores, de, ate }: Procurados,
): Promise<DiaSefaz[]> {
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

/**
 * Counts the days of authorizers, each from its own. On the embedded database others run between two of
 * them.
 */
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
    const dias = [...byDay].map(([dia, leituras]) => contarDia({ autorizador, dia }, leituras))
    counted.set(
      autorizador,
      dias.filter(({ leituras }) => leituras > 0),
    )
    await nextTurn()
  }
  return counted
}

/**
 * Sums up the days that ended. A day has ended when a round of a later day is stored, because no older round
 * is stored after it.
 */
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
