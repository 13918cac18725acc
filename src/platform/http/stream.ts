import type { FastifyReply } from 'fastify'
import type { TSchema } from 'typebox'
import { available } from '../ledger/rules.ts'
import { sourceFailuresIn } from '../wire/source-status.ts'
import { creditosOf, holdFor, type Piece, settle, type Work } from './answer.ts'
import type { Exchange } from './exchange.ts'
import { ClientLeft, tallyOf } from './outcome.ts'
import { explainFailure, problemBody } from './problem.ts'

/** Server-sent events (WHATWG HTML, 9.2). Each is one text, made once for all who listen to its topic. */
export type Broadcast = {
  /**
   * Takes the answer over from Fastify, with the headers set so far, and writes `first`. False, with nothing
   * done, where `who` or all together have as many listeners as they may, the client left, or the service
   * ends.
   */
  listen: (reply: FastifyReply, listener: { who: string; topic: string; first: string }) => boolean
  send: (topic: string, text: string) => void
  count: () => number
  close: () => void
}

export type BroadcastOptions = {
  most: number
  mostEach: number
  /** How long one answer lasts. A client then asks again, and whoever may no longer ask is refused. */
  lifeMs?: number
  beatMs?: number
}

/** Bytes that may wait for a client: one that has more of them does not read, and is dropped. */
const BEHIND = 64 * 1024

const BEAT_MS = 15_000
const LIFE_MS = 10 * 60_000

const RETRY = 'retry: 5000\n\n'

export const eventText = (event: string, data: string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`

type Listener = { raw: FastifyReply['raw']; topic: string; since: number }

export function openBroadcast({
  most,
  mostEach,
  lifeMs = LIFE_MS,
  beatMs = BEAT_MS,
}: BroadcastOptions): Broadcast {
  const listeners = new Set<Listener>()
  const byWho = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function forget(listener: Listener, who: string): void {
    listeners.delete(listener)
    const left = (byWho.get(who) ?? 1) - 1
    if (left > 0) byWho.set(who, left)
    else byWho.delete(who)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  /** Sends nothing while an event waits: our comment would hide that the client takes nothing. */
  function beat(): void {
    const before = performance.now() - lifeMs
    for (const { raw, since } of listeners) {
      if (since <= before) raw.end()
      else if (raw.writableLength === 0) raw.write(':\n\n')
    }
  }

  return {
    count: () => listeners.size,
    listen: (reply, { who, topic, first }) => {
      const own = byWho.get(who) ?? 0
      const { raw } = reply
      // A client that has left would never be forgotten: its `close` is over.
      if (closed || raw.destroyed || listeners.size >= most || own >= mostEach) return false
      const listener = { raw, topic, since: performance.now() }
      byWho.set(who, own + 1)
      listeners.add(listener)
      raw.once('close', () => forget(listener, who))
      // A client that leaves is seen by `close`.
      raw.on('error', () => {})
      takeOver(reply)
      raw.write(RETRY + first)
      timer ??= setInterval(beat, beatMs).unref()
      return true
    },
    send: (topic, text) => {
      const bytes = Buffer.from(text)
      for (const listener of listeners) {
        const { raw } = listener
        if (listener.topic !== topic || raw.writableEnded) continue
        if (raw.writableLength > BEHIND) raw.destroy()
        else raw.write(bytes)
      }
    },
    close: () => {
      closed = true
      for (const { raw } of listeners) raw.end()
    },
  }
}

function takeOver(reply: FastifyReply): void {
  reply.hijack()
  reply.header('content-type', 'text/event-stream; charset=utf-8')
  reply.header('cache-control', 'no-store')
  // nginx would gather the events until it has a page of them.
  reply.header('x-accel-buffering', 'no')
  for (const [name, value = ''] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value)
  reply.raw.writeHead(200)
}

export type EventStream = {
  /** Whether something was sent: from then on a failure can only be told as an event. */
  opened: () => boolean
  /** True once the connection has taken it, false if the client has left. */
  send: (event: string, data: string, id?: string) => Promise<boolean>
  flushed: () => Promise<boolean>
  end: () => void
}

const HEARTBEAT_MS = 15_000

/** From the first event on, uncompressed, with the headers that were set so far. */
export function createEventStream(reply: FastifyReply): EventStream {
  const { raw } = reply
  const closed = new Promise<false>((resolve) => raw.once('close', () => resolve(false)))
  let opened = false
  let last: Promise<boolean> = Promise.resolve(true)
  let heartbeat: NodeJS.Timeout | undefined

  function open(): void {
    opened = true
    reply.hijack()
    raw.on('error', () => {})
    reply.header('content-type', 'text/event-stream; charset=utf-8')
    reply.header('x-accel-buffering', 'no')
    for (const [name, value = ''] of Object.entries(reply.getHeaders())) raw.setHeader(name, value)
    raw.writeHead(200)
    heartbeat = setInterval(beat, HEARTBEAT_MS).unref()
  }

  function beat(): void {
    if (raw.writableLength === 0) raw.write(':\n\n')
  }

  function write(text: string): Promise<boolean> {
    if (raw.destroyed) return Promise.resolve(false)
    if (!opened) open()
    const taken = new Promise<boolean>((resolve) => raw.write(text, (error) => resolve(!error)))
    return Promise.race([taken, closed])
  }

  return {
    opened: () => opened,
    send: (event, data, id) => {
      const name = id === undefined ? '' : `id: ${id}\n`
      last = last.then((taken) => taken && write(`${name}event: ${event}\ndata: ${data}\n\n`))
      return last
    },
    flushed: () => last,
    end: () => {
      clearInterval(heartbeat)
      if (opened) raw.end()
    },
  }
}

/** An event a piece: its schema, the name of the event, and what the documentation says of it. */
export type Stream = {
  piece: TSchema
  event: string
  described: { pieces: string; leaver: string; example: string }
}

/**
 * Answers with events: one for each piece, then `creditos`, then `resultado` with the body of the JSON
 * answer. A failure after the first piece is the event `erro` and costs nothing; a client that leaves pays
 * for the pieces that its connection took.
 */
export async function answerStreamed<B extends object>(
  work: Work<B>,
  stream: Pick<Stream, 'event'> & { cached: (body: B) => boolean },
  exchange: Exchange,
): Promise<undefined> {
  await holdFor(work, exchange)
  const { platform, request } = exchange
  const events = createEventStream(exchange.reply)
  try {
    await sendPieces(work, { exchange, events, ...stream })
  } catch (error) {
    if (!events.opened()) throw error
    if (!(error instanceof ClientLeft))
      await events.send('erro', problemBody(explainFailure(platform, request, error), request.id))
  } finally {
    events.end()
  }
}

type Sent<B> = { exchange: Exchange; events: EventStream; event: string; cached: (body: B) => boolean }

async function sendPieces<B extends object>(
  work: Work<B>,
  { exchange, events, event, cached }: Sent<B>,
): Promise<void> {
  const { request, reply } = exchange
  let taken = 0
  const emit = ({ id, data, creditos }: Piece): void => {
    void events.send(event, serialize(reply, data, STREAM), id).then((delivered) => {
      if (delivered) taken += creditos
    })
  }
  let creditos: number
  let resultado: string
  try {
    const body = await work.run(emit)
    if (!(await events.flushed())) throw new ClientLeft('the client left before the last piece')
    creditos = creditosOf(work, exchange, body)
    tallyOf(request).failures = sourceFailuresIn(body)
    tallyOf(request).cached = cached(body)
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
