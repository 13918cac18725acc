import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { Context } from '../context.ts'
import { ApiError, type ErrorCode } from '../domain/errors.ts'
import { nextRenewal } from '../domain/periodo.ts'
import { available, type Saldo } from '../domain/saldo.ts'
import { trusted } from '../domain/trusted.ts'
import type { ContaAutenticada } from '../store/key-cache.ts'
import { admit, contaOf, setCreditHeaders } from './admit.ts'
import { ClientLeft } from './client-left.ts'
import { describeLookup } from './openapi.ts'

/**
 * What a call costs. `hold` is set aside before `run`, for lookups that take time; `charge` is taken after a `run` that
 * costs nothing to us, in one transaction; either way nothing is charged unless the answer is delivered.
 */
type Price = { hold: number } | { charge: number }

/** What `run` knows of the call it answers. */
type Call = {
  request_id: string
  conta: ContaAutenticada
  /** Adds a header to the answer. */
  header: (name: string, value: string) => void
}

/** One endpoint, whole: everything that the pipeline, the validation and the documentation need. */
export type Lookup<Q extends TObject, R extends TObject> = {
  url: `/api/${string}`
  summary: string
  description: string
  query: Q
  response: R
  /** The codes that `run` may raise; those of the pipeline are documented by themselves. */
  errors: readonly ErrorCode[]
  price: 'free' | ((query: Static<Q>) => Price)
  /** The answer, where it is already here: it is charged without a hold, and `run` is not called. */
  ready?: (query: Static<Q>, call: Call, ctx: Context) => Promise<Static<R> | undefined>
  run: (query: Static<Q>, call: Call, ctx: Context) => Static<R> | Promise<Static<R>>
}

/**
 * The one pipeline: authenticate → rate limit → validate → hold → run → settle → answer. Returns the plugin that
 * serves the endpoint. Failures of any step are thrown and become problem+json in `problem.ts`; they charge nothing.
 */
export const lookup = <Q extends TObject, R extends TObject>(endpoint: Lookup<Q, R>) =>
  function register(app: FastifyInstance, ctx: Context): void {
    app.route({
      method: 'GET',
      url: endpoint.url,
      schema: describeLookup(endpoint),
      onRequest: admit(ctx),
      handler: (request, reply) => {
        // Proven by the route's own schema, which Fastify has just checked the query against.
        const query = trusted<Static<Q>>(request.query)
        const call: Call = {
          request_id: request.id,
          conta: contaOf(request),
          header: (name, value) => void reply.header(name, value),
        }
        const run = () => endpoint.run(query, call, ctx)
        const exchange = { ctx, request, reply, call }
        if (endpoint.price === 'free') return answerFree(run, exchange)
        const price = endpoint.price(query)
        if ('charge' in price) return answerCharged(price.charge, run, exchange)
        return answerReadyOrHeld(price.hold, endpoint.ready?.(query, call, ctx), run, exchange)
      },
    })
  }

type Exchange = { ctx: Context; request: FastifyRequest; reply: FastifyReply; call: Call }

async function answerFree<B>(run: () => B | Promise<B>, exchange: Exchange): Promise<B> {
  const body = await run()
  return deliver(body, 0, await exchange.ctx.ledger.saldo(exchange.call.conta), exchange)
}

/** Runs first, then charges in one transaction: for answers that cost us next to nothing to make. */
async function answerCharged<B>(creditos: number, run: () => B | Promise<B>, exchange: Exchange): Promise<B> {
  const { ctx, call } = exchange
  let body: B
  try {
    body = await run()
  } catch (error) {
    // Credits (402) are checked before the lookup: without them nobody learns whether a document exists.
    const saldo = await ctx.ledger.saldo(call.conta)
    if (available(saldo) < creditos) throw insufficient(creditos, saldo, ctx)
    throw error
  }
  const { ok, saldo } = await ctx.ledger.charge(chargeOf(creditos, exchange))
  if (!ok) throw insufficient(creditos, saldo, ctx)
  return deliver(body, creditos, saldo, exchange)
}

/** What is already here is only charged; the rest is held. */
async function answerReadyOrHeld<B>(
  creditos: number,
  ready: Promise<B | undefined> | undefined,
  run: () => B | Promise<B>,
  exchange: Exchange,
): Promise<B> {
  const found = await ready
  return found === undefined
    ? answerHeld(creditos, run, exchange)
    : answerCharged(creditos, () => found, exchange)
}

/** Holds, runs, settles: what the hold did not need goes back; a failure, or a client that left, gives it all back. */
async function answerHeld<B>(creditos: number, run: () => B | Promise<B>, exchange: Exchange): Promise<B> {
  const { ctx, request, call } = exchange
  const held = await ctx.ledger.hold(chargeOf(creditos, exchange))
  if (!held.ok) throw insufficient(creditos, held.saldo, ctx)
  let body: B
  try {
    body = await run()
    if (request.raw.socket.destroyed) throw new ClientLeft('the client left before the answer')
  } catch (error) {
    await ctx.ledger.settle(call.request_id, 0)
    throw error
  }
  const { ok, saldo } = await ctx.ledger.settle(call.request_id, creditos)
  if (!ok) throw insufficient(creditos, saldo, ctx)
  return deliver(body, creditos, saldo, exchange)
}

const chargeOf = (creditos: number, { request, call }: Exchange) => ({
  conta: call.conta,
  request_id: call.request_id,
  endpoint: request.routeOptions.url ?? '',
  creditos,
})

function deliver<B>(body: B, creditos: number, saldo: Saldo, { request, reply }: Exchange): B {
  request.creditos = creditos
  setCreditHeaders(reply, creditos, saldo)
  return body
}

function insufficient(required: number, saldo: Saldo, { now }: Context): ApiError {
  const remaining = available(saldo)
  const resets_at = nextRenewal(now()).toISOString()
  const detail =
    `Esta consulta custa ${required} crédito${required === 1 ? '' : 's'} e a conta tem ${remaining}. ` +
    'A cota do plano renova no primeiro dia do mês (horário de Brasília); créditos extras valem na hora.'
  return new ApiError('LIMITE_ATINGIDO', detail, { required, remaining, resets_at })
}
