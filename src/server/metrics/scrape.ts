import Fastify from 'fastify'
import { explainAddress } from '../../context/start-error.ts'
import type { Metrics } from './metrics.ts'

/** Where the figures are read. */
export type Scrape = { address: string; close: () => Promise<void> }

/** How long a request may take to arrive. */
const REQUEST_MS = 10_000

/**
 * Serves the figures at `/metrics`, on a port of their own, also while the service drains. Throws StartError
 * for an address that cannot be had.
 */
export async function serveMetrics(
  { read }: Metrics,
  { host, port }: { host: string; port: number },
): Promise<Scrape> {
  const app = Fastify({ requestTimeout: REQUEST_MS, forceCloseConnections: true, logger: false })
  // The words of a failure are not for this port: the scrape failed, and Prometheus says so.
  app.setErrorHandler((_error, _request, reply) => reply.code(500).send())
  app.get('/metrics', async (_request, reply) => {
    const { text, type } = await read()
    return reply.type(type).send(text)
  })
  const address = await app.listen({ host, port }).catch((error) => {
    throw explainAddress(error, `${host}:${port}`, { host: 'METRICS_HOST', port: 'METRICS_PORT' })
  })
  return { address, close: () => app.close() }
}
