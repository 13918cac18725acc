import type { Db } from '../platform/db/db.ts'
import type { ChamadasProprias } from './palavra.ts'

const MINUTE_MS = 60_000
/** A node writes its readings every 10 seconds. */
const WRITTEN_MS = 15_000

/**
 * What our calls to some sources came to in the interval before an instant, of all nodes together, by source;
 * one that nobody called is missing. It counts in whole minutes, each in one interval.
 */
export async function listChamadas(
  { kysely }: Db,
  {
    ambiente,
    fontes,
    em,
    intervaloMs,
  }: { ambiente: string; fontes: readonly string[]; em: number; intervaloMs: number },
): Promise<ReadonlyMap<string, ChamadasProprias>> {
  const minuteOf = (instant: number): number => Math.floor((instant - WRITTEN_MS) / MINUTE_MS) * MINUTE_MS
  const rows = await kysely
    .selectFrom('leituras')
    .select(['fonte', 'sucessos', 'falha_tipo', 'falha_codigo'])
    .where('minuto', '>=', minuteOf(em - intervaloMs))
    .where('minuto', '<', minuteOf(em))
    .where('ambiente', '=', ambiente)
    .where('fonte', 'in', fontes)
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ fonte }) => fonte)].map(([fonte, own]) => [
      fonte,
      {
        boas: own.reduce((sum, { sucessos }) => sum + sucessos, 0),
        // A row tells the last failure of its minute.
        falhas: own.flatMap(({ falha_tipo: tipo, falha_codigo: codigo }) =>
          tipo === null ? [] : [{ tipo, codigo: codigo ?? '' }],
        ),
      },
    ]),
  )
}
