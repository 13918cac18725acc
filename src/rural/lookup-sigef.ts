import { type Static, Type } from 'typebox'
import { Check } from 'typebox/schema'
import type { Documento } from '../documento/documento.ts'
import type { SealedCache } from '../platform/cache/sealed.ts'
import { type SourceCode, sourceCodes } from '../platform/errors.ts'
import { JobsFull } from '../platform/jobs/jobs.ts'
import { openSelo } from '../platform/secrets.ts'
import { trusted } from '../platform/trusted.ts'
import { type RetryS, SourceError } from '../platform/wire/fonte.ts'
import { SourceStatusError } from '../platform/wire/source-status.ts'
import type { ParcelaDoSigef, ParcelaLida } from './rules.ts'
import type { RuralRoom } from './rural.ts'
import { requireSessao } from './sessao.ts'

/** Specification, "Configuration": SIGEF's answers are kept for 168 hours. So is each of their parts. */
const TTL_MS = 168 * 60 * 60_000

/** An answer for which the open map failed is kept so long; the next search asks only what is missing. */
const INCOMPLETA_MS = 60 * 60_000

type ParcelaDatada = ParcelaDoSigef & { data_certificacao: string }

/** The parcels of a holder. `consultado_em` is of the oldest page among them, ISO 8601 UTC. */
export type ParcelasAchadas = { parcelas: ParcelaDatada[]; consultado_em: string; avisos: string[] }

export type Guardadas = ReturnType<typeof openGuardadas>

const keyOf = ({ tipo, documento }: Documento): string => `sigef/1:${tipo}:${documento}`

export const openGuardadas = (sealed: SealedCache, now: () => Date) => {
  /** What is made of older parts ends with the oldest of them. */
  const leftMs = (since: string): number => TTL_MS - (now().getTime() - Date.parse(since))
  return {
    find: async (of: Documento): Promise<ParcelasAchadas | undefined> =>
      (await sealed.find<ParcelasAchadas>(keyOf(of)))?.value,
    /** Keeps the parcels of a holder; a notice says that days of certification are missing. */
    keep: (of: Documento, achadas: ParcelasAchadas): Promise<void> => {
      const left = leftMs(achadas.consultado_em)
      const ttlMs = achadas.avisos.length > 0 ? Math.min(left, INCOMPLETA_MS) : left
      return sealed.put({ key: keyOf(of), ttlMs }, achadas)
    },
    findParcela: (uuid: string) => sealed.find<ParcelaLida>(`sigef-parcela/1:${uuid}`),
    keepParcela: (lida: ParcelaLida): Promise<void> =>
      sealed.put({ key: `sigef-parcela/1:${lida.parcela.codigo_parcela}`, ttlMs: TTL_MS }, lida),
    findDia: async (uuid: string): Promise<string | undefined> =>
      (await sealed.find<string>(`sigef-dia/1:${uuid}`))?.value,
    keepDia: (uuid: string, dia: string): Promise<void> =>
      sealed.put({ key: `sigef-dia/1:${uuid}`, ttlMs: TTL_MS }, dia),
  }
}

/** The codes that SIGEF's failures have. Specification, "source_status". */
export const codigosDoSigef = [
  'SIGEF_DISABLED',
  'SIGEF_NO_SESSION',
  'SIGEF_HTTP_ERROR',
  'SIGEF_NETWORK_ERROR',
  'SIGEF_PARSE_FAILED',
] as const satisfies SourceCode[]

export type CodigoDoSigef = (typeof codigosDoSigef)[number]

export type FalhaDoSigef = { code: CodigoDoSigef; message: string; retryS: RetryS }

/** The failure that an error means; undefined for an error of our own. */
export function falhaOf(error: unknown): FalhaDoSigef | undefined {
  if (error instanceof SourceStatusError) {
    const code = codigosDoSigef.find((one) => one === error.code)
    return code && { code, message: error.message, retryS: error.retryS }
  }
  if (!(error instanceof SourceError)) return undefined
  const code = codeOf(error)
  return { code, message: error.message, retryS: error.retryS ?? sourceCodes[code].retryS }
}

function codeOf({ kind, codigo }: SourceError): CodigoDoSigef {
  if (kind === 'parse') return 'SIGEF_PARSE_FAILED'
  return isNotSent(codigo) || kind === 'network' || kind === 'timeout'
    ? 'SIGEF_NETWORK_ERROR'
    : 'SIGEF_HTTP_ERROR'
}

/** Held back by our own limits: SIGEF said nothing. */
const isNotSent = (codigo: SourceError['codigo']): boolean =>
  codigo === 'fila' || codigo === 'circuito-aberto'

export const isOfSessao = (error: unknown): error is SourceError =>
  error instanceof SourceError && codeOf(error) === 'SIGEF_HTTP_ERROR'

/** `desde`: how old a kept page of a parcel may be (ISO 8601 UTC). */
export type PedidoDeBusca = Documento & { desde: string }

const payload = Type.Object({ chave: Type.String(), selado: Type.String() })

export const buscaDeParcelas = {
  kind: 'buscar-parcelas-sigef',
  payload,
  key: ({ chave }: Static<typeof payload>) => chave,
}

const PURPOSE = 'busca no sigef'

/** Seals an order. Its key is a keyed hash of the document. */
export function sealPedido(secret: string, pedido: PedidoDeBusca): Static<typeof payload> {
  const selo = openSelo(secret, PURPOSE)
  const chave = selo.mac(`${pedido.tipo}:${pedido.documento}`)
  return { chave, selado: selo.seal(JSON.stringify(pedido), chave) }
}

export function openPedido(
  secret: string,
  { chave, selado }: Static<typeof payload>,
): PedidoDeBusca | undefined {
  const text = openSelo(secret, PURPOSE).open(selado, chave)
  // Proven by the seal: only `sealPedido` makes it.
  return text && trusted<PedidoDeBusca>(JSON.parse(text.toString()))
}

const Fim = Type.Object({
  fim: Type.Enum(['guardada', 'continua', 'falhou']),
  falha: Type.Optional(
    Type.Object({
      code: Type.Enum([...codigosDoSigef]),
      message: Type.String(),
      retryS: Type.Union([Type.Number(), Type.Null()]),
    }),
  ),
})

export type FimDaBusca = Static<typeof Fim>

/** Reads what a job left. One of another version is not known: the parcels are then looked for. */
const readFim = (result: unknown): FimDaBusca =>
  // Proven by the schema.
  Check(Fim, result) ? trusted<FimDaBusca>(result) : { fim: 'guardada' }

export async function findParcelasKept(
  { config, sealed, now }: RuralRoom,
  asked: Documento,
  maxAgeMs?: number,
): Promise<ParcelasAchadas | undefined> {
  if (config.SIGEF === 'desligado') return undefined
  const kept = await openGuardadas(sealed, now).find(asked)
  if (!kept || maxAgeMs === undefined) return kept
  return now().getTime() - Date.parse(kept.consultado_em) <= maxAgeMs ? kept : undefined
}

/** At two pages a second, 200 searches are hours of work. Each account has its share. */
const most = { open: 200, own: 20 }
const FULL_S = 60

type ChamadaDoSigef = {
  request_id: string
  conta: string
  leaving: AbortSignal
  maxAgeMs: number | undefined
}

/**
 * Throws SourceStatusError: past the deadline, or when this process stops, SIGEF_NETWORK_ERROR. The job goes
 * on.
 */
export async function findParcelas(
  room: RuralRoom,
  asked: Documento,
  { request_id, conta, leaving, maxAgeMs }: ChamadaDoSigef,
): Promise<ParcelasAchadas> {
  const { config, secret, sealed, jobs, now, log } = room
  if (config.SIGEF === 'desligado')
    throw new SourceStatusError('SIGEF_DISABLED', 'A consulta ao SIGEF está desligada neste serviço.')
  await requireSessao(room)
  const oldest = maxAgeMs === undefined ? 0 : now().getTime() - Math.max(0, maxAgeMs)
  const desde = new Date(oldest).toISOString()
  const ends = performance.now() + config.SIGEF_SECONDS * 1000
  const pedido = sealPedido(secret, { ...asked, desde })
  const guardadas = openGuardadas(sealed, now)
  for (let leftMs = ends - performance.now(); leftMs > 0; leftMs = ends - performance.now()) {
    const { id } = await jobs.enqueue(buscaDeParcelas, pedido, { conta, most }).catch(refuseFull)
    // The lines of what the job asks have its id as `request_id`.
    log.info({ request_id, job: buscaDeParcelas.kind, job_id: id }, 'waiting for a job')
    const end = await jobs.waitFor(id, leftMs, leaving)
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
