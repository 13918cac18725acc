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
import { describeSent } from './document.ts'
import {
  type Admit,
  admitAddress,
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
import { signalOfLeaving, tallyOf } from './outcome.ts'
import { type Prepared, prefersEventStream, type Ready, sendPrepared, servePrepared } from './ready.ts'
import { answerStreamed, type Stream } from './stream.ts'
import { dropEmpty, partsOf, refuseMisnamed } from './validator.ts'

type Reading<I, A, D> = {
  /** Without it they are the same. Throws what the schema cannot check; credits are not touched yet. */
  read?: (sent: I, call: Caller, room: D) => A | Promise<A>
  close?: (asked: NoInfer<A>) => void
}

/** I was sent, A is asked, B the answer, P a piece of it, S a step written down, D the room. */
type Answering<I, A, B, P, S, D> = Reading<I, A, D> & {
  price: 'free' | ((asked: NoInfer<A>, call: Caller) => Price)
  charged?: (body: B) => number
  /** Charged without a hold; `run` is not called. */
  ready?: (asked: NoInfer<A>, call: Caller, room: D) => Promise<B | undefined>
  run: (asked: NoInfer<A>, call: Call<P, S>, room: D) => B | Promise<B>
  unpaid?: (body: B, failure: unknown, call: Caller, room: D) => B
  /** What follows from an answer that was paid, before it is sent. It does not throw. */
  paid?: (body: B, asked: NoInfer<A>, room: D) => Promise<void>
  /** By `call.maxAgeMs`. Only the documentation reads this. */
  anew?: true
  stream?: Stream<P>
  once?: Once<A, S, D>
}

type Once<A, S, D> = {
  /** Keeps its keys apart from those of other endpoints: no two have the same. */
  scope: string
  seconds: (room: D) => number
  steps: (noted: readonly unknown[]) => readonly S[]
  /** Whether the answer is kept for the key; without it, every answer is. */
  keeps?: (asked: NoInfer<A>) => boolean
}

type Served<P, S, D> = { exchange: Exchange; call: Call<P, S>; room: D }

/** As a stream, once for a key, or simply. Undefined after a stream. */
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

type Sent<Q extends TObject = TObject> = { url: string } & (
  | { query: Q; body?: never }
  | {
      body: Q
      query?: never
      bodyLimit: number
      xmlIn?: string
    }
)

type Taken<Q extends TObject> = Sent<Q> & {
  example: NoInfer<Static<Q>>
}

type Lookup<Q extends TObject, R extends TObject, A, P extends object, S, D> = Described<R> &
  Taken<Q> &
  Answering<Static<Q>, A, Static<R>, P, S, D> &
  Ready<Static<Q>, D> & {
    nome?: string
    codes?: RefusalCodes
    nota?: true
    cached?: (body: Static<R>) => boolean
    document?: (sent: Static<Q>) => string
  }

export type DeclaredLookup = { declared: { url: string; nome: string | undefined } }

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
) => {
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
          tally.settling = answered.then(settled, () => settled())
          return answered
        }
        const made = prepared?.(sent, call, room)
        return made instanceof Promise ? made.then(answer) : answer(made)
      },
    })
  }
  const { url, nome } = endpoint
  return Object.assign(register, { declared: { url, nome } })
}

export type Stranger = {
  request_id: string
  endereco: string
  agente: string
  leaving: () => AbortSignal
}

/** By GET it answers the same to everybody; by POST it works for the one who calls. */
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
    keyless?: true
  }
}

/** limit of the address → validate → answer. Failures are told as all are. */
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
        return sendPrepared(answer(sent, header, room), request, reply)
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

function routeOf(taken: Sent, schema: FastifySchema): Route {
  if (!('bodyLimit' in taken))
    return { method: 'GET', schema: { ...schema, ...partsOf(taken.url, taken.query) } }
  const { body, bodyLimit } = taken
  return { method: 'POST', bodyLimit, schema: { ...schema, body }, preValidation: dropEmpty(body) }
}

const xmlBodyOf = ({ body, xmlIn }: { body?: TObject; xmlIn?: string }): FastifyContextConfig =>
  body && xmlIn !== undefined ? { xmlBody: { field: xmlIn, body } } : {}

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
