import { bulkhead } from 'cockatiel'
import { type Job, JobRefused } from '../platform/jobs/kind.ts'
import { buscarParcelas as buscar } from './buscar.ts'
import { SIMULTANEAS } from './fonte.ts'
import type { RecursosSigef } from './recursos.ts'
import { buscaDeParcelas, openPedido } from './trabalho.ts'

const DAY_MS = 24 * 60 * 60_000
/** Questions that wait for a place: two a search, and the renewals. */
const WAITING = 1_000

/**
 * Searches for a holder's parcels in SIGEF. A search that is too long for one run is gone on with by a next
 * job, which finds the parcels that are kept.
 */
export const buscarParcelas = (
  ctx: RecursosSigef,
  rodadaMs?: number,
): Job<typeof buscaDeParcelas.payload> => {
  // Of all searches of this node together.
  const vagas = bulkhead(SIMULTANEAS, WAITING)
  return {
    ...buscaDeParcelas,
    attempts: 4,
    backoffMs: 2_000,
    keptMs: DAY_MS,
    // They take turns, so that a holder of a thousand parcels does not keep the others waiting.
    atOnce: 4,
    async run(payload, { id, conta, signal }) {
      const pedido = openPedido(ctx.store.secret, payload)
      if (!pedido) throw new JobRefused('o pedido foi cifrado com outro segredo do servidor')
      const emVaga = <T>(ask: () => Promise<T>): Promise<T> => vagas.execute(ask)
      const result = await buscar(ctx, pedido, { request_id: id, signal, emVaga }, rodadaMs)
      if (result.fim !== 'continua') return { result }
      return {
        result,
        write: async (on) => void (await ctx.store.jobs.enqueue(buscaDeParcelas, payload, { on, conta })),
      }
    },
  }
}
