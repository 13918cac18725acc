import { findBase } from '../cnpj/lookup.ts'
import type { Documento } from '../documento/documento.ts'
import { normalizeInscricao } from '../documento/inscricao-estadual.ts'
import { type Uf, ufs } from '../documento/uf.ts'
import { estadoOf } from '../estados/estado.ts'
import type { Got, PorChamada } from '../platform/cache/cache.ts'
import { DatabaseAway } from '../platform/db/outage.ts'
import { dizeresOf, fonteOfFailure, statusOfFailure } from '../platform/http/problem.ts'
import { RotaNaoAtende, SourceError } from '../platform/wire/fonte.ts'
import { type SourceStatus, success } from '../platform/wire/source-status.ts'
import type { Estado, Pergunta } from '../portal/estado.ts'
import { askRotas, consultaOf, type Respondido } from '../portal/rotas.ts'
import type { Inscricao } from '../portal/rules-inscricao.ts'
import { type Ccc, findByCcc, openCcc } from './ccc.ts'
import type { InscricaoRoom, InscricoesAchadas } from './inscricao.ts'

export type Entrada = {
  uf: Uf
  source_status: SourceStatus
  fonte: string
  /** The instant of the answer, ISO 8601 UTC; empty if the state failed. */
  consultado_em: string
  avisos: string[]
}

type Procedencia = Pick<Entrada, 'fonte' | 'consultado_em' | 'avisos'>

type Caller<T> = {
  room: Pick<InscricaoRoom, 'log'>
  call: { request_id: string; emit: (entry: Entrada & T) => void; leaving: () => AbortSignal }
}

/** The call of a lookup in every state. Lookups about one document may share the national register. */
export type ChamadaTodos<E extends Entrada> = PorChamada & Caller<E>['call'] & { ccc?: Ccc | undefined }

type Question<T> = {
  ask: (uf: Uf) => Promise<T & Procedencia>
  /** The entry of a state that failed. `dizeres` are the state's own words, if it said any. */
  failed: (status: Entrada['source_status'], dizeres: string) => T
  /** Milliseconds for the whole call. A state without an answer by then is a time-out. */
  deadlineMs: number
}

/**
 * A failure costs its own entry only, one of ours in every state is thrown. When the client leaves, it throws
 * the reason of `leaving`, and what was sent may finish and is cached.
 */
export async function fanOut<T extends object>(
  { room, call }: Caller<T>,
  { ask, failed, deadlineMs }: Question<T>,
): Promise<(Entrada & T)[]> {
  const leaving = call.leaving()
  leaving.throwIfAborted()
  const over = Promise.withResolvers<never>()
  const gone = Promise.withResolvers<never>()
  const timer = setTimeout(() => over.reject(lateCall(deadlineMs)), deadlineMs)
  const onLeft = () => gone.reject(leaving.reason)
  leaving.addEventListener('abort', onLeft, { once: true })
  const ours: unknown[] = []

  async function entryOf(uf: Uf): Promise<Entrada & T> {
    try {
      const answer = await Promise.race([ask(uf), over.promise])
      return { uf, source_status: success, ...answer }
    } catch (error) {
      const source_status = statusOfFailure(error) ?? ourFailure(error, uf)
      return {
        uf,
        source_status,
        ...failed(source_status, dizeresOf(error)),
        fonte: fonteOfFailure(error),
        consultado_em: '',
        avisos: [],
      }
    }
  }

  /** What a state's entry says where not the state failed, but this service. */
  function ourFailure(error: unknown, uf: Uf): SourceStatus {
    ours.push(error)
    const { request_id } = call
    if (!(error instanceof DatabaseAway)) {
      room.log.error({ err: error, uf, request_id }, 'unexpected failure in one state')
      return bug
    }
    const { error_code } = away
    room.log.error({ error_code, reason: error.message, uf, request_id }, 'the database is away')
    return away
  }

  const asked = ufs.map(async (uf) => {
    const entry = await entryOf(uf)
    if (!leaving.aborted) call.emit(entry)
    return entry
  })
  try {
    const entries = await Promise.race([Promise.all(asked), gone.promise])
    if (ours.length === ufs.length) throw ours[0]
    return entries
  } finally {
    clearTimeout(timer)
    leaving.removeEventListener('abort', onLeft)
  }
}

/** The price of these entries: 1 credit for each state that answered, also with an empty result. */
export const creditosOf = (entries: readonly { source_status: { status: string } }[]): number =>
  entries.filter(({ source_status }) => source_status.status === success.status).length

const bug: SourceStatus = {
  status: 'error',
  error_code: 'ERRO_INTERNO',
  error_message:
    'Ocorreu um erro inesperado no serviço ao consultar este estado. Tente de novo em alguns segundos.',
  retryable: true,
}

const away: SourceStatus = {
  status: 'error',
  error_code: 'BANCO_INDISPONIVEL',
  error_message:
    'O banco de dados deste serviço ficou fora do ar enquanto este estado era consultado. Tente de novo em alguns segundos.',
  retryable: true,
}

const lateCall = (elapsedMs: number): SourceError =>
  new SourceError('timeout', 'O estado não respondeu dentro do tempo da consulta a todos os estados.', {
    source: 'todos',
    elapsedMs,
  })

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

type Kept = Respondido<Inscricao[]>

const keyOf = (uf: Uf, { tipo, documento }: Pergunta): string => `ie/3:${uf}:${tipo}:${documento}`

const found = (room: InscricaoRoom, { value, since }: Got<Kept>, cached: boolean): InscricoesAchadas => ({
  inscricoes: withAtividades(room, value.resposta),
  cached,
  fonte: value.fonte,
  consultado_em: since,
  avisos: value.avisos,
})

/** What is cached stays as the state told it, so that a later base tells more. */
function withAtividades(room: InscricaoRoom, inscricoes: Inscricao[]): Inscricao[] {
  const base = findBase(room)
  if (!base) return inscricoes
  return inscricoes.map((one) => {
    if (one.cnae_codigo === '' || one.cnae_descricao !== '') return one
    const cnae_descricao = base.descricaoDoCnae(one.cnae_codigo)
    return cnae_descricao === '' ? one : { ...one, cnae_descricao }
  })
}

export async function findCached(
  room: InscricaoRoom,
  uf: Uf,
  pergunta: Pergunta,
  maxAgeMs?: PorChamada['maxAgeMs'],
): Promise<InscricoesAchadas | undefined> {
  const kept = await room.cache.find<Kept>(keyOf(uf, pergunta), maxAgeMs)
  return kept && found(room, kept, true)
}

export type DaChamada = PorChamada & {
  deadlineMs?: number
  /** The national register for the whole call. Without it, the question opens one of its own. */
  ccc?: Ccc | undefined
}

/**
 * Throws SourceError (the state failed), RotaNaoAtende (it does not take the question) or ApiError (it
 * refused the document).
 */
export async function findInscricoes(
  room: InscricaoRoom,
  uf: Uf,
  pergunta: Pergunta,
  {
    request_id,
    maxAgeMs,
    deadlineMs = Number.POSITIVE_INFINITY,
    ccc = openCcc(room, pergunta, { request_id, maxAgeMs }),
  }: DaChamada,
  { ie }: Pick<Estado, 'ie'> = estadoOf(uf),
): Promise<InscricoesAchadas> {
  const loadMs = Math.min(room.config.IE_SECONDS * 1000, deadlineMs)
  const ends = performance.now() + loadMs
  const leftMs = (): number => Math.max(0, ends - performance.now())
  try {
    return await askEstado(room, uf, pergunta, { request_id, maxAgeMs, loadMs, ie })
  } catch (error) {
    if (!ccc || !(error instanceof RotaNaoAtende)) throw error
    const askByIe = (numero: string) => {
      const documento = normalizeInscricao(uf, numero)
      const chamada = { request_id, maxAgeMs, loadMs: leftMs(), ie }
      return askEstado(room, uf, { tipo: 'ie', documento }, chamada)
    }
    const found = await findByCcc(ccc, { uf, why: error, askByIe, leftMs })
    if (!found) throw error
    return found
  }
}

async function askEstado(
  room: InscricaoRoom,
  uf: Uf,
  pergunta: Pergunta,
  { request_id, maxAgeMs, loadMs, ie }: PorChamada & { loadMs: number; ie: Estado['ie'] },
): Promise<InscricoesAchadas> {
  const got = await room.cache.through(
    { key: keyOf(uf, pergunta), ttlMs: goodForMs, loadMs, maxAgeMs },
    (leftMs) => askRotas(ie, pergunta, consultaOf(room, { uf, request_id, deadlineMs: leftMs })),
  )
  return found(room, got, got.cached)
}

/** A registration does not change within the day. A new one may be made within the hour. */
const goodForMs = ({ resposta }: Kept): number => (resposta.length === 0 ? HOUR_MS : DAY_MS)

export type EntradaIe = Entrada & { results: Inscricao[] }

export async function findInscricoesTodos(
  room: InscricaoRoom,
  asked: Documento,
  call: ChamadaTodos<EntradaIe>,
): Promise<{ results: EntradaIe[]; cached_ufs: Uf[] }> {
  const { request_id, maxAgeMs } = call
  const chamada = { request_id, maxAgeMs, ccc: call.ccc ?? openCcc(room, asked, call) }
  const fromCache = new Set<Uf>()
  const results = await fanOut(
    { room, call },
    {
      deadlineMs: room.config.IE_TODOS_SECONDS * 1000,
      ask: async (uf) => {
        const found = await findInscricoes(room, uf, asked, chamada)
        const { inscricoes, cached, fonte, consultado_em, avisos } = found
        if (cached) fromCache.add(uf)
        return { results: inscricoes, fonte, consultado_em, avisos }
      },
      failed: (): { results: Inscricao[] } => ({ results: [] }),
    },
  )
  return { results, cached_ufs: results.map(({ uf }) => uf).filter((uf) => fromCache.has(uf)) }
}
