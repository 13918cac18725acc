import type { Db } from '../db/db.ts'
import type { LeiturasTable } from '../db/tables.ts'
import { trusted } from '../trusted.ts'
import { selectAntes, selectLeituras } from './io.ts'
import {
  type Circuito,
  type FalhaDaFonte,
  MOST_ROTULOS,
  type Respostas,
  semLeituras,
  type UltimaHora,
} from './leitura.ts'

/**
 * The results of the queries of the last 60 minutes, and the answers of the seven days before, by source, of
 * all nodes together. A source without queries is missing.
 */
export async function listLeituras(
  db: Db,
  { now, ambiente }: { now: Date; ambiente: string },
): Promise<Map<string, UltimaHora>> {
  const instant = now.getTime()
  const rows = await selectLeituras(db, { ambiente, instant })
  const byFonte = Map.groupBy(rows, ({ fonte }) => fonte)
  const antes = await listAntes(db, { instant, ambiente })
  const fontes = new Set([...byFonte.keys(), ...antes.keys()])
  return new Map(
    [...fontes].map((fonte) => {
      const hora = merge(byFonte.get(fonte) ?? [], instant)
      return [fonte, { ...hora, antes: antes.get(fonte) ?? semLeituras.antes }]
    }),
  )
}

async function listAntes(
  db: Db,
  when: { instant: number; ambiente: string },
): Promise<ReadonlyMap<string, Respostas>> {
  const rows = await selectAntes(db, when)
  // PostgreSQL tells a sum as text.
  return new Map(
    rows.map(({ fonte, respostas, vazias }) => [
      fonte,
      { respostas: Number(respostas), vazias: Number(vazias) },
    ]),
  )
}

function merge(rows: readonly LeiturasTable[], instant: number): Omit<UltimaHora, 'antes'> {
  return {
    consultas: sum(rows.map(({ consultas }) => consultas)),
    sucessos: sum(rows.map(({ sucessos }) => sucessos)),
    vazias: sum(rows.map(({ vazias }) => vazias)),
    incompletas: sum(rows.map(({ incompletas }) => incompletas)),
    // Proven by `openLeituras`, which alone writes them.
    rotulos: [...new Set(rows.flatMap(({ rotulos }) => trusted<string[]>(JSON.parse(rotulos))))].slice(
      0,
      MOST_ROTULOS,
    ),
    mediana_ms: medianOf(rows.flatMap(({ tempos }) => trusted<number[]>(JSON.parse(tempos)))),
    resposta: lastResposta(rows),
    falha: lastFalha(rows),
    circuito: circuitoOf(rows, instant),
  }
}

/** Of a minute with a failure after its answers, its first moment. */
function lastResposta(rows: readonly LeiturasTable[]): Date | undefined {
  const instants = rows.flatMap(({ sucessos, ultima_em, falha_em, minuto }) =>
    sucessos === 0 ? [] : [falha_em === ultima_em ? minuto : ultima_em],
  )
  return instants.length === 0 ? undefined : new Date(Math.max(...instants))
}

function lastFalha(rows: readonly LeiturasTable[]): FalhaDaFonte | undefined {
  const falhas = rows.flatMap(({ falha_tipo: tipo, falha_codigo: codigo, falha_em: em }) =>
    tipo === null || em === null ? [] : [{ tipo, codigo: codigo ?? '', em: new Date(em) }],
  )
  return falhas.toSorted((a, b) => b.em.getTime() - a.em.getTime())[0]
}

/**
 * Each node has a circuit of its own. The source counts as open where one is open, as in test where the last
 * query found it so.
 */
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
