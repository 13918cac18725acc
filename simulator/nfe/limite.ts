import { LRUCache } from 'lru-cache'
import { soltar } from '../platform/xml.ts'

const HORA_MS = 3_600_000

/** How many callers a counter remembers. The oldest are forgotten, because a simulator may run for months. */
const MAXIMO = 10_000

/** Tells whether a caller is blocked for undue consumption (656). */
export type Bloqueio = {
  bloquear: (quem: string) => void
  /** Whether it is blocked; to ask while blocked starts the hour again. */
  insiste: (quem: string) => boolean
}

/** Blocks for an hour, which a query while blocked starts again (NT 2014.002 v1.21, 3.11.4). */
export function criarBloqueio(agora: () => Date): Bloqueio {
  const ate = new LRUCache<string, number>({ max: MAXIMO })
  const bloquear = (quem: string): void => void ate.set(soltar(quem), agora().getTime() + HORA_MS)
  return {
    bloquear,
    insiste(quem) {
      const bloqueado = (ate.get(quem) ?? 0) > agora().getTime()
      if (bloqueado) bloquear(quem)
      else ate.delete(quem)
      return bloqueado
    },
  }
}

/**
 * Counts what somebody did in the last hour: the answer is whether that is more than `maximo` times, this one
 * with them.
 */
export function criarContagem(agora: () => Date, maximo: number): (quem: string) => boolean {
  const vezes = new LRUCache<string, readonly number[]>({ max: MAXIMO })
  return (quem) => {
    const instante = agora().getTime()
    const recentes = (vezes.get(quem) ?? []).filter((vez) => instante - vez < HORA_MS)
    const passou = recentes.push(instante) > maximo
    if (passou) vezes.delete(quem)
    else vezes.set(soltar(quem), recentes)
    return passou
  }
}
