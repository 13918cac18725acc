import { Gauge, type Registry } from 'prom-client'
import { docs } from './rules.ts'
import type { SefazRoom } from './sefaz.ts'

export function watchSefaz(registry: Registry, { monitor, config, now }: SefazRoom): void {
  if (config.SEFAZ_MONITOR === 'desligado') return
  const registers = [registry]
  new Gauge({
    name: 'consulta_fiscal_sefaz_round_age_seconds',
    help: 'Seconds since the last round of the monitor ended, on whichever node; absent before the first one.',
    registers,
    collect() {
      this.remove()
      const quadro = monitor.quadro()
      if (quadro) this.set((now().getTime() - quadro.rodada.fim) / 1000)
    },
  })
  new Gauge({
    name: 'consulta_fiscal_sefaz_round_blind',
    help: 'What the last round could not see: network, 1 where nobody answered at all; services, 1 where only the public pages were read.',
    labelNames: ['what'],
    registers,
    collect() {
      this.reset()
      const quadro = monitor.quadro()
      if (!quadro) return
      this.set({ what: 'network' }, quadro.rodada.semRede ? 1 : 0)
      this.set({ what: 'services' }, quadro.rodada.fonte === 'paginas' ? 1 : 0)
    },
  })
  new Gauge({
    name: 'consulta_fiscal_sefaz_states',
    help: 'States by document and status code (0 no reading, 1 normal, 2 slow, 3 very slow, 4 error, 5 time-out).',
    labelNames: ['doc', 'code'],
    registers,
    collect() {
      this.reset()
      const quadro = monitor.quadro()
      for (const doc of docs)
        for (const { status_code } of quadro?.situacoes[doc].values() ?? [])
          this.inc({ doc, code: String(status_code) })
    },
  })
  new Gauge({
    name: 'consulta_fiscal_sefaz_incidents_open',
    help: 'Data centres of the SEFAZ with an incident that is open.',
    registers,
    collect() {
      this.set(monitor.quadro()?.abertos.length ?? 0)
    },
  })
}
