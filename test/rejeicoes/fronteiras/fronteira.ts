import type { ResultadoDaVerificacao } from '../../../src/domain/rejeicoes/laudo.ts'
import type { Mudanca } from '../../../src/domain/rejeicoes/verificacao.ts'

/** A note that breaks a rule, and what its check finds on days before and after the rule changes. */
export type Fronteira = {
  /** The id of the check. */
  verificacao: string
  /** The base note, and what makes it break the rule. */
  nota: string
  mudancas: readonly Mudanca[]
  /** `tpAmb`; production if left out. */
  ambiente?: '1' | '2'
  dias: readonly (readonly [dia: string, resultado: ResultadoDaVerificacao])[]
}
