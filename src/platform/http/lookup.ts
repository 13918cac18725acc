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
import { admit, admitAddress } from '../../contas/admit.ts'
import type { AddressCount } from '../address-count.ts'
import { trusted } from '../trusted.ts'
import { sourceFailuresIn } from '../wire/resposta.ts'
import { setAge } from './age.ts'
import { isXml } from './bodies.ts'
import { signalOfLeaving } from './connections.ts'
import { dropEmpty } from './empty.ts'
import { describeSent } from './examples.ts'
import { type Deps, openCall, type RefusalCodes, standardCodes } from './exchange.ts'
import { refuseMisnamed } from './misnamed.ts'
import { onceDescribed } from './once.ts'
import { type Described, describeLookup } from './operation.ts'
import { tallyOf } from './outcome.ts'
import { partsOf } from './path.ts'
import { type Prepared, type Ready, sendPrepared, servePrepared } from './prepared.ts'
import { type Answering, serve } from './serve.ts'
import type { Stream } from './stream.ts'

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
  function register(app: FastifyInstance, deps: Deps & D): void {
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
      onRequest: admit(deps, codes.rate),
      handler: (request, reply) => {
        const sent = sentBy(endpoint, request)
        const tally = tallyOf(request)
        if (document) tally.document = document(sent)
        const call = openCall(request, reply)
        const exchange = { deps, request, reply, call, codes, nota }
        const answer = (ready: Prepared | undefined): unknown => {
          if (ready) return servePrepared(ready, listen && (() => listen(sent, exchange, deps)), exchange)
          const answered = serve(endpoint, sent, { exchange, call, deps })
          // Fastify waits for the same promise, but in line behind this: it sends the headers afterwards.
          const settled = (made?: Static<R>): void => {
            tally.cached = made !== undefined && cached(made)
            tally.settling = undefined
            // A stream makes no body here, and has sent its headers.
            if (!made) return
            tally.failures = sourceFailuresIn(made)
            setAge(reply, made, deps.now())
          }
          // Fastify answers the failure.
          tally.settling = answered.then(settled, () => settled())
          return answered
        }
        const made = prepared?.(sent, call, deps)
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
        answer: (sent: Static<Q>, header: (name: string, value: string) => void, deps: D) => Prepared
        run?: never
      }
    | { run: (sent: Static<Q>, call: Stranger, deps: D) => Promise<Static<R>>; answer?: never }
  )

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Without a key there is no account, so nothing is said of credits. */
    keyless?: true
  }
}

type PublicDeps = { store: { publicCalls: AddressCount; entryCalls: AddressCount } }

/**
 * The pipeline of an endpoint without a key: limit of the address → validate → answer. It costs nobody
 * credits, and its failures are told as all are.
 */
export const publicLookup = <Q extends TObject, R extends TObject, D>(endpoint: PublicLookup<Q, R, D>) =>
  function register(app: FastifyInstance, deps: PublicDeps & D): void {
    const { answer, run } = endpoint
    const { publicCalls, entryCalls } = deps.store
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
        if (run) return run(sent, strangerOf(request, reply), deps)
        const header = (name: string, value: string) => void reply.header(name, value)
        sendPrepared(answer(sent, header, deps), request, reply)
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
