import type { FastifyReply } from 'fastify'
import { creditosOf } from '../../consultas/todos.ts'
import { available } from '../../domain/credito/saldo.ts'
import { ClientLeft } from './client-left.ts'
import { createEventStream, type EventStream } from './event-stream.ts'
import { type Bill, type Call, type Exchange, hold, settle } from './exchange.ts'
import { tallyOf } from './outcome.ts'
import { explainFailure, problemBody } from './problem.ts'

/**
 * Answers with a stream of events: `uf` with the entry of a state as it arrives, then `creditos`, then `resultado` with the
 * body that JSON would have. What fails before the first entry is thrown, later it is the event `erro`; it charges nothing.
 * A client that leaves is charged for the entries that its connection had taken.
 */
export async function answerStreamed<B extends object>(
  bill: Bill<B>,
  run: (call: Call) => B | Promise<B>,
  exchange: Exchange,
): Promise<void> {
  await hold(bill, exchange)
  const { ctx, request } = exchange
  const events = createEventStream(exchange.reply)
  const streaming = stream(bill, run, exchange, events)
  tallyOf(request).settling = streaming.catch(() => {})
  try {
    await streaming
  } catch (error) {
    if (!events.opened()) throw error
    if (!(error instanceof ClientLeft))
      await events.send('erro', problemBody(explainFailure(ctx, request, error), request.id))
  } finally {
    events.end()
  }
}

async function stream<B extends object>(
  bill: Bill<B>,
  run: (call: Call) => B | Promise<B>,
  exchange: Exchange,
  events: EventStream,
): Promise<void> {
  const { request, reply, call } = exchange
  let taken = 0
  const onEntry: Call['onEntry'] = (entry) => {
    void events.send('uf', serialize(reply, entry, STREAM), entry.uf).then((delivered) => {
      if (delivered) taken += creditosOf([entry])
    })
  }
  let creditos: number
  let resultado: string
  try {
    const body = await run({ ...call, onEntry })
    if (!(await events.flushed())) throw new ClientLeft('the client left before the last entry')
    creditos = bill.charged(body)
    resultado = serialize(reply, body, JSON_BODY)
  } catch (error) {
    await events.flushed()
    const delivered = error instanceof ClientLeft ? taken : 0
    await settle(delivered, exchange)
    tallyOf(request).creditos = delivered
    throw error
  }
  const saldo = await settle(creditos, exchange)
  tallyOf(request).creditos = creditos
  void events.send('creditos', JSON.stringify({ cobrados: creditos, restantes: available(saldo) }))
  await events.send('resultado', resultado)
}

/** The media types that the description of a route has a schema for: of an entry, of the whole body. */
const [STREAM, JSON_BODY] = ['text/event-stream', 'application/json'] as const

/** What JSON would have of it: what the schema does not name is not sent. */
const serialize = (reply: FastifyReply, value: object, type: typeof STREAM | typeof JSON_BODY): string =>
  String(reply.serializeInput({ ...value }, '200', type))
