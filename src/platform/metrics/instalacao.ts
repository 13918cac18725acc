import { Gauge, type Registry } from 'prom-client'
import type { Context } from '../context.ts'
import { ping } from '../db/ping.ts'
import { avisoDeValidade } from '../wire/certificado.ts'

const DAY_MS = 86_400_000

/** Tells at each scrape what the operator looks after: the database, the certificate and the CNPJ base. */
export function watchInstalacao(
  registry: Registry,
  { store, sources, now }: Pick<Context, 'store' | 'sources' | 'now'>,
): void {
  const registers = [registry]
  new Gauge({
    name: 'consulta_fiscal_database_usable',
    help: 'Whether the database answers and takes commits: 1, or 0 as on a full disk.',
    registers,
    async collect() {
      const looks = await Promise.all([ping(store.db), store.ledger.ready()])
      this.set(looks.includes(false) ? 0 : 1)
    },
  })
  new Gauge({
    name: 'consulta_fiscal_ledger_oldest_order_seconds',
    help: 'Seconds for which the oldest order of the ledger has waited for its commit; 0 where none waits.',
    registers,
    collect() {
      this.set(store.ledger.oldestMs() / 1_000)
    },
  })
  new Gauge({
    name: 'consulta_fiscal_certificate_days',
    help: "Whole days until the operator's certificate ends; negative after it. Absent without one.",
    registers,
    collect() {
      this.remove()
      if (sources.certificado) this.set(avisoDeValidade(sources.certificado, now()).dias)
    },
  })
  new Gauge({
    name: 'consulta_fiscal_cnpj_base_age_days',
    help: 'Days since the first day of the month of the CNPJ base that answers. Absent without one.',
    registers,
    collect() {
      this.remove()
      const base = store.base.current()
      if (base) this.set(Math.floor((now().getTime() - Date.parse(`${base.manifesto.versao}-01`)) / DAY_MS))
    },
  })
}
