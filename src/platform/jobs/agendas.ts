import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { clockOf, steadyClock } from './jobs-clock.ts'

/** When what one node does for all is due. */
export type Agendas = {
  /**
   * Milliseconds until the next run of a schedule, 0 where it is due. A new one is due after its first
   * interval, or at once with `atOnce`.
   */
  restOf: (schedule: Schedule) => Promise<number>
  /**
   * Takes the run that is due. Of all nodes one gets it; of all the intervals that passed while none lived,
   * one run is left.
   */
  take: (schedule: Schedule) => Promise<boolean>
  /** Gives back a run that was cut: it is due at once, for whoever comes first. */
  giveBack: (schedule: Schedule) => Promise<void>
}

type Schedule = { name: string; everyMs: number; atOnce?: boolean | undefined }

/** Opens the schedules of a database, by the clock that jobs have. */
export function openAgendas(db: Db, { clock: local = steadyClock }: { clock?: () => number } = {}): Agendas {
  return {
    restOf: async ({ name, everyMs, atOnce = false }) => {
      const clock = clockOf(db, local)
      const next = sql<number>`${clock} + cast(${everyMs} as bigint)`
      const first = atOnce ? clock : next
      // One that is further ahead than an interval was set before the clock was set back.
      const { rows } = await sql<{ resta: number }>`
        insert into agendas as a (nome, proxima) values (${name}, ${first})
        on conflict (nome) do update set proxima = ${next} where a.proxima > ${next}
        returning proxima - ${clock} as resta`.execute(db.kysely)
      // On PostgreSQL the clock goes on within a statement: a new one may be overdue already.
      return Math.max(0, rows[0]?.resta ?? (await restOf(db, name, clock)))
    },
    take: async ({ name, everyMs }) => {
      const clock = clockOf(db, local)
      const every = sql<number>`cast(${everyMs} as bigint)`
      // On time the next run keeps the beat; after a missed interval a new beat begins.
      const { rows } = await sql<{ nome: string }>`
        update agendas set proxima = case when proxima + ${every} > ${clock}
          then proxima + ${every} else ${clock} + ${every} end
        where nome = ${name} and proxima <= ${clock}
        returning nome`.execute(db.kysely)
      return rows.length > 0
    },
    giveBack: async ({ name }) => {
      const proxima = clockOf(db, local)
      await sql`update agendas set proxima = ${proxima} where nome = ${name}`.execute(db.kysely)
    },
  }
}

/** Milliseconds until a schedule that exists is due. */
async function restOf({ kysely }: Db, name: string, clock: ReturnType<typeof clockOf>): Promise<number> {
  const { rows } = await sql<{ resta: number }>`
    select proxima - ${clock} as resta from agendas where nome = ${name}`.execute(kysely)
  return rows[0]?.resta ?? 0
}
