import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  preValidationHookHandler,
  RouteOptions,
} from 'fastify'
import type { Static, TObject } from 'typebox'
import type { Platform } from '../platform.ts'
import { trusted } from '../trusted.ts'
import { sourceFailuresIn } from '../wire/source-status.ts'
import { answer, mostOf, type Price, type Work } from './answer.ts'
import { isXml } from './bodies.ts'
import { signalOfLeaving } from './connections.ts'
import { describeSent } from './examples.ts'
import {
  type Admit,
  type Call,
  type Caller,
  type Exchange,
  openCall,
  type RefusalCodes,
  setAge,
  standardCodes,
} from './exchange.ts'
import { answerOnce, type Keyed, onceDescribed } from './once.ts'
import { type Described, describeLookup } from './operation.ts'
import { tallyOf } from './outcome.ts'
import { type Ready, sendPrepared, servePrepared } from './prepared.ts'
import { admitAddress } from './rate.ts'
import type { Prepared } from './ready.ts'
import { prefersEventStream } from './ready.ts'
import { answerStreamed, type Stream } from './stream.ts'
import { dropEmpty, partsOf, refuseMisnamed } from './validator.ts'

/** How an endpoint learns what is asked. */
type Reading<I, A, D> = {
  /**
   * Makes what is asked of what was sent; without it, they are the same. It may open what the lookup needs,
   * and throws what the schema cannot check; credits are not touched yet.
   */
  read?: (sent: I, call: Caller, room: D) => A | Promise<A>
  /** Closes what `read` opened, however the call ended. */
  close?: (asked: NoInfer<A>) => void
}

/**
 * How an endpoint answers. I is what was sent, A what is asked, B the answer, P a piece of it, S a step that
 * is written down, D the room that it stands on.
 */
type Answering<I, A, B, P, S, D> = Reading<I, A, D> & {
  price: 'free' | ((asked: NoInfer<A>, call: Caller) => Price)
  /** The credits of an answer, where that depends on what it says: no more than the price. */
  charged?: (body: B) => number
  /**
   * The answer if it needs no work, as from a cache. It is charged without a hold, and `run` is not called.
   */
  ready?: (asked: NoInfer<A>, call: Caller, room: D) => Promise<B | undefined>
  run: (asked: NoInfer<A>, call: Call<P, S>, room: D) => B | Promise<B>
  /** The answer in place of one that was made and could not be paid. Throws the failure if there is none. */
  unpaid?: (body: B, failure: unknown, call: Caller, room: D) => B
  /** What follows from an answer that was paid, before it is sent. It does not throw. */
  paid?: (body: B, asked: NoInfer<A>, room: D) => Promise<void>
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
  seconds: (room: D) => number
  /** The steps that `call.progress.note` wrote down in an earlier call, as they were read back. */
  steps: (noted: readonly unknown[]) => readonly S[]
  /** Whether the answer is kept for the key; without it, every answer is. */
  keeps?: (asked: NoInfer<A>) => boolean
}

/** A call with the service behind it. */
type Served<P, S, D> = { exchange: Exchange; call: Call<P, S>; room: D }

/**
 * Answers in the way that endpoint and client agree on: as a stream, once for a key, or simply. Undefined
 * after a stream.
 */
function serve<I extends object, A, B extends object, P extends object, S, D>(
  endpoint: Answering<I, A, B, P, S, D>,
  sent: I,
  served: Served<P, S, D>,
): Promise<B | undefined> {
  const { exchange, call, room } = served
  const { stream, once } = endpoint
  if (stream && prefersEventStream(exchange.request.headers.accept))
    return withAsked(endpoint, sent, served, (asked) => {
      const run = (emit: (piece: P) => void) => endpoint.run(asked, { ...call, emit }, room)
      return answerStreamed({ ...workOf(endpoint, asked, served), stream, run }, exchange)
    })
  const make = (own: Served<P, S, D>, writeDown?: Keyed<B>['writeDown']): Promise<B> =>
    withAsked(endpoint, sent, own, (asked) => answer(workOf(endpoint, asked, own, writeDown), exchange))
  if (!once) return make(served)
  const { scope, seconds, steps } = once
  const repeatable = { scope, sent, seconds: seconds(room), unpaid: unpaidOf(endpoint, served) }
  return answerOnce(repeatable, exchange, (run) => {
    if (!run) return make(served)
    const progress = { ...run.progress, steps: steps(run.progress.steps) }
    return make({ exchange, room, call: { ...call, progress } }, run.writeDown)
  })
}

/** Reads what is asked, works, and closes what was opened. */
async function withAsked<I, A, D, V>(
  { read, close }: Reading<I, A, D>,
  sent: I,
  { call, room }: { call: Caller; room: D },
  work: (asked: A) => Promise<V>,
): Promise<V> {
  // Proven by the type of `lookup`: without `read`, what is asked is what was sent.
  const asked = read ? await read(sent, call, room) : trusted<A>(sent)
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
  const { call, room } = served
  const price = endpoint.price === 'free' ? 'free' : endpoint.price(asked, call)
  const charged = endpoint.charged ?? (() => mostOf(price))
  const kept = writeDown && once?.keeps?.(asked) !== false
  return {
    price,
    charged,
    ready: ready && (() => ready(asked, call, room)),
    run: () => endpoint.run(asked, call, room),
    writeDown: kept ? (body) => writeDown(body, charged(body)) : undefined,
    unpaid: unpaidOf(endpoint, served),
    paid: paid && ((body) => paid(body, asked, room)),
  }
}

const unpaidOf = <I, A, B, P, S, D>(
  { unpaid }: Answering<I, A, B, P, S, D>,
  { call, room }: Served<P, S, D>,
): Work<B>['unpaid'] => unpaid && ((body, failure) => unpaid(body, failure, call, room))

/**
 * Where and how something is sent: by GET a query, with the parameters of the path (`:codigo` in `url`), or
 * a JSON body by POST.
 */
type Sent<Q extends TObject = TObject> = { url: string } & (
  | { query: Q; body?: never }
  | {
      body: Q
      query?: never
      /** The most octets that a body may have. */
      bodyLimit: number
      /** The field of the body that an XML sent as it is fills; its other fields are then in the query. */
      xmlIn?: string
    }
)

/** What an endpoint takes. */
type Taken<Q extends TObject> = Sent<Q> & {
  /** One to try, with documents of the simulator's list (docs/simulator.md). It is answered with 200. */
  example: NoInfer<Static<Q>>
}

/**
 * One endpoint, whole: all that the pipeline, the validation and the documentation need
 * (docs/adding-a-lookup.md).
 */
type Lookup<Q extends TObject, R extends TObject, A, P extends object, S, D> = Described<R> &
  Taken<Q> &
  Answering<Static<Q>, A, Static<R>, P, S, D> &
  Ready<Static<Q>, D> & {
    codes?: RefusalCodes
    /** What it charges is a note: the entry of a charge keeps the note's price in BRL. */
    nota?: true
    /** Whether an answer came from the cache; without it, its member `cached` says so. */
    cached?: (body: Static<R>) => boolean
    /** The document of a body, masked, for the outcome. Those of a query are found by their names. */
    document?: (sent: Static<Q>) => string
  }

/**
 * The one pipeline: authenticate → rate limit → validate → read → hold → run → write down → settle → answer.
 * Returns the plugin of the endpoint; a failure of any step becomes problem+json (`problem.ts`) and charges
 * nothing.
 */
export const lookup = <
  Q extends TObject,
  R extends TObject,
  A = Static<Q>,
  P extends object = never,
  S = never,
  D = unknown,
>(
  endpoint: Lookup<Q, R, A, P, S, D>,
) =>
  function register(app: FastifyInstance, room: Platform & D, admit: Admit): void {
    const { codes = standardCodes, nota = false, cached = saysCached, document, prepared, listen } = endpoint
    app.route({
      url: endpoint.url,
      ...routeOf(endpoint, schemaOf(endpoint)),
      ...(prepared && { compress: false }),
      config: {
        ...xmlBodyOf(endpoint),
        swaggerTransform: ({ schema, url }) => ({
          url,
          schema: { ...schema, ...describeLookup(endpoint), ...describeSent(endpoint) },
        }),
      },
      onRequest: admit(codes.rate),
      handler: (request, reply) => {
        const sent = sentBy(endpoint, request)
        const tally = tallyOf(request)
        if (document) tally.document = document(sent)
        const call = openCall(request, reply)
        const exchange = { platform: room, request, reply, call, codes, nota }
        const answer = (ready: Prepared | undefined): unknown => {
          if (ready) return servePrepared(ready, listen && (() => listen(sent, exchange, room)), exchange)
          const answered = serve(endpoint, sent, { exchange, call, room })
          // Fastify waits for the same promise, but in line behind this: it sends the headers afterwards.
          const settled = (made?: Static<R>): void => {
            tally.cached = made !== undefined && cached(made)
            tally.settling = undefined
            // A stream makes no body here, and has sent its headers.
            if (!made) return
            tally.failures = sourceFailuresIn(made)
            setAge(reply, made, room.now())
          }
          // Fastify answers the failure.
          tally.settling = answered.then(settled, () => settled())
          return answered
        }
        const made = prepared?.(sent, call, room)
        return made instanceof Promise ? made.then(answer) : answer(made)
      },
    })
  }

/** Who calls without a key. */
export type Stranger = {
  request_id: string
  /** Whence: the address, and what the program says of itself. */
  endereco: string
  agente: string
  /** A signal that is aborted with ClientLeft when the client leaves. */
  leaving: () => AbortSignal
}

/**
 * An endpoint without a key. By GET it answers from what is ready, and the same to everybody; by POST it
 * works for the one who calls.
 */
type PublicLookup<Q extends TObject, R extends TObject, D> = Described<R> &
  Taken<Q> &
  (
    | {
        answer: (sent: Static<Q>, header: (name: string, value: string) => void, room: D) => Prepared
        run?: never
      }
    | { run: (sent: Static<Q>, call: Stranger, room: D) => Promise<Static<R>>; answer?: never }
  )

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Without a key there is no account, so nothing is said of credits. */
    keyless?: true
  }
}

/**
 * The pipeline of an endpoint without a key: limit of the address → validate → answer. It costs nobody
 * credits, and its failures are told as all are.
 */
export const publicLookup = <Q extends TObject, R extends TObject, D>(endpoint: PublicLookup<Q, R, D>) =>
  function register(app: FastifyInstance, room: Platform & D): void {
    const { answer, run } = endpoint
    const { publicCalls, entryCalls } = room
    const codes = run ? standardCodes : publicCodes
    const kind = { price: 'free', keyless: true, codes, ...(answer && { prepared: answer }) }
    app.route({
      url: endpoint.url,
      ...routeOf(endpoint, schemaOf(endpoint)),
      ...(answer && { compress: false }),
      config: {
        keyless: true,
        swaggerTransform: ({ schema, url }) => ({
          url,
          schema: { ...schema, ...describeLookup({ ...endpoint, ...kind }), ...describeSent(endpoint) },
        }),
      },
      onRequest: admitAddress(run ? entryCalls : publicCalls, codes.rate),
      handler: (request, reply) => {
        const sent = sentBy(endpoint, request)
        if (run) return run(sent, strangerOf(request, reply), room)
        const header = (name: string, value: string) => void reply.header(name, value)
        sendPrepared(answer(sent, header, room), request, reply)
        return undefined
      },
    })
  }

const strangerOf = (request: FastifyRequest, reply: FastifyReply): Stranger => ({
  request_id: request.id,
  endereco: request.ip,
  agente: request.headers['user-agent'] ?? '',
  leaving: () => signalOfLeaving(reply.raw),
})

const publicCodes: RefusalCodes = { ...standardCodes, rate: 'RATE_LIMIT' }

const saysCached = (body: object): boolean => Reflect.get(body, 'cached') === true

type Route = Pick<RouteOptions, 'method' | 'schema'> & {
  bodyLimit?: number
  preValidation?: preValidationHookHandler
}

/** The part of a route that says what is sent. */
function routeOf(taken: Sent, schema: FastifySchema): Route {
  if (!('bodyLimit' in taken))
    return { method: 'GET', schema: { ...schema, ...partsOf(taken.url, taken.query) } }
  const { body, bodyLimit } = taken
  return { method: 'POST', bodyLimit, schema: { ...schema, body }, preValidation: dropEmpty(body) }
}

/** What the reader of bodies has to know of an endpoint that takes an XML. */
const xmlBodyOf = ({ body, xmlIn }: { body?: TObject; xmlIn?: string }): FastifyContextConfig =>
  body && xmlIn !== undefined ? { xmlBody: { field: xmlIn, body } } : {}

/** What Fastify serializes with, and the headers that it validates. `problem.ts` writes the failures. */
function schemaOf({ response, stream, once }: Serialized): FastifySchema {
  const body = { 'application/json': { schema: response } }
  const pieces = stream && { content: { ...body, 'text/event-stream': { schema: stream.piece } } }
  return { ...(once && { headers: onceDescribed.requestHeaders }), response: { 200: pieces ?? response } }
}

const inOne = ({ query, params }: FastifyRequest): object => ({ ...Object(query), ...Object(params) })

type Serialized = { response: TObject; stream?: Pick<Stream<never>, 'piece'>; once?: object }

/** What was sent and validated. A body is taken off the request: no log and no error must find it there. */
function sentBy<Q extends TObject>({ url, body }: Sent<Q>, request: FastifyRequest): Static<Q> {
  // Proven by the route's own schemas, which Fastify has just checked the path and the query against.
  if (!body) return trusted<Static<Q>>(url.includes(':') ? inOne(request) : request.query)
  // Proven by the route's own schema, which Fastify has just checked the body against.
  const sent = trusted<Static<Q>>(request.body)
  request.body = undefined
  // The query of an XML is a part of what was sent.
  refuseMisnamed(body, sent, isXml(request) ? {} : Object(request.query))
  return sent
}
