import type { Server, ServerResponse } from 'node:http'

/**
 * Milliseconds after which a connection that takes nothing counts as stuck. Node notices it after one or two
 * of these periods.
 */
export const STUCK_MS = 30_000

/**
 * Destroys a connection that takes no byte of its answer for `server.timeout`. An answer that has not begun
 * may wait for an authority, so it is not stuck.
 */
export function dropStuckConnections(server: Server): void {
  server.on('request', (_request, response) => response.on('timeout', dropIfAnswering))
}

function dropIfAnswering(this: ServerResponse): void {
  if (this.headersSent) this.destroy()
}
