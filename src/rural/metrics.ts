import { Gauge, type Registry } from 'prom-client'
import { situacaoDaSessao } from './rules.ts'
import type { RuralRoom } from './rural.ts'

/** Tells nothing where SIGEF is off, nor where the simulator's own session answers. */
export function watchSigef(registry: Registry, { sessoes, config, sigef, now }: RuralRoom): void {
  if (config.SIGEF === 'desligado') return
  const registers = [registry]
  new Gauge({
    name: 'consulta_fiscal_sigef_session_usable',
    help: 'Whether the imported session with SIGEF serves: 1, or 0 if there is none or it is over.',
    registers,
    async collect() {
      // A reset would tell 0, which is a session that is over, where nobody knows.
      this.remove()
      const dados = await sessoes.lookSoon()
      if (dados === 'away' || (!dados && sigef)) return
      const { situacao } = situacaoDaSessao(dados, now())
      this.set(situacao === 'valida' || situacao === 'suspeita' ? 1 : 0)
    },
  })
  new Gauge({
    name: 'consulta_fiscal_sigef_session_end_seconds',
    help: 'Seconds until SIGEF forgets the session, and until the gov.br login that renews it is over, where it is known.',
    labelNames: ['what'],
    registers,
    async collect() {
      this.reset()
      const dados = await sessoes.lookSoon()
      if (dados === 'away' || !dados) return
      const secondsTo = (end: Date): number => Math.round((end.getTime() - now().getTime()) / 1000)
      this.set({ what: 'session' }, secondsTo(dados.vence_em))
      if (dados.login_ate) this.set({ what: 'login' }, secondsTo(dados.login_ate))
    },
  })
}
