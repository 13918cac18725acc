import type { Context } from '../context.ts'
import type { Inscricao } from '../domain/inscricao.ts'
import type { Uf } from '../domain/uf.ts'
import type { Pergunta } from '../sources/estado.ts'
import { estadoOf } from '../sources/registry.ts'
import { askRotas, type Respondido } from '../sources/rotas.ts'
import { consultaOf } from './consulta.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** The registrations of a document in a state, and what a client should know of them. */
export type InscricoesAchadas = {
  inscricoes: Inscricao[]
  cached: boolean
  /** The id of the source that answered. */
  fonte: string
  avisos: string[]
}

type Kept = Respondido<Inscricao[]>

const keyOf = (uf: Uf, { tipo, documento }: Pergunta): string => `ie/2:${uf}:${tipo}:${documento}`

const found = ({ resposta, fonte }: Kept, cached: boolean): InscricoesAchadas => ({
  inscricoes: resposta,
  cached,
  fonte,
  avisos: [],
})

/** The registrations, where they were asked a short time ago. */
export async function findCached(
  ctx: Context,
  uf: Uf,
  pergunta: Pergunta,
): Promise<InscricoesAchadas | undefined> {
  const kept = await ctx.cache.find<Kept>(keyOf(uf, pergunta))
  return kept && found(kept, true)
}

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
): Promise<InscricoesAchadas> {
  const rotas = estadoOf(uf).ie
  const loadMs = Math.min(ctx.config.IE_SECONDS * 1000, deadlineMs)
  const { value, cached } = await ctx.cache.through(
    { key: keyOf(uf, pergunta), ttlMs: goodForMs, loadMs },
    (leftMs) => askRotas(rotas, pergunta, consultaOf(ctx, { uf, request_id, deadlineMs: leftMs })),
  )
  return found(value, cached)
}

/** A registration does not change within the day; one may be made within the hour (decisions, "Caches"). */
const goodForMs = ({ resposta }: Kept): number => (resposta.length === 0 ? HOUR_MS : DAY_MS)
