import type { CnpjRoom } from '../cnpj/cnpj.ts'
import type { Uf } from '../documento/uf.ts'
import type { EstadosRoom } from '../estados/estados.ts'
import type { Consulta } from '../portal/rotas.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'

export type InscricaoRoom = EstadosRoom & CnpjRoom

export function consultaOf(
  room: InscricaoRoom,
  { uf, request_id, deadlineMs }: { uf: Uf; request_id: string; deadlineMs: number },
): Consulta {
  const { now, config, http, captcha, certificado, guard } = room
  const meios = { http, certificado, captcha, now, ambiente: config.SEFAZ_AMBIENTE, deadlineMs }
  return { uf, meios, guard, request_id }
}

export type InscricoesAchadas = {
  inscricoes: Inscricao[]
  cached: boolean
  fonte: string
  /** The instant of the answer, ISO 8601 UTC; of several, the oldest. */
  consultado_em: string
  avisos: string[]
}
