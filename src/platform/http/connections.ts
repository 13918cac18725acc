import type { Server, ServerResponse } from 'node:http'

/** Milliseconds. Node notices a stuck connection after one or two of these periods. */
export const STUCK_MS = 30_000

/** An answer that has not begun may wait for an authority, so it is not stuck. */
export function dropStuckConnections(server: Server): void {
  server.on('request', (_request, response) => response.on('timeout', dropIfAnswering))
}

function dropIfAnswering(this: ServerResponse): void {
  if (this.headersSent) this.destroy()
}

/** The client left. Only what was delivered is charged, and it is no failure of the service. */
export class ClientLeft extends Error {
  override name = 'ClientLeft'
}

/** Whether a response went out whole. One asked for in this process says so by its event alone. */
export function watchEnd(raw: ServerResponse): () => boolean {
  let isWhole = false
  raw.once('finish', () => {
    // An aborted one says it too, when its pipeline ends it.
    isWhole = !raw.destroyed
  })
  return () => isWhole || raw.writableFinished
}

export function signalOfLeaving(raw: ServerResponse): AbortSignal {
  const leaving = new AbortController()
  const isWhole = watchEnd(raw)
  const onClose = () => {
    if (!isWhole()) leaving.abort(new ClientLeft('the client left before the answer'))
  }
  if (raw.closed) onClose()
  else raw.once('close', onClose)
  return leaving.signal
}
