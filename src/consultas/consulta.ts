import type { Inscricao } from '../domain/inscricao/inscricao.ts'
import type { Uf } from '../domain/uf.ts'
import type { Consulta } from '../sources/rotas.ts'
import type { Recursos } from './recursos.ts'

/** The means by which a state's routes are asked for a request. */
export function consultaOf(
  recursos: Recursos,
  { uf, request_id, deadlineMs }: { uf: Uf; request_id: string; deadlineMs: number },
): Consulta {
  const { now, config, sources } = recursos
  const { http, captcha, certificado, guard } = sources
  const meios = { http, certificado, captcha, now, ambiente: config.SEFAZ_AMBIENTE, deadlineMs }
  return { uf, meios, guard, request_id }
}

/** The registrations of a document in a state, with notices for the client. */
export type InscricoesAchadas = {
  inscricoes: Inscricao[]
  cached: boolean
  /** The id of the source that answered. */
  fonte: string
  avisos: string[]
}
