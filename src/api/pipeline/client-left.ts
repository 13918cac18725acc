import type { ServerResponse } from 'node:http'

/** The client left. Only what was delivered is charged, and it is no failure of the service. */
export class ClientLeft extends Error {
  override name = 'ClientLeft'
}

/** Aborted with ClientLeft when the connection closes before the answer is complete. */
export function signalOfLeaving(raw: ServerResponse): AbortSignal {
  const leaving = new AbortController()
  const onClose = () => {
    if (!raw.writableFinished) leaving.abort(new ClientLeft('the client left before the answer'))
  }
  if (raw.closed) onClose()
  else raw.once('close', onClose)
  return leaving.signal
}
