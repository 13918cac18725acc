import { Gauge, type Registry } from 'prom-client'
import type { CnpjRoom } from './cnpj.ts'

const DAY_MS = 86_400_000

export function watchBase(registry: Registry, { base: ativa, now }: CnpjRoom): void {
  new Gauge({
    name: 'consulta_fiscal_cnpj_base_age_days',
    help: 'Days since the first day of the month of the CNPJ base that answers. Absent without one.',
    registers: [registry],
    collect() {
      this.remove()
      const base = ativa.current()
      if (base) this.set(Math.floor((now().getTime() - Date.parse(`${base.manifesto.versao}-01`)) / DAY_MS))
    },
  })
}
