import type { Db } from '../platform/db/db.ts'
import type { Ambiente } from '../platform/wire/fonte.ts'
import { closeDays, hasProva, selectDias } from './dias.ts'
import { selectIncidentes, selectRitmos } from './estado-io.ts'
import type { LeituraSefaz } from './leitura.ts'
import { openQuadro } from './quadro.ts'
import type { Incidente } from './rules-rodada.ts'
import type { DiaSefaz, PassadoSefaz, Quadro, RitmoDaSonda, Rodada, RodadaFeita } from './sefaz-rodada.ts'
import { seedPassado } from './semear.ts'
import { insertRodada, selectRecentes } from './store-rodadas.ts'
import { deleteOld } from './varrer.ts'

/** What the monitor of the SEFAZ keeps, for one kind of authority. Days are AAAA-MM-DD of Brasília. */
export type Sefaz = {
  /** Stores a round, all or nothing. False if one that began at the same instant or later is stored. */
  gravar: (feita: RodadaFeita) => Promise<boolean>
  /** The last rounds with their readings, the newest first. */
  recentes: (rodadas: number) => Promise<{ rodada: Rodada; leituras: readonly LeituraSefaz[] }[]>
  /** The incidents that lasted, or ended, within a time, both ends included; the newest first. */
  incidentes: (when: { de: number; ate: number }) => Promise<readonly Incidente[]>
  /** Whether an authorizer has a reading since an instant that tells how it stands, and counts. */
  haProva: (autorizador: string, desde: number) => Promise<boolean>
  ritmos: () => Promise<readonly RitmoDaSonda[]>
  /** The days of authorizers, in their order, today included. Those without a reading are missing. */
  dias: (what: { autorizadores: readonly string[]; de: string; ate: string }) => Promise<readonly DiaSefaz[]>
  /** How all states stand now: in memory, the same on every node. Undefined before the first round. */
  quadro: () => Quadro | undefined
  /** Looks whether another node stored a newer round, or time alone changed the board. True if it changed. */
  refresh: () => Promise<boolean>
  /** Calls back at every new board, until the function that it returns is called. It must not throw. */
  onQuadro: (listener: (quadro: Quadro) => void) => () => void
  /**
   * Fills an empty history of the simulator with the days of its past that have ended, and with incidents,
   * all or nothing. False if there is a history, or the authorities are real.
   */
  semear: (passado: PassadoSefaz) => Promise<boolean>
  /** Sums up the days that ended, and deletes what is older than 90 days. Returns how many rows went. */
  sweep: () => Promise<number>
}

type Options = {
  now: () => Date
  /** The kind of authority that answers: what the simulator says is no history of the authorities. */
  ambiente: Ambiente
  /** How often a round begins. */
  everyMs: number
}

/** Opens what the monitor keeps, over a database. Makes no query by itself. */
export function openSefaz(db: Db, { now, ambiente, everyMs }: Options): Sefaz {
  const on = { db, ambiente }
  const agora = (): number => now().getTime()
  const doNo = openQuadro(on, { agora, everyMs })
  return {
    gravar: async (feita) => {
      const stored = await insertRodada(on, feita)
      await doNo.refresh()
      return stored
    },
    recentes: (rodadas) => selectRecentes(on, { most: rodadas, agora: agora() }),
    incidentes: (when) => selectIncidentes(on, when),
    haProva: (autorizador, desde) => hasProva(on, autorizador, desde),
    ritmos: () => selectRitmos(on),
    dias: (what) => selectDias(on, what),
    quadro: doNo.quadro,
    refresh: doNo.refresh,
    onQuadro: doNo.onQuadro,
    semear: async (passado) => {
      if (ambiente !== 'simulador') return false
      const seeded = await seedPassado(on, passado, agora())
      // The incidents of the past may still be open.
      if (seeded) await doNo.reload()
      return seeded
    },
    sweep: async () => {
      await closeDays(on, agora())
      return deleteOld(db, agora())
    },
  }
}
