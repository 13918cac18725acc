import type { Context } from '../context.ts'
import type { Inscricao } from '../domain/inscricao.ts'
import type { Uf } from '../domain/uf.ts'
import type { Pergunta } from '../sources/estado.ts'
import { estadoOf } from '../sources/registry.ts'
import { askRotas } from '../sources/rotas.ts'
import { consultaOf } from './consulta.ts'

/** A registration does not change within the day (decisions, "Caches"). */
const TTL_MS = 24 * 60 * 60 * 1000

const keyOf = (uf: Uf, { tipo, documento }: Pergunta): string => `ie/1:${uf}:${tipo}:${documento}`

/** The registrations, where they were asked within the last day. */
export const findCached = (ctx: Context, uf: Uf, pergunta: Pergunta): Promise<Inscricao[] | undefined> =>
  ctx.cache.find<Inscricao[]>(keyOf(uf, pergunta))

/**
 * The registrations of a document in a state: from the cache, or asked of the state. Throws SourceError when the state
 * failed, ApiError when it refused the document. `deadlineMs` shortens the time that it may take.
 */
export async function findInscricoes(
  ctx: Context,
  uf: Uf,
  pergunta: Pergunta,
  request_id: string,
  deadlineMs = Number.POSITIVE_INFINITY,
): Promise<{ inscricoes: Inscricao[]; cached: boolean }> {
  const rotas = estadoOf(uf).ie
  const loadMs = Math.min(ctx.config.IE_SECONDS * 1000, deadlineMs)
  const entry = { key: keyOf(uf, pergunta), ttlMs: TTL_MS, loadMs }
  const { value, cached } = await ctx.cache.through(entry, (leftMs) =>
    askRotas(rotas, pergunta, consultaOf(ctx, { uf, request_id, deadlineMs: leftMs })),
  )
  return { inscricoes: value, cached }
}
