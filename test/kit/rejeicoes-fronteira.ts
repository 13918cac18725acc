import type { Mudanca } from '../../src/rejeicoes/rules.ts'
import type { ResultadoDaVerificacao } from '../../src/rejeicoes/rules-laudo.ts'

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
