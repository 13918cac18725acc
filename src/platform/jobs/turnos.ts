import { randomUUID } from 'node:crypto'
import type { Db } from '../db/db.ts'
import { lookUntil } from './clock.ts'
import { restLease, restOfLease, takeLease } from './lease.ts'

/** The turn to ask a source. */
type Turno = {
  /** Gives the turn back. Nobody gets the next one for `pauseMs`. */
  end: (pauseMs: number) => Promise<void>
}

/** The turns of the sources that all nodes together ask one question at a time. */
export type Turnos = {
  /**
   * Waits for the turn to ask a source; undefined after `patienceMs`, or at once if the source rests or the
   * queue (`pauseMs` each) is too long. A turn that a dead node never gives back ends after `leaseMs`.
   */
  take: (fonte: string, limits: Limits) => Promise<Turno | undefined>
}

type Limits = { patienceMs: number; pauseMs: number; leaseMs: number }

/** Milliseconds between two looks of a waiting caller. */
const LOOK_MS = 250

/** Opens the turns, by the one clock that leases have. `ambiente`: each environment has turns of its own. */
export function openTurnos(db: Db, { ambiente }: { ambiente: string }): Turnos {
  /** How many wait here for the turn to ask a source. */
  const waiting = new Map<string, number>()
  const wait = (fonte: string, change: 1 | -1): void =>
    void waiting.set(fonte, (waiting.get(fonte) ?? 0) + change)

  async function waitFor(fonte: string, { patienceMs, leaseMs }: Limits): Promise<Turno | undefined> {
    const turno = { nome: `fonte:${ambiente}:${fonte}`, dono: randomUUID() }
    const ends = performance.now() + patienceMs
    const look = async (): Promise<'taken' | 'late' | undefined> => {
      if (await takeLease(db, turno, leaseMs)) return 'taken'
      return (await restOfLease(db, turno.nome)) > ends - performance.now() ? 'late' : undefined
    }
    if ((await lookUntil(look, { everyMs: LOOK_MS, forMs: patienceMs })) !== 'taken') return undefined
    return { end: (pauseMs) => restLease(db, turno, pauseMs) }
  }

  return {
    take: async (fonte, limits) => {
      if ((waiting.get(fonte) ?? 0) * limits.pauseMs > limits.patienceMs) return undefined
      wait(fonte, 1)
      try {
        return await waitFor(fonte, limits)
      } finally {
        wait(fonte, -1)
      }
    },
  }
}
