import type { Documento } from '../documento/documento.ts'
import { JobsFull } from '../platform/jobs/jobs.ts'
import { SourceStatusError } from '../platform/wire/source-status.ts'
import { openGuardadas, type ParcelasAchadas } from './guardadas.ts'
import type { RecursosSigef } from './recursos.ts'
import { requireSessao } from './sessao.ts'
import { buscaDeParcelas, readFim, sealPedido } from './trabalho.ts'

/** The parcels of a holder, if they were searched for lately, and with SIGEF switched on. */
export async function findParcelasKept(
  { config, store, now }: RecursosSigef,
  asked: Documento,
  maxAgeMs?: number,
): Promise<ParcelasAchadas | undefined> {
  if (config.SIGEF === 'desligado') return undefined
  const kept = await openGuardadas(store.sealed, now).find(asked)
  if (!kept || maxAgeMs === undefined) return kept
  return now().getTime() - Date.parse(kept.consultado_em) <= maxAgeMs ? kept : undefined
}

/**
 * So many searches may be open on all nodes: at two pages a second they are hours of work. An account has its
 * share, so that the others get their places.
 */
const most = { open: 200, own: 20 }
const FULL_S = 60

/** What a call gives its search. */
type ChamadaDoSigef = {
  request_id: string
  /** The account that asks. */
  conta: string
  /** Aborted when the client leaves. */
  leaving: AbortSignal
  maxAgeMs: number | undefined
}

/**
 * Has a holder's parcels searched for by a job, and waits for it. Throws SourceStatusError with a code of
 * SIGEF: past the deadline, or when this process stops, SIGEF_NETWORK_ERROR, and the job goes on; of a job
 * that died the same, and the next call has another.
 */
export async function findParcelas(
  recursos: RecursosSigef,
  asked: Documento,
  { request_id, conta, leaving, maxAgeMs }: ChamadaDoSigef,
): Promise<ParcelasAchadas> {
  const { config, store, now, log } = recursos
  if (config.SIGEF === 'desligado')
    throw new SourceStatusError('SIGEF_DISABLED', 'A consulta ao SIGEF está desligada neste serviço.')
  await requireSessao(recursos)
  const oldest = maxAgeMs === undefined ? 0 : now().getTime() - Math.max(0, maxAgeMs)
  const desde = new Date(oldest).toISOString()
  const ends = performance.now() + config.SIGEF_SECONDS * 1000
  const pedido = sealPedido(store.secret, { ...asked, desde })
  const guardadas = openGuardadas(store.sealed, now)
  for (let leftMs = ends - performance.now(); leftMs > 0; leftMs = ends - performance.now()) {
    const { id } = await store.jobs.enqueue(buscaDeParcelas, pedido, { conta, most }).catch(refuseFull)
    // The lines of what the job asks have its id as `request_id`.
    log.info({ request_id, job: buscaDeParcelas.kind, job_id: id }, 'waiting for a job')
    const end = await store.jobs.waitFor(id, leftMs, leaving)
    if (!end) break
    if (end.state === 'dead') throw new SourceStatusError('SIGEF_NETWORK_ERROR', DEAD)
    const { fim, falha } = readFim(end.result)
    if (falha) throw new SourceStatusError(falha.code, falha.message, { retryS: falha.retryS })
    // A search that another call had begun may have taken pages that are too old for this one.
    const found = fim === 'guardada' ? await guardadas.find(asked) : undefined
    if (found && found.consultado_em >= desde) return found
  }
  throw new SourceStatusError(
    'SIGEF_NETWORK_ERROR',
    'O SIGEF ainda não terminou de responder. A busca continua, e a próxima consulta encontra o que já foi lido.',
  )
}

const DEAD =
  'A busca no SIGEF parou antes do fim e não recomeça sozinha. Consulte de novo: outra busca começa e aproveita o que já foi lido.'

function refuseFull(error: unknown): never {
  if (!(error instanceof JobsFull)) throw error
  const why = error.isOwn
    ? `Esta conta já tem ${most.own} buscas no SIGEF em andamento: espere que alguma termine.`
    : 'Há buscas no SIGEF demais em andamento neste serviço.'
  throw new SourceStatusError('SIGEF_NETWORK_ERROR', why, { retryS: FULL_S })
}
