import type { NomeDoCaso } from './caso.ts'
import { climaEm } from './clima.ts'
import { MINUTO_MS } from './quedas.ts'
import type { Sefaz } from './sefaz.ts'

export type Cor = 'verde' | 'amarela' | 'vermelha'

/** For so many minutes a failure is shown as the first one (legend of the official page). */
const AMARELA_MIN = 10

/** What stops one caller alone. The portal's own probes do not meet it. */
const doChamador: readonly NomeDoCaso[] = ['656', '678', 'http-403', 'recusa-tls']

/**
 * Green after any good probe, yellow from the first failure for up to ten minutes, then red. The portal
 * probes once a minute.
 */
export function corDe(sefaz: Sefaz, id: string): Cor {
  const agora = sefaz.agora().getTime()
  if (!isFalha(sefaz.tempoDe(id).caso)) return 'verde'
  const desde = sefaz.impostoDesde(id) ?? inicioDaFalha(id, agora)
  return agora - desde < AMARELA_MIN * MINUTO_MS ? 'amarela' : 'vermelha'
}

function inicioDaFalha(id: string, agora: number): number {
  for (let minuto = 1; minuto <= AMARELA_MIN; minuto++)
    if (!isFalha(climaEm(id, agora - minuto * MINUTO_MS).caso)) return agora - (minuto - 1) * MINUTO_MS
  return agora - AMARELA_MIN * MINUTO_MS
}

const isFalha = (caso: NomeDoCaso): boolean =>
  caso !== 'normal' && caso !== 'lento' && !doChamador.includes(caso)
