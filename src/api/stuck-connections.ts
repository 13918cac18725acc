import type { Server, ServerResponse } from 'node:http'

/**
 * How long a connection that takes nothing is believed to be read. Node notices it when this has passed once
 * or twice.
 */
export const STUCK_MS = 30_000

/**
 * Destroys a connection that takes not a byte of its answer for `server.timeout`, whatever the answer is:
 * JSON, a page, a stream or a refusal. Node starts that time anew with every byte that moves, so one that
 * reads slowly is not cut.
 *
 * A connection whose answer has not begun is not stuck: the call may be waiting for an authority. What comes
 * too slowly is `requestTimeout`'s, and between two requests it is `keepAliveTimeout`'s.
 */
export function dropStuckConnections(server: Server): void {
  server.on('request', (_request, response) => response.on('timeout', dropIfAnswering))
}

function dropIfAnswering(this: ServerResponse): void {
  if (this.headersSent) this.destroy()
}
