import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ContaAutenticada, KeyCache } from '../../contas/store-chaves.ts'
import type { AddressCount } from '../address-count.ts'
import type { ErrorCode } from '../errors.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { RateLimit } from '../limits.ts'
import { maxAgeOf } from './age.ts'
import { signalOfLeaving } from './connections.ts'
import type { Idempotencia } from './idempotencia.ts'
import { tallyOf } from './outcome.ts'

/** What the pipeline needs of the service. The Context has all of it. */
export type Deps = {
  log: { error: (fields: object, message: string) => void }
  now: () => Date
  store: {
    ledger: Ledger
    secret: string
    keys: KeyCache
    /** The accounts of the logins whose tokens were sent, by the login's id. */
    logins: KeyCache
    /** The API keys and the tokens that were refused, counted by the address they came from. */
    refusedKeys: AddressCount
    rateLimit: RateLimit
    idempotencia: Idempotencia
  }
}

/** The client of a call, and what an endpoint may do to its answer. */
export type Caller = {
  request_id: string
  conta: ContaAutenticada
  /** The id of the login whose token was sent; undefined with an API key. */
  acesso: string | undefined
  /** Adds a header to the answer. */
  header: (name: string, value: string) => void
  /** A signal that is aborted with ClientLeft when the client leaves. */
  leaving: () => AbortSignal
  /**
   * How old a kept answer may be for this client, in milliseconds, by the request's `Cache-Control`. An
   * endpoint that asks this has the member `anew`.
   */
  maxAgeMs: () => number | undefined
}

/** What a call has done so far, kept for a client that repeats it with the same `Idempotency-Key`. */
export type Progress<S> = {
  /** Whether the client sent a key, so that it may fetch this answer again. */
  kept: boolean
  /** The steps of an earlier call with this key that was interrupted. */
  steps: readonly S[]
  /** Writes down all steps so far; they are on the disk when it resolves. Without a key it does nothing. */
  note: (steps: readonly S[]) => Promise<unknown>
}

/** A call as `run` sees it. `E` is a piece of a streamed answer, `S` a step that is written down. */
export type Call<E, S> = Caller & {
  /** Sends a piece of the answer at once, if the client takes a stream; otherwise does nothing. */
  emit: (piece: E) => void
  progress: Progress<S>
}

/** The codes of two refusals that one endpoint calls otherwise (specification, "HTTP errors by endpoint"). */
export type RefusalCodes = { rate: ErrorCode; credits: ErrorCode }

export const standardCodes: RefusalCodes = { rate: 'RATE_LIMIT_EXCEEDED', credits: 'LIMITE_ATINGIDO' }

/** A request, its answer and the service, for the steps of the pipeline. */
export type Exchange = {
  deps: Deps
  request: FastifyRequest
  reply: FastifyReply
  call: Caller
  codes: RefusalCodes
  /** What is charged is a note, which has a price in BRL. */
  nota: boolean
}

/** The account that asks. Only routes behind `admit` have one. */
function contaOf(request: FastifyRequest): ContaAutenticada {
  const { conta } = tallyOf(request)
  if (conta === undefined) throw new Error('this route has no authentication')
  return conta
}

/** The call of an admitted request, neither streamed nor kept. */
export const openCall = (request: FastifyRequest, reply: FastifyReply): Plain => ({
  request_id: request.id,
  conta: contaOf(request),
  acesso: tallyOf(request).acesso,
  header: (name, value) => void reply.header(name, value),
  leaving: () => signalOfLeaving(reply.raw),
  maxAgeMs: () => maxAgeOf(request),
  emit: () => {},
  progress: notKept,
})

/** A call of every kind: it sends no piece and keeps no step. */
type Plain = Caller & { emit: (piece: unknown) => void; progress: typeof notKept }

const notKept = {
  kept: false,
  steps: [] as const,
  note: async (_steps: readonly unknown[]): Promise<void> => {},
}
