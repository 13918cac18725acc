import type { CnpjRoom } from '../cnpj/cnpj.ts'
import type { EstadosRoom } from '../estados/estados.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'

export type InscricaoRoom = EstadosRoom & CnpjRoom

export type InscricoesAchadas = {
  inscricoes: Inscricao[]
  cached: boolean
  fonte: string
  /** The instant of the answer, ISO 8601 UTC; of several, the oldest. */
  consultado_em: string
  avisos: string[]
}
