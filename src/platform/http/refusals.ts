import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, errorCodes } from '../errors.ts'
import type { Ambiente } from '../wire/ambiente.ts'
import { constantHeaders } from './common-headers.ts'
import { problemBody } from './problem.ts'

const reasons = new Map<string, ApiError>([
  [
    'HPE_HEADER_OVERFLOW',
    new ApiError('CABECALHOS_MUITO_GRANDES', 'A URL e os cabeçalhos podem somar até 16 KiB.'),
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    new ApiError(
      'TEMPO_ESGOTADO',
      'A requisição não chegou inteira a tempo. Tente de novo em alguns segundos.',
    ),
  ],
])
const unreadable = new ApiError('REQUISICAO_INVALIDA', 'O que chegou não é uma requisição HTTP válida.')

/**
 * Answers bytes that Node could not read as HTTP. There is no request to reply to, so it writes to the
 * socket.
 */
export const refuseBrokenRequest =
  (ambiente: Ambiente) =>
  (error: Error & { code: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
      socket.destroy()
      return
    }
    const reason = reasons.get(error.code) ?? unreadable
    const { status, title } = errorCodes[reason.code]
    const request_id = randomUUID()
    const body = problemBody(reason, request_id)
    const headers = {
      ...rawHeaders(ambiente, request_id, body),
      ...(reason.retryS !== null && { 'retry-after': reason.retryS }),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const phrase = title.normalize('NFD').replace(/[^\x20-\x7e]/g, '')
    socket.end(`HTTP/1.1 ${status} ${phrase}\r\n${lines.join('')}\r\n${body}`)
  }

/** The headers of every answer, for an answer that no hook sees. */
const rawHeaders = (ambiente: Ambiente, request_id: string, body: string) => ({
  ...constantHeaders(ambiente),
  'x-request-id': request_id,
  'content-type': 'application/problem+json; charset=utf-8',
  'content-length': Buffer.byteLength(body),
})

const badUrl = new ApiError(
  'REQUISICAO_INVALIDA',
  'A URL não pôde ser lida: verifique os caracteres escapados com %.',
)

/** Answers a URL that the router could not decode; no route, and so no hook, ever sees it. */
export function refuseUnreadableUrl(ambiente: Ambiente, request_id: string, response: ServerResponse): void {
  const body = problemBody(badUrl, request_id)
  response.writeHead(errorCodes[badUrl.code].status, rawHeaders(ambiente, request_id, body)).end(body)
}
