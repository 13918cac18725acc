import type { FastifyInstance } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { Context } from '../../context/context.ts'
import { available } from '../../domain/credito/saldo.ts'
import { trusted } from '../../domain/trusted.ts'
import { prefersEventStream } from './accept.ts'
import { admit } from './admit.ts'
import {
  answerHeld,
  type Bill,
  type Call,
  callOf,
  charge,
  deliver,
  type Exchange,
  insufficient,
  standardCodes,
} from './exchange.ts'
import { type Described, describeLookup } from './openapi.ts'
import { answerStreamed } from './streamed.ts'

/**
 * What a call costs. `hold` is set aside before `run`, for lookups that take time; `charge` is taken after a `run` that
 * costs nothing to us, in one transaction; either way nothing is charged unless the answer is delivered.
 */
type Price = { hold: number } | { charge: number }

/** One endpoint, whole: everything that the pipeline, the validation and the documentation need. */
type Lookup<Q extends TObject, R extends TObject> = Described<R> & {
  query: Q
  price: 'free' | ((query: Static<Q>) => Price)
  /** What an answer costs, where that depends on what it says: no more than the price. */
  charged?: (body: Static<R>) => number
  /** The schema of one of its `results`, where they may be streamed as the states answer (`call.onEntry`). */
  entrada?: TObject
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
      schema: {
        ...describeLookup(endpoint, { billed: endpoint.price !== 'free', entrada: endpoint.entrada }),
        querystring: endpoint.query,
      },
      onRequest: admit(ctx, standardCodes.rate),
      handler: (request, reply) => {
        // Proven by the route's own schema, which Fastify has just checked the query against.
        const query = trusted<Static<Q>>(request.query)
        const call = callOf(request, reply)
        const exchange = { ctx, request, reply, call, codes: standardCodes }
        const run = (asked = call) => endpoint.run(query, asked, ctx)
        if (endpoint.price === 'free') return answerFree(run, exchange)
        const price = endpoint.price(query)
        if ('charge' in price) return answerCharged(price.charge, run, exchange)
        const bill = { creditos: price.hold, charged: endpoint.charged ?? (() => price.hold) }
        if (endpoint.entrada && prefersEventStream(request.headers.accept))
          return answerStreamed(bill, run, exchange)
        return answerReadyOrHeld(bill, endpoint.ready?.(query, call, ctx), run, exchange)
      },
    })
  }

async function answerFree<B>(run: () => B | Promise<B>, exchange: Exchange): Promise<B> {
  const body = await run()
  return deliver(body, 0, await exchange.ctx.store.ledger.saldo(exchange.call.conta), exchange)
}

/** Runs first, then charges in one transaction: for answers that cost us next to nothing to make. */
async function answerCharged<B>(creditos: number, run: () => B | Promise<B>, exchange: Exchange): Promise<B> {
  const { ctx, call } = exchange
  let body: B
  try {
    body = await run()
  } catch (error) {
    // Credits (402) are checked before the lookup: without them nobody learns whether a document exists.
    const saldo = await ctx.store.ledger.saldo(call.conta)
    if (available(saldo) < creditos) throw insufficient(creditos, saldo, exchange)
    throw error
  }
  return deliver(body, creditos, await charge(creditos, exchange), exchange)
}

/** What is already here is only charged; the rest is held. */
async function answerReadyOrHeld<B>(
  bill: Bill<B>,
  ready: Promise<B | undefined> | undefined,
  run: () => B | Promise<B>,
  exchange: Exchange,
): Promise<B> {
  const found = await ready
  return found === undefined
    ? answerHeld(bill, run, exchange)
    : answerCharged(bill.charged(found), () => found, exchange)
}
