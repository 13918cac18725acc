import { sendCartas } from './contas/job.ts'
import { issueCertidao } from './federal/job.ts'
import { silencioWarner } from './fontes/job.ts'
import { withPatience } from './platform/db/outage.ts'
import { type Every, openAgendas, startEvery, sweeper, sweepsOf } from './platform/jobs/agenda.ts'
import type { Job, JobRunSink } from './platform/jobs/kind.ts'
import { startRunner } from './platform/jobs/runner.ts'
import type { Platform } from './platform/platform.ts'
import { avisoDeValidade } from './platform/wire/certificado.ts'
import type { Rooms } from './rooms.ts'
import { searchParcelas, sessaoKeeper } from './rural/job.ts'
import { scheduleMonitor } from './sefaz/job.ts'

/** One file each: see docs/adding-a-job.md. */
const jobsOf = ({ rural, contas, federal }: Rooms): readonly Job[] => [
  searchParcelas(rural),
  sendCartas(contas),
  issueCertidao(federal),
]

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 24 * 60 * MINUTE_MS

/** Returns what stops the schedules and jobs, and waits for them. */
export function startJobs(rooms: Rooms, onRun?: JobRunSink): () => Promise<void> {
  const { log, db, jobs } = rooms.platform
  const stopEvery = startEvery([...schedule(rooms), ...scheduleMonitor(rooms.sefaz)], {
    agendas: openAgendas(db),
    log,
    onRun,
  })
  const runner = startRunner({ jobs, kinds: jobsOf(rooms), log, onRun })
  warnOfCertificado(rooms.platform)
  return async () => {
    await Promise.all([stopEvery(), runner.stop()])
  }
}

const schedule = ({ platform, contas, cnpj, federal, nfe, sefaz, rural }: Rooms): readonly Every[] => [
  {
    name: 'heartbeat',
    everyMs: 5 * SECOND_MS,
    on: 'each-node',
    run: () => platform.ledger.heartbeat(),
  },
  {
    // On each node: it also settles what this process could not.
    name: 'release-dead-holds',
    everyMs: 15 * SECOND_MS,
    on: 'each-node',
    run: async () => {
      const released = await platform.ledger.releaseDead()
      if (released > 0)
        platform.log.warn({ released }, 'reservas sem dono e cobranças sem resposta foram devolvidas')
    },
  },
  {
    name: 'refresh-cnpj-base',
    everyMs: SECOND_MS,
    on: 'each-node',
    run: async () => {
      if (cnpj.base.refresh())
        platform.log.info({ versao: cnpj.base.current()?.manifesto.versao }, 'outra base do CNPJ está no ar')
    },
  },
  {
    name: 'write-leituras',
    everyMs: 10 * SECOND_MS,
    on: 'each-node',
    run: () => platform.leituras.flush(),
  },
  {
    name: 'write-usos',
    everyMs: 5 * SECOND_MS,
    on: 'each-node',
    run: () => contas.usos.flush(),
  },
  {
    name: 'index-usos',
    everyMs: 30 * SECOND_MS,
    on: 'each-node',
    run: () => contas.usos.index(),
  },
  {
    // On each node: what was told already is known to each alone.
    name: 'warn-of-silence',
    everyMs: 5 * MINUTE_MS,
    on: 'each-node',
    run: silencioWarner(platform),
  },
  {
    name: 'sweep',
    everyMs: 10 * MINUTE_MS,
    on: 'one-node',
    run: (signal) =>
      withPatience(
        sweeper(
          {
            ...sweepsOf(platform),
            'sweep-sefaz': sefaz.monitor.sweep,
            'sweep-usos': contas.usos.sweep,
            'sweep-consumo': nfe.consumo.sweep,
            'sweep-certidoes': federal.certidoes.sweep,
            'sweep-acessos': contas.acessos.sweep,
            'sweep-redes': contas.redes.sweep,
            'sweep-guardadas': contas.guardadas.sweep,
            'sweep-attempts': contas.attempts.sweep,
          },
          platform.log,
          signal,
        ),
      ),
  },
  {
    // So often that an account of the largest plan has 6,000 entries that are in no sum, at most.
    name: 'sum-months',
    everyMs: 5 * MINUTE_MS,
    on: 'one-node',
    atOnce: true,
    run: (signal) => withPatience(() => platform.ledger.sumMeses(signal)),
  },
  {
    name: 'check-certificado',
    everyMs: DAY_MS,
    on: 'each-node',
    run: async () => warnOfCertificado(platform),
  },
  {
    name: 'keep-sigef-session',
    everyMs: 5 * MINUTE_MS,
    on: 'one-node',
    run: sessaoKeeper(rural),
  },
]

/** From 30 days before the operator's certificate ends, the log says so at the start and once a day. */
function warnOfCertificado({ certificado, now, log }: Platform): void {
  if (!certificado) return
  const { dias, aviso } = avisoDeValidade(certificado, now())
  if (aviso) log.warn({ dias }, aviso)
}
