import type { FastifyReply } from 'fastify'

/** An answer of server-sent events (WHATWG HTML, 9.2), sent one by one at the pace of the client. */
export type EventStream = {
  /** Whether something was sent: from then on a failure can only be told as an event. */
  opened: () => boolean
  /**
   * Sends an event after the earlier ones. True once the connection has taken it, false if the client has
   * left.
   */
  send: (event: string, data: string, id?: string) => Promise<boolean>
  /** Waits for everything that was sent; false where the client has left. */
  flushed: () => Promise<boolean>
  end: () => void
}

/** How often a comment tells proxies that the connection lives. */
const HEARTBEAT_MS = 15_000

/**
 * Takes the answer over from Fastify at the first event, with the headers set so far, uncompressed. A
 * connection that takes nothing is dropped like any other (`stuck-connections.ts`).
 */
export function createEventStream(reply: FastifyReply): EventStream {
  const { raw } = reply
  const closed = new Promise<false>((resolve) => raw.once('close', () => resolve(false)))
  let opened = false
  let last: Promise<boolean> = Promise.resolve(true)
  let heartbeat: NodeJS.Timeout | undefined

  function open(): void {
    opened = true
    reply.hijack()
    // A client that leaves is seen by `close`.
    raw.on('error', () => {})
    reply.header('content-type', 'text/event-stream; charset=utf-8')
    // nginx would gather the events until it has a page of them.
    reply.header('x-accel-buffering', 'no')
    for (const [name, value = ''] of Object.entries(reply.getHeaders())) raw.setHeader(name, value)
    raw.writeHead(200)
    heartbeat = setInterval(beat, HEARTBEAT_MS).unref()
  }

  /** Sends nothing while an event waits: our comment would hide that the client takes nothing. */
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
