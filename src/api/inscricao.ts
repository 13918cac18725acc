import type { Context } from '../context.ts'
import { ApiError } from '../domain/errors.ts'
import type { Inscricao } from '../domain/inscricao.ts'
import { type Uf, unidades } from '../domain/uf.ts'
import type { Pergunta } from '../sources/estado.ts'
import { estados } from '../sources/registry.ts'
import { askRotas } from '../sources/rotas.ts'
import { consultaOf } from './consulta.ts'

/** A registration does not change within the day (decisions, "Caches"). */
const TTL_MS = 24 * 60 * 60 * 1000

/** The UFs that can be asked today, in alphabetical order. */
export const connectedUfs: readonly Uf[] = [...estados.keys()].sort()

const keyOf = (uf: Uf, { tipo, documento }: Pergunta): string => `ie/1:${uf}:${tipo}:${documento}`

/** The registrations, where they were asked within the last day. */
export const findCached = (ctx: Context, uf: Uf, pergunta: Pergunta): Promise<Inscricao[] | undefined> =>
  ctx.cache.find<Inscricao[]>(keyOf(uf, pergunta))

/**
 * The registrations of a document in a state: from the cache, or asked of the state. Throws SourceError when the state
 * failed, ApiError when it is not connected or refused the document. `deadlineMs` shortens the time that it may take.
 */
export async function findInscricoes(
  ctx: Context,
  uf: Uf,
  pergunta: Pergunta,
  request_id: string,
  deadlineMs = Number.POSITIVE_INFINITY,
): Promise<{ inscricoes: Inscricao[]; cached: boolean }> {
  const rotas = estados.get(uf)?.ie
  if (!rotas) throw notConnected(uf)
  const loadMs = Math.min(ctx.config.IE_SECONDS * 1000, deadlineMs)
  const entry = { key: keyOf(uf, pergunta), ttlMs: TTL_MS, loadMs }
  const { value, cached } = await ctx.cache.through(entry, (leftMs) =>
    askRotas(rotas, pergunta, consultaOf(ctx, { uf, request_id, deadlineMs: leftMs })),
  )
  return { inscricoes: value, cached }
}

function notConnected(uf: Uf): ApiError {
  const { nome } = unidades[uf]
  const detail = `A consulta de inscrição estadual em ${nome} (${uf}) ainda não está ligada nesta versão. Estão ligados: ${connectedUfs.join(', ')}. Nada foi cobrado.`
  return new ApiError('SITE_INDISPONIVEL', detail)
}
