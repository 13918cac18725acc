import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestPlain,
} from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { TLSSocket } from 'node:tls'

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  body: string
  resumed: boolean
  /** The version of TLS, such as `TLSv1.3`; undefined on plain HTTP. */
  protocol: string | undefined
  session: Buffer | undefined
}

export type Question = RequestOptions & { port: number; name: string; session?: Buffer; body?: Buffer }

/** Asks a gateway on the loopback over TLS, on a connection of its own. Trusts `ca` alone. */
export function ask({ name, body, ...options }: Question): Promise<Answer> {
  const usual = { host: '127.0.0.1', servername: name, agent: false, headers: { host: name } }
  return exchange(request({ ...usual, method: body ? 'POST' : 'GET', ...options }), body)
}

/** Asks a gateway on the loopback over plain HTTP, under any Host. */
export function askPlain(port: number, host: string, path = '/', method = 'GET'): Promise<Answer> {
  return exchange(requestPlain({ host: '127.0.0.1', port, path, method, agent: false, headers: { host } }))
}

async function exchange(call: ClientRequest, body?: Buffer): Promise<Answer> {
  let session: Buffer | undefined
  call.on('socket', (socket) => {
    socket.on('session', (ticket: Buffer) => {
      session = ticket
    })
  })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    call.on('response', resolve).on('error', reject).end(body)
  })
  const { socket } = response
  const resumed = socket instanceof TLSSocket && socket.isSessionReused()
  const protocol = socket instanceof TLSSocket ? (socket.getProtocol() ?? undefined) : undefined
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  const { statusCode: status = 0, headers } = response
  return { status, headers, body: text, resumed, protocol, session }
}
