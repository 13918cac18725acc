import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Config } from '../../config/settings.ts'
import { explainAddress } from '../../context/start-error.ts'
import type { Metrics } from './metrics.ts'

/** Where the figures are read. */
export type Scrape = { address: string; close: () => Promise<void> }

/** What a scrape takes at most; it asks the database one question. */
const SCRAPE_MS = 10_000

/**
 * Serves the figures at `/metrics`, on a port of their own: who may read them is for that port to say, and they
 * answer while the service is busy. Throws StartError for an address that cannot be had.
 */
export async function serveMetrics(
  { read }: Metrics,
  { host, port }: { host: Config['METRICS_HOST']; port: number },
): Promise<Scrape> {
  const server = createServer({ requestTimeout: SCRAPE_MS }, (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('GET /metrics\n')
      return
    }
    read().then(
      ({ text, type }) => response.writeHead(200, { 'content-type': type }).end(text),
      // As when the database does not answer: the scrape failed, and Prometheus says so.
      () => response.writeHead(500).end(),
    )
  })
  server.listen(port, host)
  await once(server, 'listening').catch((error) => {
    throw explainAddress(error, `${host}:${port}`, { host: 'METRICS_HOST', port: 'METRICS_PORT' })
  })
  const bound = server.address()
  const at = typeof bound === 'object' && bound !== null ? bound.port : port
  const close = async (): Promise<void> => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { address: `http://${host.includes(':') ? `[${host}]` : host}:${at}`, close }
}
