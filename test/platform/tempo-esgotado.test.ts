import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createConnection, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { refuseBrokenRequest } from '../../src/platform/http/refusals.ts'

/** Refuses each connection as Node's server does after the request's time, or for its bytes. */
const refuse = (code: string) =>
  createServer((socket) =>
    refuseBrokenRequest('simulador')(Object.assign(new Error('refused'), { code }), socket),
  )

const codes = ['ERR_HTTP_REQUEST_TIMEOUT', 'HPE_HEADER_OVERFLOW', 'HPE_INVALID_METHOD']
const servers = codes.map(refuse)
before(() => Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening'))))
after(() => servers.map((server) => server.close()))

test('a request that is no request is told whether it may be repeated, and only one that came too late may', async () => {
  const told = []
  for (const server of servers) {
    const port = Number(Object(server.address()).port)
    const [head = '', body = ''] = (await text(createConnection(port, '127.0.0.1'))).split('\r\n\r\n')
    const { error_code, retryable } = JSON.parse(body)
    told.push([error_code, retryable, /^retry-after: (.*)$/im.exec(head)?.[1]])
  }
  assert.deepEqual(told, [
    ['TEMPO_ESGOTADO', true, '5'],
    ['CABECALHOS_MUITO_GRANDES', false, undefined],
    ['REQUISICAO_INVALIDA', false, undefined],
  ])
})
