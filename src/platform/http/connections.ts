import type { ServerResponse } from 'node:http'

/** The client left. Only what was delivered is charged, and it is no failure of the service. */
export class ClientLeft extends Error {
  override name = 'ClientLeft'
}

/**
 * Tells whether a response went out whole, from its close on. One that is asked for in this process says so
 * by its event alone.
 */
export function watchEnd(raw: ServerResponse): () => boolean {
  let isWhole = false
  raw.once('finish', () => {
    // An aborted one says it too, when its pipeline ends it.
    isWhole = !raw.destroyed
  })
  return () => isWhole || raw.writableFinished
}

/** Aborted with ClientLeft when the connection closes before the answer is complete. */
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
