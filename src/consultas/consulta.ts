import type { Context } from '../context/context.ts'
import type { Inscricao } from '../domain/inscricao/inscricao.ts'
import type { Uf } from '../domain/uf.ts'
import type { Consulta } from '../sources/rotas.ts'

/** How a state's routes are asked for a request. */
export function consultaOf(
  ctx: Context,
  { uf, request_id, deadlineMs }: { uf: Uf; request_id: string; deadlineMs: number },
): Consulta {
  const { http, captcha, config, authorities, now, guard } = ctx
  const { certificado } = authorities
  const meios = { http, certificado, captcha, now, ambiente: config.SEFAZ_AMBIENTE, deadlineMs }
  return { uf, meios, guard, request_id }
}

/** The registrations of a document in a state, and what a client should know of them. */
export type InscricoesAchadas = {
  inscricoes: Inscricao[]
  cached: boolean
  /** The id of the source that answered. */
  fonte: string
  avisos: string[]
}
