import type { Documento } from '../documento/documento.ts'
import type { Uf } from '../documento/uf.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'
import { openCcc } from './ccc.ts'
import { findInscricoes } from './lookup.ts'
import type { Recursos } from './recursos.ts'
import { type ChamadaTodos, type ComLog, type Entrada, fanOut } from './todos.ts'

/** The entry of a state: the registrations that were found there, none if it failed. */
export type EntradaIe = Entrada & { results: Inscricao[] }

/** What the lookup needs of the service besides what one state takes. */
export type RecursosIeTodos = Recursos & ComLog & { config: { IE_TODOS_SECONDS: number } }

/**
 * The registrations of a document in all 27 states, within IE_TODOS_SECONDS, and the states whose answer was
 * kept. Throws as `fanOut` does.
 */
export async function findInscricoesTodos(
  recursos: RecursosIeTodos,
  asked: Documento,
  call: ChamadaTodos<EntradaIe>,
): Promise<{ results: EntradaIe[]; cached_ufs: Uf[] }> {
  const { request_id, maxAgeMs } = call
  const chamada = { request_id, maxAgeMs, ccc: call.ccc ?? openCcc(recursos, asked, call) }
  const fromCache = new Set<Uf>()
  const results = await fanOut(
    { ctx: recursos, call },
    {
      deadlineMs: recursos.config.IE_TODOS_SECONDS * 1000,
      ask: async (uf) => {
        const found = await findInscricoes(recursos, uf, asked, chamada)
        const { inscricoes, cached, fonte, consultado_em, avisos } = found
        if (cached) fromCache.add(uf)
        return { results: inscricoes, fonte, consultado_em, avisos }
      },
      failed: (): { results: Inscricao[] } => ({ results: [] }),
    },
  )
  return { results, cached_ufs: results.map(({ uf }) => uf).filter((uf) => fromCache.has(uf)) }
}
