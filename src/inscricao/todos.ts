import { type Uf, ufs } from '../documento/uf.ts'
import type { PorChamada } from '../platform/cache/cache.ts'
import { DatabaseAway } from '../platform/db/outage.ts'
import { dizeresOf, fonteOfFailure, statusOfFailure } from '../platform/http/problem.ts'
import { SourceError } from '../platform/wire/fonte.ts'
import { type SourceStatus, success } from '../platform/wire/source-status.ts'
import type { Ccc } from './ccc.ts'
import type { InscricaoRoom } from './inscricao.ts'

/** What every state's entry has: the UF, the status of the question, its source and notices. */
export type Entrada = {
  uf: Uf
  source_status: SourceStatus
  fonte: string
  /** The instant of the answer, ISO 8601 UTC; empty if the state failed. */
  consultado_em: string
  avisos: string[]
}

/** The source of a state's answer, its instant, and notices about it. */
type Procedencia = Pick<Entrada, 'fonte' | 'consultado_em' | 'avisos'>

/** The caller, who takes the entries of the states. */
type Caller<T> = {
  room: Pick<InscricaoRoom, 'log'>
  call: {
    request_id: string
    /** Takes a state's entry as soon as it is there. */
    emit: (entry: Entrada & T) => void
    /** A signal that is aborted when the caller leaves. */
    leaving: () => AbortSignal
  }
}

/** The call of a lookup in every state. Lookups about one document may share the national register. */
export type ChamadaTodos<E extends Entrada> = PorChamada & Caller<E>['call'] & { ccc?: Ccc | undefined }

type Question<T> = {
  /** Asks one state, within its own deadline. */
  ask: (uf: Uf) => Promise<T & Procedencia>
  /** The entry of a state that failed. `dizeres` are the state's own words, if it said any. */
  failed: (status: Entrada['source_status'], dizeres: string) => T
  /** Milliseconds for the whole call. A state without an answer by then is a time-out. */
  deadlineMs: number
}

/**
 * Asks every state at once and returns all entries in alphabetical order; a failure costs its own entry
 * only, a failure of ours in every state is thrown. When the client leaves, it throws the reason of
 * `leaving` at once, and what was sent may finish and is cached.
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
  /** Failures that are no state's. */
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
