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
import { answer, type Work } from './answer.ts'
import { isXml } from './bodies.ts'
import { describeSent } from './document.ts'
import {
  type Admit,
  admitAddress,
  type Caller,
  type Exchange,
  openCall,
  type Price,
  setAge,
  type Terms,
} from './exchange.ts'
import { answerOnce, type Once, onceDescribed } from './once.ts'
import { codesOf, type Described, describeLookup, type Words } from './operation.ts'
import { signalOfLeaving, tallyOf } from './outcome.ts'
import { type PreparedAnswer, prefersEventStream, sendPrepared, servePrepared } from './ready.ts'
import { answerStreamed, type Stream } from './stream.ts'
import { dropEmpty, partsOf, refuseMisnamed } from './validator.ts'

/** A query, or a body of so many octets at most. `xmlIn`: the member that an XML in its place is. */
type Taken<Q extends TObject = TObject> =
  | { query: Q; body?: never }
  | { body: { schema: Q; limit: number; xmlIn?: string }; query?: never }

type Declared<Q extends TObject, R extends TObject> = Described<R> &
  Taken<Q> & {
    /** What is sent to try it. It is answered with 200. */
    example: NoInfer<Static<Q>>
  }

/** I is what was sent, B the answer, D the room. */
type Worked<I, B, D> = {
  /** The most that a call costs, and what each costs whose work names no other. */
  price: Price | { hold: number; nota: true }
  /** `Cache-Control` is heard, by `call.maxAgeMs`. Only the documentation reads this. */
  anew?: true
  stream?: Stream
  once?: Once<B>
  /** What the log has: the document of a body, masked, and whether all was told before the call (ms). */
  log?: { document?: (sent: I) => string; cached?: (body: B, began: number) => boolean }
  prepared?: never
  /** Reads what was asked before credits are touched. Throws what the schema cannot check. */
  ask: (sent: I, call: Caller, room: D) => Work<B> | Promise<Work<B>>
}

/** A free answer that is made before it is asked for (docs/decisions/0054). */
type AlreadyMade<I, D> = {
  price: 'free'
  prepared: true
  /** The events that whoever listens may get, by name. */
  stream?: TObject
  anew?: never
  once?: never
  log?: never
  ask: (sent: I, call: Caller, room: D) => PreparedAnswer | Promise<PreparedAnswer>
}

export type Lookup<Q extends TObject, R extends TObject, D> = Declared<Q, R> &
  (Worked<Static<Q>, Static<R>, D> | AlreadyMade<Static<Q>, D>)

/** What lists and pages say of an endpoint. */
export type DeclaredLookup = { declared: { url: string; words: Words; price: Price; anew: boolean } }

/**
 * The one pipeline: authenticate → rate limit → validate → ask → hold → run → write down → settle → answer.
 * Returns the plugin of the endpoint; a failure of any step becomes problem+json (`problem.ts`) and charges
 * nothing.
 */
export const lookup = <Q extends TObject, R extends TObject, D = unknown>(endpoint: Lookup<Q, R, D>) => {
  const { url, words, price } = endpoint
  const nota = typeof price === 'object' && 'nota' in price
  const terms: Terms = { url, price, nota, codes: codesOf(endpoint.errors) }
  function register(app: FastifyInstance, room: Platform & D, admit: Admit): void {
    app.route({
      url,
      ...routeOf(endpoint, schemaOf(endpoint)),
      ...(endpoint.prepared && { compress: false }),
      config: {
        ...xmlBodyOf(endpoint),
        swaggerTransform: ({ schema, url }) => ({
          url,
          schema: { ...schema, ...describeLookup(endpoint), ...describeSent(endpoint) },
        }),
      },
      onRequest: admit(terms.codes.rate),
      handler: (request, reply) => {
        const sent = sentBy(endpoint, request)
        const call = openCall(request, reply)
        const exchange = { platform: room, request, reply, call, terms }
        if (!endpoint.prepared) return handle(endpoint, sent, { exchange, room })
        const made = endpoint.ask(sent, call, room)
        return made instanceof Promise
          ? made.then((text) => servePrepared(text, exchange))
          : servePrepared(made, exchange)
      },
    })
  }
  return Object.assign(register, { declared: { url, words, price, anew: endpoint.anew === true } })
}

type Served<D> = { exchange: Exchange; room: D }

function handle<I extends object, B extends object, D>(
  endpoint: Worked<I, B, D>,
  sent: I,
  served: Served<D & Platform>,
): Promise<B | undefined> {
  const { request, reply } = served.exchange
  const { document, cached: says = saysCached } = endpoint.log ?? {}
  const began = served.room.now().getTime()
  const cached = (body: B): boolean => says(body, began)
  const tally = tallyOf(request)
  if (document) tally.document = document(sent)
  // Fastify waits for this very promise: it sends the headers afterwards.
  const answered = serve(endpoint, sent, { ...served, cached }).then(
    (made) => {
      tally.settling = undefined
      // A stream makes no body here, and has sent its headers.
      if (!made) return made
      // A call that is repeated by its key has the answer that was kept for it.
      tally.cached = cached(made) || reply.hasHeader('idempotency-replayed')
      tally.failures = sourceFailuresIn(made)
      setAge(reply, made, served.room.now)
      return made
    },
    (failure) => {
      tally.settling = undefined
      throw failure
    },
  )
  tally.settling = answered
  return answered
}

/** As a stream, once for a key, or simply. Undefined after a stream. */
function serve<I extends object, B extends object, D>(
  endpoint: Worked<I, B, D>,
  sent: I,
  { exchange, room, cached }: Served<D & Platform> & { cached: (body: B) => boolean },
): Promise<B | undefined> {
  const { stream, once } = endpoint
  const ask = (call = exchange.call): Asked<B> => endpoint.ask(sent, call, room)
  if (stream && prefersEventStream(exchange.request.headers.accept))
    return carryOut(ask, (work) => answerStreamed(work, { event: stream.event, cached }, exchange))
  if (!once) return carryOut(ask, (work) => answer(work, exchange))
  const { unpaid } = once
  return answerOnce({ once, sent }, exchange, (keyed) =>
    carryOut(
      () => ask(keyed && { ...exchange.call, progress: keyed.progress }),
      (work) => answer(work, exchange, { unpaid, writeDown: keyed?.writeDown }),
    ),
  )
}

type Asked<B> = Work<B> | Promise<Work<B>>

async function carryOut<B, V>(ask: () => Asked<B>, make: (work: Work<B>) => Promise<V>): Promise<V> {
  const asked = ask()
  const work = asked instanceof Promise ? await asked : asked
  try {
    return await make(work)
  } finally {
    work.close?.()
  }
}

export type Stranger = {
  request_id: string
  endereco: string
  agente: string
  header: (name: string, value: string) => void
  leaving: () => AbortSignal
}

/** What is prepared is the same for everybody; all else works for the one who calls. */
export type PublicLookup<Q extends TObject, R extends TObject, D> = Declared<Q, R> &
  (
    | { prepared: true; ask: (sent: Static<Q>, call: Stranger, room: D) => Pick<PreparedAnswer, 'text'> }
    | { prepared?: never; ask: (sent: Static<Q>, call: Stranger, room: D) => Promise<Static<R>> }
  )

declare module 'fastify' {
  interface FastifyContextConfig {
    keyless?: true
  }
}

/** limit of the address → validate → answer. Failures are told as all are. */
export const publicLookup = <Q extends TObject, R extends TObject, D>(endpoint: PublicLookup<Q, R, D>) =>
  function register(app: FastifyInstance, room: Platform & D): void {
    const { publicCalls, entryCalls } = room
    const kind = { price: 'free', keyless: true } as const
    app.route({
      url: endpoint.url,
      ...routeOf(endpoint, schemaOf(endpoint)),
      ...(endpoint.prepared && { compress: false }),
      config: {
        keyless: true,
        swaggerTransform: ({ schema, url }) => ({
          url,
          schema: { ...schema, ...describeLookup({ ...endpoint, ...kind }), ...describeSent(endpoint) },
        }),
      },
      onRequest: admitAddress(endpoint.prepared ? publicCalls : entryCalls, codesOf(endpoint.errors).rate),
      handler: (request, reply) => {
        const sent = sentBy(endpoint, request)
        const call = strangerOf(request, reply)
        if (!endpoint.prepared) return endpoint.ask(sent, call, room)
        return sendPrepared(endpoint.ask(sent, call, room).text, request, reply)
      },
    })
  }

const strangerOf = (request: FastifyRequest, reply: FastifyReply): Stranger => ({
  request_id: request.id,
  endereco: request.ip,
  agente: request.headers['user-agent'] ?? '',
  header: (name, value) => void reply.header(name, value),
  leaving: () => signalOfLeaving(reply.raw),
})

const saysCached = (body: object): boolean => Reflect.get(body, 'cached') === true

type Route = Pick<RouteOptions, 'method' | 'schema'> & {
  bodyLimit?: number
  preValidation?: preValidationHookHandler
}

function routeOf({ url, query, body }: Taken & { url: string }, schema: FastifySchema): Route {
  if (!body) return { method: 'GET', schema: { ...schema, ...partsOf(url, query) } }
  const sent = { bodyLimit: body.limit, preValidation: dropEmpty(body.schema) }
  return { method: 'POST', schema: { ...schema, body: body.schema }, ...sent }
}

const xmlBodyOf = ({ body }: Taken): FastifyContextConfig =>
  body?.xmlIn === undefined ? {} : { xmlBody: { field: body.xmlIn, body: body.schema } }

function schemaOf({ response, stream, once }: Serialized): FastifySchema {
  const body = { 'application/json': { schema: response } }
  const pieces = stream &&
    'piece' in stream && { content: { ...body, 'text/event-stream': { schema: stream.piece } } }
  return { ...(once && { headers: onceDescribed.requestHeaders }), response: { 200: pieces || response } }
}

type Serialized = { response: TObject; stream?: Stream | TObject; once?: object }

const inOne = ({ query, params }: FastifyRequest): object => ({ ...Object(query), ...Object(params) })

/** What was sent and validated. A body is taken off the request: no log and no error must find it there. */
function sentBy<Q extends TObject>(
  { url, body }: Taken<Q> & { url: string },
  request: FastifyRequest,
): Static<Q> {
  // Proven by the route's own schemas, which Fastify has just checked the path and the query against.
  if (!body) return trusted<Static<Q>>(url.includes(':') ? inOne(request) : request.query)
  // Proven by the route's own schema, which Fastify has just checked the body against.
  const sent = trusted<Static<Q>>(request.body)
  request.body = undefined
  // The query of an XML is a part of what was sent.
  refuseMisnamed(body.schema, sent, isXml(request) ? {} : Object(request.query))
  return sent
}
