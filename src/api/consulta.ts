import type { Context } from '../context.ts'
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
  return { uf, meios, guard, request_id, simulado: ctx.ambiente === 'simulador' }
}
