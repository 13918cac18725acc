import type { Incidente } from '../../domain/sefaz/incidentes.ts'
import type { LeituraSefaz } from '../../domain/sefaz/leitura.ts'
import type { DiaSefaz, Quadro, RitmoDaSonda, Rodada, RodadaFeita } from '../../domain/sefaz/rodada.ts'

/** What the monitor of the SEFAZ keeps, for one kind of authority. Days are AAAA-MM-DD of Brasília. */
export type Sefaz = {
  /** Stores a round, all or nothing. False if one that began at the same instant or later is stored. */
  gravar: (feita: RodadaFeita) => Promise<boolean>
  /** The last rounds with their readings, the newest first. */
  recentes: (rodadas: number) => Promise<{ rodada: Rodada; leituras: readonly LeituraSefaz[] }[]>
  /** The incidents that lasted, or ended, within a time; the newest first. */
  incidentes: (when: { de: number; ate: number }) => Promise<readonly Incidente[]>
  ritmos: () => Promise<readonly RitmoDaSonda[]>
  /** The days of authorizers, in their order, today included. Those without a reading are missing. */
  dias: (what: { autorizadores: readonly string[]; de: string; ate: string }) => Promise<readonly DiaSefaz[]>
  /** How all states stand now: in memory, the same on every node. Undefined before the first round. */
  quadro: () => Quadro | undefined
  /** Looks whether another node stored a newer round. True if the board changed. */
  refresh: () => Promise<boolean>
  /** Calls back at every new board, until the function that it returns is called. */
  onQuadro: (listener: (quadro: Quadro) => void) => () => void
  /** Sums up the days that ended, and deletes what is older than 90 days. Returns how many rows went. */
  sweep: () => Promise<number>
}
