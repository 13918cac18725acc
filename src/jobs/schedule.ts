import type { Context } from '../context.ts'

const HEARTBEAT_MS = 5_000
const RELEASE_MS = 15_000
const BASE_MS = 1_000

/** What the clock starts: this node's heartbeat, the release of dead processes' holds, the swap to a newly published CNPJ base. Returns what stops it. */
export function startJobs(ctx: Context): () => void {
  const timers = [
    every(HEARTBEAT_MS, 'heartbeat', ctx, () => ctx.ledger.heartbeat()),
    every(RELEASE_MS, 'release-dead-holds', ctx, async () => {
      const released = await ctx.ledger.releaseDead()
      if (released > 0) ctx.log.warn({ released }, 'released the holds of a dead process')
    }),
    every(BASE_MS, 'refresh-cnpj-base', ctx, async () => {
      if (ctx.base.refresh())
        ctx.log.info({ versao: ctx.base.current()?.manifesto.versao }, 'now serving another CNPJ base')
    }),
  ]
  return () => timers.forEach(clearInterval)
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
