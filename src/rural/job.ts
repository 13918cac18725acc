import { bulkhead } from 'cockatiel'
import { type Job, JobRefused, newRequestId } from '../platform/jobs/kind.ts'
import { buscarParcelas as buscar } from './buscar.ts'
import { buscaDeParcelas, falhaOf, openPedido } from './lookup-sigef.ts'
import { needsRenewal, situacaoDaSessao } from './rules-sigef.ts'
import type { RuralRoom } from './rural.ts'
import { renewInTurn } from './sessao.ts'
import { SIMULTANEAS } from './source-sigef.ts'

const DAY_MS = 24 * 60 * 60_000
/** Questions that wait for a place: two a search, and the renewals. */
const WAITING = 1_000

/**
 * Searches for a holder's parcels in SIGEF. A search that is too long for one run is gone on with by a next
 * job, which finds the parcels that are kept.
 */
export const buscarParcelas = (room: RuralRoom, rodadaMs?: number): Job<typeof buscaDeParcelas.payload> => {
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
      const pedido = openPedido(room.secret, payload)
      if (!pedido) throw new JobRefused('o pedido foi cifrado com outro segredo do servidor')
      const emVaga = <T>(ask: () => Promise<T>): Promise<T> => vagas.execute(ask)
      const result = await buscar(room, pedido, { request_id: id, signal, emVaga }, rodadaMs)
      if (result.fim !== 'continua') return { result }
      return {
        result,
        write: async (on) => void (await room.jobs.enqueue(buscaDeParcelas, payload, { on, conta })),
      }
    },
  }
}

/**
 * Renews the session with SIGEF before it ends, and says in the log, once a day or when it changes, what the
 * operator should do about it. Without a session it does nothing.
 */
export function sessaoKeeper(room: RuralRoom): () => Promise<void> {
  const { config, sessoes, now, log } = room
  let told = ''

  async function renew(): Promise<void> {
    try {
      const request_id = newRequestId(now())
      await renewInTurn(room, { request_id, emVaga: (ask) => ask() })
    } catch (error) {
      const falha = falhaOf(error)
      if (!falha) throw error
      log.warn({ code: falha.code, why: falha.message }, 'the session with SIGEF was not renewed')
    }
  }

  return async () => {
    const dados = config.SIGEF === 'ligado' ? await sessoes.look() : undefined
    if (!dados) return
    if (needsRenewal(dados, now())) await renew()
    const after = await sessoes.look()
    const { situacao, aviso } = situacaoDaSessao(after, now())
    const news = `${situacao} ${after?.renovavel} ${now().toISOString().slice(0, 10)}`
    if (aviso !== '' && news !== told) log.warn({ situacao }, aviso)
    told = news
  }
}
