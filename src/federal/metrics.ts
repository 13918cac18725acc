import { setTimeout as delay } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import { COUNT_MS } from '../platform/metrics.ts'
import type { FederalRoom } from './federal.ts'

export function watchConfianca(registry: Registry, { confianca }: FederalRoom): void {
  new Gauge({
    name: 'consulta_fiscal_federal_route_refused_companies',
    help: 'Companies in a row that a route to the federal certificate refused for want of information; 20: it rests.',
    labelNames: ['route'],
    registers: [registry],
    async collect() {
      this.reset()
      const late = delay(COUNT_MS, [], { ref: false })
      const listed = await Promise.race([confianca.list().catch(() => []), late])
      for (const { rota, recusados } of listed) this.set({ route: rota }, recusados)
    },
  })
}
