import type { Uf } from '../documento/uf.ts'
import type { Situacao } from './classificacao.ts'
import type { Ativacao } from './conselho.ts'
import type { LeituraSefaz } from './leitura.ts'
import type { Autorizador, Doc } from './rules.ts'
import type { Incidente } from './rules-rodada.ts'

/** A round: one question to each authorizer. Instants are in milliseconds since 1970. */
export type Rodada = {
  /** When it began: its name. */
  em: number
  /** When it ended, with all answers in. */
  fim: number
  /** Who was asked: the status services, or the public pages where we have no certificate. */
  fonte: 'servicos' | 'paginas'
  /** No service answered. It may be our own network or certificate: no history and no incident counts it. */
  semRede: boolean
}

/** How often an authorizer is asked that asked for less. */
export type RitmoDaSonda = {
  autorizador: string
  /** It is asked again from this instant on. */
  proxima: number
  /** How many intervals lie between two questions. */
  fator: number
  motivo: string
}

/** All that a round leaves behind. */
export type RodadaFeita = {
  rodada: Rodada
  leituras: readonly LeituraSefaz[]
  /** Those that are new or changed. */
  incidentes: readonly Incidente[]
  ritmos: readonly RitmoDaSonda[]
  ativacoes: readonly (Ativacao & { doc: 'nfe' | 'cte'; uf: Uf })[]
}

/** What every node shows: how all states stand after the last round. */
export type Quadro = {
  /** The last round. */
  rodada: Rodada
  /** The last round in which a service answered, which tells how the states stand; undefined if none did. */
  lida: Rodada | undefined
  situacoes: Readonly<Record<Doc, ReadonlyMap<Uf, Situacao>>>
  /** No round has ended in the last 10 minutes, nor when it should have: the monitor itself is down. */
  parado: boolean
  /** The authorizers that we leave alone, whose last reading stands meanwhile. */
  pausas: readonly Pausa[]
  /** The first instant at which time alone makes this board another one. */
  valeAte: number
  /** The incidents that are open, the newest first. */
  abertos: readonly Incidente[]
  ativacaoDe: (doc: Doc, uf: Uf) => Ativacao | undefined
}

/** An authorizer that is not asked, because it said that we ask too often. */
export type Pausa = {
  autorizador: Autorizador
  /** Whether it refused us by its code (656, 678); false where it only is asked less often. */
  isRecusa: boolean
  /** When it is asked again. */
  ate: number
  /** When the reading that stands was made; undefined where there is none. */
  lida: number | undefined
}

/** What fills an empty history: days that have ended, and incidents. */
export type PassadoSefaz = { dias: readonly DiaSefaz[]; incidentes: readonly Incidente[] }

/** A day of an authorizer. What is counted, and what is not, `dia.ts` says. */
export type DiaSefaz = {
  autorizador: string
  /** AAAA-MM-DD, in Brasília. */
  dia: string
  leituras: number
  erros: number
  timeouts: number
  /** The time of each answer in milliseconds, in ascending order. */
  tempos: Uint16Array
  /** The authority said that it works, and of our own calls meanwhile none failed; or one did. */
  confirmadas: number
  desmentidas: number
}
