import type { FastifyReply } from 'fastify'
import type { TSchema } from 'typebox'
import { available } from '../ledger/rules.ts'
import { sourceFailuresIn } from '../wire/source-status.ts'
import { hold, mostOf, settle, type Work } from './answer.ts'
import { ClientLeft } from './connections.ts'
import { createEventStream, type EventStream } from './events.ts'
import type { Exchange } from './exchange.ts'
import { tallyOf } from './outcome.ts'
import { explainFailure, problemBody } from './problem.ts'

export type Stream<P> = {
  piece: TSchema
  event: string
  id: (piece: P) => string
  /** What a client pays for a piece that its connection has taken, if it leaves before the end. */
  charged: (piece: P) => number
  described: {
    pieces: string
    leaver: string
    example: string
  }
}

type StreamedWork<B, P> = Pick<Work<B>, 'price' | 'charged'> & {
  stream: Stream<P>
  run: (emit: (piece: P) => void) => B | Promise<B>
}

/**
 * Answers with events: one for each piece, then `creditos`, then `resultado` with the body of the JSON
 * answer. A failure after the first piece is the event `erro` and costs nothing; a client that leaves pays
 * for the pieces that its connection took.
 */
export async function answerStreamed<B extends object, P extends object>(
  work: StreamedWork<B, P>,
  exchange: Exchange,
): Promise<undefined> {
  await hold(mostOf(work.price), exchange)
  const { platform, request } = exchange
  const events = createEventStream(exchange.reply)
  try {
    await sendPieces(work, exchange, events)
  } catch (error) {
    if (!events.opened()) throw error
    if (!(error instanceof ClientLeft))
      await events.send('erro', problemBody(explainFailure(platform, request, error), request.id))
  } finally {
    events.end()
  }
}

async function sendPieces<B extends object, P extends object>(
  { stream, charged, run }: StreamedWork<B, P>,
  exchange: Exchange,
  events: EventStream,
): Promise<void> {
  const { request, reply } = exchange
  let taken = 0
  const emit = (piece: P): void => {
    void events.send(stream.event, serialize(reply, piece, STREAM), stream.id(piece)).then((delivered) => {
      if (delivered) taken += stream.charged(piece)
    })
  }
  let creditos: number
  let resultado: string
  try {
    const body = await run(emit)
    if (!(await events.flushed())) throw new ClientLeft('the client left before the last piece')
    creditos = charged(body)
    tallyOf(request).failures = sourceFailuresIn(body)
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

const [STREAM, JSON_BODY] = ['text/event-stream', 'application/json'] as const

/** Writes a value as the JSON answer has it: a member that the schema does not name is not sent. */
const serialize = (reply: FastifyReply, value: object, type: typeof STREAM | typeof JSON_BODY): string =>
  String(reply.serializeInput({ ...value }, '200', type))
