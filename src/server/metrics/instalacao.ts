import { setTimeout as delay } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import type { Context } from '../../context/context.ts'
import { avisoDeValidade } from '../../domain/certificado.ts'
import { ping } from '../../store/db/ping.ts'

/** How long a scrape waits for the database, which is away if it does not answer by then. */
const PING_MS = 2_000
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
      const usable = async () => (await ping(store.db)) && (await store.ledger.ready())
      const late = delay(PING_MS, false, { ref: false })
      this.set((await Promise.race([usable(), late])) ? 1 : 0)
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
