import type { Context } from '../context.ts'

type Stores = Pick<
  Context['store'],
  | 'cache'
  | 'leituras'
  | 'sefaz'
  | 'usos'
  | 'consumo'
  | 'idempotencia'
  | 'certidoes'
  | 'jobs'
  | 'acessos'
  | 'redes'
  | 'attempts'
>

/**
 * Deletes what was kept long enough, one table after the other. A failure is logged, and the others are
 * swept.
 */
export function sweeper(
  { cache, leituras, sefaz, usos, consumo, idempotencia, certidoes, jobs, acessos, redes, attempts }: Stores,
  log: Context['log'],
): () => Promise<void> {
  const sweeps: Record<string, () => Promise<unknown>> = {
    'sweep-cache': async () => {
      const swept = await cache.sweep()
      if (swept > 0) log.debug({ swept }, 'swept what the cache held too long')
    },
    'sweep-leituras': () => leituras.sweep(),
    'sweep-sefaz': () => sefaz.sweep(),
    'sweep-usos': () => usos.sweep(),
    'sweep-consumo': () => consumo.sweep(),
    'sweep-idempotencia': () => idempotencia.sweep(),
    'sweep-certidoes': () => certidoes.sweep(),
    'sweep-jobs': () => jobs.sweep(),
    'sweep-acessos': () => acessos.sweep(),
    'sweep-redes': () => redes.sweep(),
    'sweep-attempts': () => attempts.sweep(),
  }
  return async () => {
    for (const [job, sweep] of Object.entries(sweeps))
      try {
        await sweep()
      } catch (err) {
        log.error({ err, job }, 'a job failed')
      }
  }
}
