import { trusted } from '../trusted.ts'
import { prefersEventStream } from './accept.ts'
import { answer, mostOf, type Price, type Work } from './answer.ts'
import type { Call, Caller, Exchange } from './exchange.ts'
import { answerOnce, type Keyed } from './once.ts'
import { answerStreamed, type Stream } from './stream.ts'

/** How an endpoint learns what is asked. */
type Reading<I, A, D> = {
  /**
   * Makes what is asked of what was sent; without it, they are the same. It may open what the lookup needs,
   * and throws what the schema cannot check; credits are not touched yet.
   */
  read?: (sent: I, call: Caller, deps: D) => A | Promise<A>
  /** Closes what `read` opened, however the call ended. */
  close?: (asked: NoInfer<A>) => void
}

/**
 * How an endpoint answers. I is what was sent, A what is asked, B the answer, P a piece of it, S a step that
 * is written down, D the part of the Context that it uses.
 */
export type Answering<I, A, B, P, S, D> = Reading<I, A, D> & {
  price: 'free' | ((asked: NoInfer<A>, call: Caller) => Price)
  /** The credits of an answer, where that depends on what it says: no more than the price. */
  charged?: (body: B) => number
  /**
   * The answer if it needs no work, as from a cache. It is charged without a hold, and `run` is not called.
   */
  ready?: (asked: NoInfer<A>, call: Caller, deps: D) => Promise<B | undefined>
  run: (asked: NoInfer<A>, call: Call<P, S>, deps: D) => B | Promise<B>
  /** The answer in place of one that was made and could not be paid. Throws the failure if there is none. */
  unpaid?: (body: B, failure: unknown, call: Caller, deps: D) => B
  /** What follows from an answer that was paid, before it is sent. It does not throw. */
  paid?: (body: B, asked: NoInfer<A>, deps: D) => Promise<void>
  /**
   * Whether it asks the authority anew where the request's `Cache-Control` wants it, by `call.maxAgeMs`. Only
   * the documentation reads this.
   */
  anew?: true
  /** For an answer that clients may take piece by piece, by `call.emit`. It has no `ready` and no `once`. */
  stream?: Stream<P>
  /** For a call that its client may repeat with an `Idempotency-Key`. */
  once?: Once<A, S, D>
}

type Once<A, S, D> = {
  /** Keeps its keys apart from those of other endpoints: no two have the same. */
  scope: string
  /** How long a call may take. */
  seconds: (deps: D) => number
  /** The steps that `call.progress.note` wrote down in an earlier call, as they were read back. */
  steps: (noted: readonly unknown[]) => readonly S[]
  /** Whether the answer is kept for the key; without it, every answer is. */
  keeps?: (asked: NoInfer<A>) => boolean
}

/** A call with the service behind it. */
type Served<P, S, D> = { exchange: Exchange; call: Call<P, S>; deps: D }

/**
 * Answers in the way that endpoint and client agree on: as a stream, once for a key, or simply. Undefined
 * after a stream.
 */
export function serve<I extends object, A, B extends object, P extends object, S, D>(
  endpoint: Answering<I, A, B, P, S, D>,
  sent: I,
  served: Served<P, S, D>,
): Promise<B | undefined> {
  const { exchange, call, deps } = served
  const { stream, once } = endpoint
  if (stream && prefersEventStream(exchange.request.headers.accept))
    return withAsked(endpoint, sent, served, (asked) => {
      const run = (emit: (piece: P) => void) => endpoint.run(asked, { ...call, emit }, deps)
      return answerStreamed({ ...workOf(endpoint, asked, served), stream, run }, exchange)
    })
  const make = (own: Served<P, S, D>, writeDown?: Keyed<B>['writeDown']): Promise<B> =>
    withAsked(endpoint, sent, own, (asked) => answer(workOf(endpoint, asked, own, writeDown), exchange))
  if (!once) return make(served)
  const { scope, seconds, steps } = once
  const repeatable = { scope, sent, seconds: seconds(deps), unpaid: unpaidOf(endpoint, served) }
  return answerOnce(repeatable, exchange, (run) => {
    if (!run) return make(served)
    const progress = { ...run.progress, steps: steps(run.progress.steps) }
    return make({ exchange, deps, call: { ...call, progress } }, run.writeDown)
  })
}

/** Reads what is asked, works, and closes what was opened. */
async function withAsked<I, A, D, V>(
  { read, close }: Reading<I, A, D>,
  sent: I,
  { call, deps }: { call: Caller; deps: D },
  work: (asked: A) => Promise<V>,
): Promise<V> {
  // Proven by the type of `lookup`: without `read`, what is asked is what was sent.
  const asked = read ? await read(sent, call, deps) : trusted<A>(sent)
  try {
    return await work(asked)
  } finally {
    close?.(asked)
  }
}

function workOf<I, A, B, P, S, D>(
  endpoint: Answering<I, A, B, P, S, D>,
  asked: A,
  served: Served<P, S, D>,
  writeDown?: Keyed<B>['writeDown'],
): Work<B> {
  const { ready, paid, once } = endpoint
  const { call, deps } = served
  const price = endpoint.price === 'free' ? 'free' : endpoint.price(asked, call)
  const charged = endpoint.charged ?? (() => mostOf(price))
  const kept = writeDown && once?.keeps?.(asked) !== false
  return {
    price,
    charged,
    ready: ready && (() => ready(asked, call, deps)),
    run: () => endpoint.run(asked, call, deps),
    writeDown: kept ? (body) => writeDown(body, charged(body)) : undefined,
    unpaid: unpaidOf(endpoint, served),
    paid: paid && ((body) => paid(body, asked, deps)),
  }
}

const unpaidOf = <I, A, B, P, S, D>(
  { unpaid }: Answering<I, A, B, P, S, D>,
  { call, deps }: Served<P, S, D>,
): Work<B>['unpaid'] => unpaid && ((body, failure) => unpaid(body, failure, call, deps))
