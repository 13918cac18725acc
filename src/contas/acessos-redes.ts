import type { Db } from '../platform/db/db.ts'
import { deleteInBatches } from '../platform/db/queries.ts'
import { openSelo } from '../platform/secrets.ts'

/** The networks from which the owner of an account proved who he is: no stranger's tries shut them out. */
export type Redes = {
  /** Notes that the owner of an account came from a network. */
  notar: (conta_id: string, rede: string) => Promise<void>
  /** Whether he came from it before. An account that is none knows no network, by the same work. */
  conhece: (conta_id: string, rede: string) => Promise<boolean>
  /** Forgets the networks that nobody came from for long; how many. */
  sweep: () => Promise<number>
}

const DAY_MS = 86_400_000
/** How long a network is known without its owner. */
const VIDA_MS = 180 * DAY_MS
/** The most networks of an account: one more ends the one that was used longest ago. */
const MAIS_REDES = 50

/** Opens the known networks. They are kept as fingerprints under the server's secret alone. */
export function openRedes({ kysely }: Db, { now, secret }: { now: () => Date; secret: string }): Redes {
  const { mac } = openSelo(secret, 'redes')
  const marcaDe = (conta_id: string, rede: string): string => mac(`${conta_id} ${rede}`).slice(0, 32)
  return {
    notar: async (conta_id, rede) => {
      const vista_em = now().getTime()
      const { numInsertedOrUpdatedRows = 0n } = await kysely
        .insertInto('redes')
        .values({ conta_id, rede: marcaDe(conta_id, rede), vista_em })
        .onConflict((of) =>
          of
            .column('rede')
            .doUpdateSet({ vista_em })
            // A log-in a minute is no write a minute.
            .where('redes.vista_em', '<', vista_em - DAY_MS),
        )
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows === 0n) return
      await kysely
        .deleteFrom('redes')
        .where('conta_id', '=', conta_id)
        .where('rede', 'not in', (from) =>
          from
            .selectFrom('redes')
            .select('rede')
            .where('conta_id', '=', conta_id)
            .orderBy('vista_em', 'desc')
            .orderBy('rede')
            .limit(MAIS_REDES),
        )
        .execute()
    },
    conhece: async (conta_id, rede) => {
      const row = await kysely
        .selectFrom('redes')
        .select('rede')
        .where('rede', '=', marcaDe(conta_id, rede))
        .executeTakeFirst()
      return row !== undefined
    },
    sweep: () =>
      deleteInBatches(500, async (size) => {
        const { numDeletedRows } = await kysely
          .deleteFrom('redes')
          .where('rede', 'in', (from) =>
            from
              .selectFrom('redes')
              .select('rede')
              .where('vista_em', '<', now().getTime() - VIDA_MS)
              .limit(size),
          )
          .executeTakeFirst()
        return Number(numDeletedRows)
      }),
  }
}
