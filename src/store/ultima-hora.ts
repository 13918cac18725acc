import type { Circuito, Falha, UltimaHora } from '../domain/leitura.ts'
import { trusted } from '../domain/trusted.ts'
import type { Db } from './db.ts'
import { selectLeituras } from './leituras-io.ts'
import type { LeiturasTable } from './tables.ts'

/** What became of the queries of the last 60 minutes, all nodes together, by source; one that was not asked is not there. */
export async function listLeituras(
  db: Db,
  { now, ambiente }: { now: Date; ambiente: string },
): Promise<Map<string, UltimaHora>> {
  const instant = now.getTime()
  const rows = await selectLeituras(db, { ambiente, instant })
  const byFonte = Map.groupBy(rows, ({ fonte }) => fonte)
  return new Map([...byFonte].map(([fonte, of]) => [fonte, merge(of, instant)]))
}

function merge(rows: readonly LeiturasTable[], instant: number): UltimaHora {
  return {
    consultas: sum(rows.map(({ consultas }) => consultas)),
    sucessos: sum(rows.map(({ sucessos }) => sucessos)),
    // Proven by `openLeituras`, which alone writes them.
    mediana_ms: medianOf(rows.flatMap(({ tempos }) => trusted<number[]>(JSON.parse(tempos)))),
    falha: lastFalha(rows),
    circuito: circuitoOf(rows, instant),
  }
}

function lastFalha(rows: readonly LeiturasTable[]): Falha | undefined {
  const falhas = rows.flatMap(({ falha_tipo: tipo, falha_codigo: codigo, falha_em: em }) =>
    tipo === null || em === null ? [] : [{ tipo, codigo: codigo ?? '', em: new Date(em) }],
  )
  return falhas.toSorted((a, b) => b.em.getTime() - a.em.getTime())[0]
}

/** Each node has a circuit of its own: open where one's is; in test where the last query to end found it so. */
function circuitoOf(rows: readonly LeiturasTable[], instant: number): Circuito {
  const newest = [...Map.groupBy(rows, ({ no }) => no).values()].flatMap(latest)
  const until = Math.max(...newest.map(({ aberto_ate }) => aberto_ate ?? 0))
  if (until > instant) return { estado: 'aberto', ate: new Date(until) }
  const ate = latest(newest)[0]?.aberto_ate ?? null
  return ate === null ? { estado: 'fechado' } : { estado: 'em-teste', ate: new Date(ate) }
}

/** The row of the last query. */
const latest = (rows: readonly LeiturasTable[]): LeiturasTable[] =>
  rows.toSorted((a, b) => b.ultima_em - a.ultima_em).slice(0, 1)

function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1)
  return middle.length === 0 ? undefined : Math.round(sum(middle) / middle.length)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
