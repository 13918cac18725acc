import { enviarCartas } from './contas/job.ts'
import { emitirCertidao } from './federal/job.ts'
import { rotasFederais } from './federal/source-rotas.ts'
import { silencioWarner } from './fontes/job.ts'
import type { Context } from './platform/context.ts'
import { withPatience } from './platform/db/outage.ts'
import { type Every, openAgendas, startEvery } from './platform/jobs/agenda.ts'
import type { Job, JobRunSink } from './platform/jobs/kind.ts'
import { startRunner } from './platform/jobs/runner.ts'
import { sweeper } from './platform/jobs/sweep.ts'
import { avisoDeValidade } from './platform/wire/certificado.ts'
import { buscarParcelas, sessaoKeeper } from './rural/job.ts'
import { monitorDaSefaz } from './sefaz/job.ts'

/** The kinds of durable work that this service does, one file each: see docs/adding-a-job.md. */
const jobsOf = (ctx: Context): readonly Job[] => [
  buscarParcelas(ctx),
  enviarCartas(ctx),
  emitirCertidao(ctx, rotasFederais(ctx.config, ctx.sources)),
]

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 24 * 60 * MINUTE_MS

/**
 * Starts what this node does by itself: its schedules and its jobs. Returns what stops them and waits for
 * them.
 */
export function startJobs(ctx: Context, onRun?: JobRunSink): () => Promise<void> {
  const { log, store } = ctx
  const stopEvery = startEvery([...schedule(ctx), ...monitorDaSefaz(ctx)], {
    agendas: openAgendas(store.db),
    log,
    onRun,
  })
  const runner = startRunner({ jobs: store.jobs, kinds: jobsOf(ctx), log, onRun })
  warnOfCertificado(ctx)
  return async () => {
    await Promise.all([stopEvery(), runner.stop()])
  }
}

/** What the clock starts. */
const schedule = ({ config, store, sources, now, log }: Context): readonly Every[] => [
  {
    name: 'heartbeat',
    everyMs: 5 * SECOND_MS,
    on: 'each-node',
    run: () => store.ledger.heartbeat(),
  },
  {
    // On each node: it also settles what this process could not.
    name: 'release-dead-holds',
    everyMs: 15 * SECOND_MS,
    on: 'each-node',
    run: async () => {
      const released = await store.ledger.releaseDead()
      if (released > 0) log.warn({ released }, 'released the holds of a dead process')
    },
  },
  {
    name: 'refresh-cnpj-base',
    everyMs: SECOND_MS,
    on: 'each-node',
    run: async () => {
      if (store.base.refresh())
        log.info({ versao: store.base.current()?.manifesto.versao }, 'now serving another CNPJ base')
    },
  },
  {
    name: 'write-leituras',
    everyMs: 10 * SECOND_MS,
    on: 'each-node',
    run: () => store.leituras.flush(),
  },
  {
    name: 'write-usos',
    everyMs: 5 * SECOND_MS,
    on: 'each-node',
    run: () => store.usos.flush(),
  },
  {
    // On each node: what was told already is known to each alone.
    name: 'warn-of-silence',
    everyMs: 5 * MINUTE_MS,
    on: 'each-node',
    run: silencioWarner({ db: store.db, now, ambiente: sources.ambiente, log }),
  },
  {
    name: 'sweep',
    everyMs: 10 * MINUTE_MS,
    on: 'one-node',
    run: () => withPatience(sweeper(store, log)),
  },
  {
    // So often that an account of the largest plan has 6,000 entries that are in no sum, at most.
    name: 'sum-months',
    everyMs: 5 * MINUTE_MS,
    on: 'one-node',
    atOnce: true,
    run: (signal) => withPatience(() => store.ledger.somarMeses(signal)),
  },
  {
    name: 'check-certificado',
    everyMs: DAY_MS,
    on: 'each-node',
    run: async () => warnOfCertificado({ sources, now, log }),
  },
  {
    name: 'keep-sigef-session',
    everyMs: 5 * MINUTE_MS,
    on: 'one-node',
    run: sessaoKeeper({ config, store, sources, now, log }),
  },
]

/** From 30 days before the operator's certificate ends, the log says so at the start and once a day. */
function warnOfCertificado({ sources, now, log }: Pick<Context, 'sources' | 'now' | 'log'>): void {
  if (!sources.certificado) return
  const { dias, aviso } = avisoDeValidade(sources.certificado, now())
  if (aviso) log.warn({ dias }, aviso)
}
