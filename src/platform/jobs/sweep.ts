import type { Platform } from '../platform.ts'

export type Sweeps = Readonly<Record<string, () => Promise<unknown>>>

export const sweepsOf = ({ cache, leituras, idempotencia, jobs, log }: Platform): Sweeps => ({
  'sweep-cache': async () => {
    const swept = await cache.sweep()
    if (swept > 0) log.debug({ swept }, 'swept what the cache held too long')
  },
  'sweep-leituras': leituras.sweep,
  'sweep-idempotencia': idempotencia.sweep,
  'sweep-jobs': jobs.sweep,
})

export const sweeper = (sweeps: Sweeps, log: Platform['log']) => async (): Promise<void> => {
  for (const [job, sweep] of Object.entries(sweeps))
    try {
      await sweep()
    } catch (err) {
      log.error({ err, job }, 'a job failed')
    }
}
