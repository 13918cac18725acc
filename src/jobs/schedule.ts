import type { Context } from '../context/context.ts'
import { avisoDeValidade } from '../domain/certificado.ts'
import { silencioWarner } from './silencio.ts'

const HEARTBEAT_MS = 5_000
const RELEASE_MS = 15_000
const BASE_MS = 1_000
const LEITURAS_MS = 10_000
const SILENCIO_MS = 5 * 60_000
const SWEEP_MS = 10 * 60_000
const CERTIFICADO_MS = 24 * 60 * 60_000

/**
 * What the clock starts: this node's heartbeat, the release of dead processes' holds, the swap to a newly published CNPJ
 * base, the sweeps of what is kept for a time, the writing of what became of the queries to the sources, the look at the
 * operator's certificate. Returns what stops it.
 */
export function startJobs(ctx: Context): () => void {
  const timers = [
    every(HEARTBEAT_MS, 'heartbeat', ctx, () => ctx.store.ledger.heartbeat()),
    every(RELEASE_MS, 'release-dead-holds', ctx, async () => {
      const released = await ctx.store.ledger.releaseDead()
      if (released > 0) ctx.log.warn({ released }, 'released the holds of a dead process')
    }),
    every(BASE_MS, 'refresh-cnpj-base', ctx, async () => {
      if (ctx.store.base.refresh())
        ctx.log.info({ versao: ctx.store.base.current()?.manifesto.versao }, 'now serving another CNPJ base')
    }),
    every(SWEEP_MS, 'sweep-cache', ctx, async () => {
      const swept = await ctx.store.cache.sweep()
      if (swept > 0) ctx.log.debug({ swept }, 'swept what the cache held too long')
    }),
    every(LEITURAS_MS, 'write-leituras', ctx, () => ctx.store.leituras.flush()),
    every(
      SILENCIO_MS,
      'warn-of-silence',
      ctx,
      silencioWarner({ db: ctx.store.db, now: ctx.now, ambiente: ctx.sources.ambiente, log: ctx.log }),
    ),
    every(SWEEP_MS, 'sweep-leituras', ctx, async () => void (await ctx.store.leituras.sweep())),
    every(SWEEP_MS, 'sweep-consumo', ctx, async () => void (await ctx.store.consumo.sweep())),
    every(SWEEP_MS, 'sweep-idempotencia', ctx, async () => void (await ctx.store.idempotencia.sweep())),
    every(CERTIFICADO_MS, 'check-certificado', ctx, async () => warnOfCertificado(ctx)),
  ]
  warnOfCertificado(ctx)
  return () => timers.forEach(clearInterval)
}

/** From 30 days before the operator's certificate ends, the log says so at the start and once a day. */
function warnOfCertificado({ sources, now, log }: Context): void {
  if (!sources.certificado) return
  const { dias, aviso } = avisoDeValidade(sources.certificado, now())
  if (aviso) log.warn({ dias }, aviso)
}

/** Runs `task` every `ms`, never twice at once; a failure is logged and the next round tries again. */
function every(ms: number, job: string, { log }: Context, task: () => Promise<void>): NodeJS.Timeout {
  let running = false
  return setInterval(async () => {
    if (running) return
    running = true
    try {
      await task()
    } catch (err) {
      log.error({ err, job }, 'a job failed')
    } finally {
      running = false
    }
  }, ms).unref()
}
