import { Counter, type Registry } from 'prom-client'
import type { ContasRoom } from './contas.ts'

export function watchUsos(registry: Registry, { usos }: ContasRoom): void {
  new Counter({
    name: 'consulta_fiscal_usage_dropped_total',
    help: 'Calls that the database was too slow, or too long away, to count as usage.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(usos.dropped())
    },
  })
}
