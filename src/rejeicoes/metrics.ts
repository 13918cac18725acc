import { Counter, type Registry } from 'prom-client'
import type { RejeicoesRoom } from './rejeicoes.ts'

/** Tells which codes of our checks contradicted an authorization: each is a rule to look at again. */
export function watchDiagnostico(registry: Registry, { divergencias }: RejeicoesRoom): void {
  new Counter({
    name: 'consulta_fiscal_diagnosis_divergences_total',
    help: 'Authorised notes that a check of ours would have refused, by the code of the check.',
    labelNames: ['code'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [code, count] of divergencias.counts()) this.inc({ code }, count)
    },
  })
}
