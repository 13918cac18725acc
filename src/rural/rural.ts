import { bulkhead } from 'cockatiel'
import type { InscricaoRoom } from '../inscricao/inscricao.ts'
import type { Authorities } from '../platform/authorities.ts'
import type { Conector } from './source-cnir.ts'
import { fonteSigef, PAGINA_MS, SIMULTANEAS } from './source-sigef.ts'
import { openSessoes, type Sessoes } from './store.ts'

export type RuralRoom = InscricaoRoom & {
  /** The operator's connector for rural properties, and the door to it. Undefined live without CNIR_URL. */
  cnir: Conector | undefined
  /** The cookies of the simulator's SIGEF, which serve where no session was imported. Undefined live. */
  sigef: { cookies: string } | undefined
  sessoes: Sessoes
  /** Asks SIGEF in one of the places that all nodes share, for searches and renewals alike. */
  inPlace: <T>(ask: () => Promise<T>, signal?: AbortSignal) => Promise<T>
}

/** Questions that wait for a place on this node: two a search, and the renewals. */
const WAITING = 1_000

export function openRural(
  inscricao: InscricaoRoom,
  { cnir, sigef }: Pick<Authorities['federais'], 'cnir' | 'sigef'>,
): RuralRoom {
  const { db, secret, now, config, direct, http, turnos } = inscricao
  // A node has no more numbers in the line of all than there are places, so it cannot fill that line.
  const places = bulkhead(SIMULTANEAS, WAITING)
  return {
    ...inscricao,
    cnir: cnir && { url: cnir.url, segredo: cnir.segredo, http: cnir.proprio ? direct : http },
    sigef,
    sessoes: openSessoes(db, { secret, now, simulador: config.AUTHORITIES !== 'live' }),
    inPlace: (ask, signal) =>
      places.execute(() =>
        turnos.inPlace(fonteSigef.source.id, { places: SIMULTANEAS, longestMs: 2 * PAGINA_MS, signal }, ask),
      ),
  }
}
