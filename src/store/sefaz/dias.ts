import { setImmediate as nextTurn } from 'node:timers/promises'
import { contarDia, diaDe, diaDepois, inicioDoDia } from '../../domain/sefaz/dia.ts'
import type { DiaSefaz } from '../../domain/sefaz/rodada.ts'
import { alone, type DoAmbiente } from './alone.ts'
import { insertDias, selectContadas, selectFechados, selectSomados } from './dias-io.ts'
import { listAutorizadores } from './listar.ts'
import { selectNewest, selectNext } from './rodadas-io.ts'

type Procurados = { autorizadores: readonly string[]; de: string; ate: string }

/**
 * The days of authorizers in their order, each authorizer's by date. A day that is summed up is read so, any
 * other is counted from its readings.
 */
export async function selectDias(
  on: DoAmbiente,
  { autorizadores, de, ate }: Procurados,
): Promise<DiaSefaz[]> {
  const fechados = await selectFechados(on, autorizadores)
  const somados = await selectSomados(on, { autorizadores, de, ate })
  const byAutorizador = Map.groupBy(somados, ({ autorizador }) => autorizador)
  const all: DiaSefaz[] = []
  for (const autorizador of autorizadores) {
    all.push(...(byAutorizador.get(autorizador) ?? []))
    const fechado = fechados.get(autorizador)
    const since = fechado === undefined || fechado < de ? de : diaDepois(fechado, 1)
    if (since <= ate) all.push(...(await countDias(on, { autorizador, de: since, ate })))
  }
  return all
}

async function countDias(
  on: DoAmbiente,
  { autorizador, de, ate }: { autorizador: string; de: string; ate: string },
): Promise<DiaSefaz[]> {
  const when = { de: inicioDoDia(de), ate: inicioDoDia(diaDepois(ate, 1)) }
  const byDay = Map.groupBy(await selectContadas(on, autorizador, when), ({ em }) => diaDe(em))
  return [...byDay]
    .map(([dia, leituras]) => contarDia({ autorizador, dia }, leituras))
    .filter(({ leituras }) => leituras > 0)
}

/**
 * Sums up the days that ended. A day has ended when a round of a later day is stored, because no older round
 * is stored after it.
 */
export async function closeDays(on: DoAmbiente): Promise<void> {
  const newest = await selectNewest(on)()
  if (newest === undefined) return
  const ids = await listAutorizadores(on.db, on.ambiente)
  const fechados = await selectFechados(on, ids)
  for (
    let dia = await firstDay(on, [...fechados.values()].sort().at(-1));
    dia !== undefined && dia < diaDe(newest);
    dia = await firstDay(on, dia)
  ) {
    const rows: DiaSefaz[] = []
    for (const autorizador of ids) {
      rows.push(...(await countDias(on, { autorizador, de: dia, ate: dia })))
      await nextTurn()
    }
    await alone(on, (trx) => insertDias(trx, on.ambiente, rows))
  }
}

/** The first day with a round, of those after `dia`. */
async function firstDay(on: DoAmbiente, dia: string | undefined): Promise<string | undefined> {
  const em = await selectNext(on, dia === undefined ? 0 : inicioDoDia(diaDepois(dia, 1)))
  return em === undefined ? undefined : diaDe(em)
}
