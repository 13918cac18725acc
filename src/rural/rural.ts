import type { InscricaoRoom } from '../inscricao/inscricao.ts'
import type { Authorities } from '../platform/authorities.ts'
import type { Conector } from './source-cnir.ts'
import { openSessoes, type Sessoes } from './store.ts'

export type RuralRoom = InscricaoRoom & {
  /** The operator's connector for rural properties, and the door to it. Undefined live without CNIR_URL. */
  cnir: Conector | undefined
  /** The cookies of the simulator's SIGEF, which serve where no session was imported. Undefined live. */
  sigef: { cookies: string } | undefined
  sessoes: Sessoes
}

export function openRural(
  inscricao: InscricaoRoom,
  { cnir, sigef }: Pick<Authorities['federais'], 'cnir' | 'sigef'>,
): RuralRoom {
  const { db, secret, now, config, direct, http } = inscricao
  return {
    ...inscricao,
    cnir: cnir && { url: cnir.url, segredo: cnir.segredo, http: cnir.proprio ? direct : http },
    sigef,
    sessoes: openSessoes(db, { secret, now, simulador: config.AUTHORITIES !== 'live' }),
  }
}
