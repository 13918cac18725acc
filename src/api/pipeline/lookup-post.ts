import type { FastifyInstance, preValidationHookHandler } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { Context } from '../../context/context.ts'
import { trusted } from '../../domain/trusted.ts'
import { admit } from './admit.ts'
import { callOf, type Exchange, type RefusalCodes } from './exchange.ts'
import { refuseMisnamed } from './misnamed.ts'
import { type Described, describeLookup } from './openapi.ts'
import { EMPTY_COUNTS } from './validation.ts'

/** An endpoint that takes a JSON body. */
type PostLookup<B extends TObject, R extends TObject> = Described<R> & {
  body: B
  /** The most octets that a body may have. */
  bodyLimit: number
  /** The headers that it takes besides the key. */
  requestHeaders: TObject
  codes: RefusalCodes
  /** What comes after authentication, rate limit and validation: it holds, runs and settles by itself, with what `exchange.ts` has for it. */
  respond: (body: Static<B>, exchange: Exchange) => Promise<Static<R>>
}

/** The pipeline of `lookup`, up to the validation, for what is asked by POST. Returns the plugin that serves the endpoint. */
export const postLookup = <B extends TObject, R extends TObject>(endpoint: PostLookup<B, R>) =>
  function register(app: FastifyInstance, ctx: Context): void {
    const { body, bodyLimit, requestHeaders: headers, codes } = endpoint
    app.route({
      method: 'POST',
      url: endpoint.url,
      bodyLimit,
      schema: { ...describeLookup(endpoint, { billed: true, codes }), body, headers },
      onRequest: admit(ctx, codes.rate),
      preValidation: dropEmpty(body),
      handler: (request, reply) => {
        const call = callOf(request, reply)
        // Proven by the route's own schema, which Fastify has just checked the body against.
        const asked = trusted<Static<B>>(request.body)
        // Whatever looks at a request later, a log or an error, finds none of it.
        request.body = undefined
        refuseMisnamed(body, asked, Object(request.query))
        return endpoint.respond(asked, { ctx, request, reply, call, codes })
      },
    })
  }

/** A text left empty counts as not sent, but where the schema says that empty is a value; for what is no text, it is a wrong value. */
const dropEmpty =
  ({ properties }: TObject): preValidationHookHandler =>
  ({ body }, _reply, done) => {
    if (typeof body === 'object' && body !== null)
      for (const [name, value] of Object.entries(body))
        if (value === '' && mayBeEmpty(properties[name])) Reflect.deleteProperty(body, name)
    done()
  }

const mayBeEmpty = (schema: object = {}): boolean =>
  Reflect.get(schema, 'type') === 'string' && !(EMPTY_COUNTS in schema)
