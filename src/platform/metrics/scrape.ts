import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import Fastify from 'fastify'
import { explainAddress } from '../start.ts'
import type { Metrics } from './metrics.ts'

export type Scrape = { address: string; close: () => Promise<void> }

const STUCK_MS = 10_000

/** The most connections, of all and of one address: a scraper needs one, and keeps none. */
const MOST = { all: 32, each: 8 }

/** How long figures are good. To draw them takes the event loop as long as many requests. */
const KEPT_MS = 1_000

/** On a port of its own, drawn once a second at most. Throws StartError. */
export async function serveMetrics(
  { read }: Metrics,
  { host, port, clock }: { host: string; port: number; clock: () => number },
): Promise<Scrape> {
  const figures = keepFigures(read, clock)
  const app = Fastify({
    requestTimeout: STUCK_MS,
    connectionTimeout: STUCK_MS,
    // Who wants more than one answer pays for more than one connection.
    maxRequestsPerSocket: 1,
    bodyLimit: 1,
    forceCloseConnections: true,
    logger: false,
  })
  app.removeAllContentTypeParsers()
  capConnections(app.server)
  // The words of a failure are not for this port: the scrape failed, and Prometheus says so.
  app.setErrorHandler((_error, _request, reply) => reply.code(500).send())
  app.get('/metrics', async (_request, reply) => {
    const { text, type } = await figures()
    return reply.type(type).send(text)
  })
  const address = await app.listen({ host, port }).catch((error) => {
    throw explainAddress(error, `${host}:${port}`, { host: 'METRICS_HOST', port: 'METRICS_PORT' })
  })
  return { address, close: () => app.close() }
}

function keepFigures(
  read: Metrics['read'],
  clock: () => number,
): () => Promise<{ text: Buffer; type: string }> {
  let drawn: { at: number; figures: Promise<{ text: Buffer; type: string }> } | undefined
  let drawing = false
  return () => {
    const isOld = drawn === undefined || Math.abs(clock() - drawn.at) >= KEPT_MS
    if (drawn && (drawing || !isOld)) return drawn.figures
    drawing = true
    const figures = read()
      .then(({ text, type }) => ({ text: Buffer.from(text), type }))
      .finally(() => {
        drawing = false
      })
    drawn = { at: clock(), figures }
    return figures
  }
}

function capConnections(server: Server): void {
  const of = new Map<string, number>()
  server.maxConnections = MOST.all
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    const open = (of.get(remoteAddress) ?? 0) + 1
    if (open > MOST.each) {
      socket.destroy()
      return
    }
    of.set(remoteAddress, open)
    socket.once('close', () => {
      const left = (of.get(remoteAddress) ?? 1) - 1
      if (left === 0) of.delete(remoteAddress)
      else of.set(remoteAddress, left)
    })
  })
}
