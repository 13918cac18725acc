import type { Context } from '../platform/context.ts'
import type { Every } from '../platform/jobs/agenda.ts'
import { readPassado } from './job.ts'
import { fazerRodada } from './rodada.ts'

const SECOND_MS = 1_000

/** The specification's interval. A shorter one is the operator's own risk of a block. */
const USUAL_S = 120

/** What the clock starts for the monitor of the SEFAZ; nothing where the operator has turned it off. */
export function monitorDaSefaz(ctx: Context): readonly Every[] {
  const { config, store, sources, log } = ctx
  if (config.SEFAZ_MONITOR === 'desligado') return []
  if (config.SEFAZ_SECONDS < USUAL_S && sources.ambiente !== 'simulador')
    log.warn(
      { SEFAZ_SECONDS: config.SEFAZ_SECONDS },
      'the SEFAZ are asked more often than usual: they want 180 seconds or more, and may block the certificate',
    )
  return [
    {
      // Each kind of authority has a beat of its own, as it has a history of its own.
      name: `sondar-sefaz-${sources.ambiente}`,
      everyMs: config.SEFAZ_SECONDS * SECOND_MS,
      on: 'one-node',
      atOnce: true,
      run: async (signal) => {
        await seed(ctx)
        await fazerRodada(ctx, signal)
      },
    },
    {
      // The node that ran the round shows it at once.
      name: 'refresh-sefaz',
      everyMs: SECOND_MS,
      on: 'each-node',
      run: async () => void (await store.sefaz.refresh()),
    },
  ]
}

/** Before the first round of a new installation, the simulator tells the past of its authorities. */
async function seed({ store: { sefaz }, sources: { simulador }, log }: Context): Promise<void> {
  if (simulador === undefined || (await sefaz.recentes(1)).length > 0) return
  const passado = await readPassado(simulador)
  if (passado && (await sefaz.semear(passado)))
    log.info({ dias: passado.dias.length, incidentes: passado.incidentes.length }, 'took over a past')
}
