import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { createSecureContext, createServer as createTls } from 'node:tls'
import fc from 'fast-check'
import { createCadeia, createServidores, NOSSOS_NOMES } from '../../simulator/platform/icp/cadeia.ts'
import { pem } from '../../simulator/platform/icp/certificado.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'

/**
 * What a server does with a connection: which of these it writes, when it ends, and the fate of the bytes
 * below TLS.
 */
type Conduct = {
  lines: readonly string[]
  end: 'end' | 'destroy' | 'renegotiate' | 'wait'
  /** After so many bytes of the server they stop, or one of them is changed. */
  cut: number
  corrupt: number
}

const LINES = [
  'HTTP/1.1 200 OK\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  'HTTP/1.1 302 Found\r\nlocation: http://[\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 302 Found\r\nlocation: /x\r\ncontent-length: 0\r\n\r\n',
  'content-length: 4\r\n',
  'content-length: -1\r\n',
  'transfer-encoding: chunked\r\n',
  'set-cookie: =; domain=\u0001\r\n',
  'content-encoding: gzip\r\n',
  'keep-alive: timeout=x\r\n',
  '\r\n',
  '<a/>',
  'zz\r\n',
  '4\r\n<a/>\r\n0\r\n\r\n',
  'HTTP/9.9 999\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n<a/>',
  `x: ${'y'.repeat(70_000)}\r\n`,
]

const cadeia = await createCadeia(NOSSOS_NOMES, new Date(Date.now() + 86_400_000))
const ca = pem(cadeia.raiz.certificado.raw)
const servidores = createServidores(cadeia, () => new Date())
let conduct: Conduct
const servers: Server[] = []
const portOf = (server: Server | undefined): number => {
  const { port }: Partial<AddressInfo> = Object(server?.address())
  return port ?? 0
}

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  const server = createTls(
    {
      SNICallback: (host, done) => {
        const { key, cert } = servidores(host)
        done(null, createSecureContext({ key, cert }))
      },
      minVersion: version,
      maxVersion: version,
    },
    (socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        for (const line of conduct.lines) socket.write(line)
        if (conduct.end === 'end') socket.end()
        if (conduct.end === 'destroy') socket.destroy()
        if (conduct.end === 'renegotiate')
          socket.renegotiate({ requestCert: true, rejectUnauthorized: false }, () => socket.destroy())
      })
    },
  )
  server.on('tlsClientError', () => {})
  // A relay in front of the server, which does not let all bytes through.
  const front = createServer((socket) => passOn(socket, portOf(server)))
  servers.push(server, front)
}

function passOn(client: Socket, port: number): void {
  const { cut, corrupt } = conduct
  const server = dial(port, '127.0.0.1')
  for (const socket of [client, server]) socket.on('error', () => {})
  client.on('close', () => server.destroy()).on('data', (bytes) => server.write(bytes))
  server.on('close', () => client.destroy())
  let passed = 0
  server.on('data', (bytes) => {
    const at = corrupt - passed
    if (at >= 0 && at < bytes.length) bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at)
    client.write(bytes.subarray(0, Math.max(0, cut - passed)))
    passed += bytes.length
    if (passed > cut) client.destroySoon()
  })
}

before(() => Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening'))))
after(() => {
  for (const server of servers) server.close()
})

const conducts = fc.record<Conduct>({
  lines: fc.array(fc.constantFrom(...LINES), { maxLength: 5 }),
  end: fc.constantFrom('end', 'destroy', 'renegotiate', 'wait'),
  cut: fc.oneof(fc.nat(6000), fc.constant(Number.POSITIVE_INFINITY)),
  corrupt: fc.oneof(fc.nat(6000), fc.constant(-1), fc.constant(-1)),
})

test('whatever a server does to a connection is an answer or a SourceError, and ends the process never', async () => {
  const fronts = [servers[1], servers[3]].map(portOf)
  await fc.assert(
    fc.asyncProperty(conducts, fc.constantFrom(...fronts), async (next, port) => {
      conduct = next
      const http = openTransport({ mode: 'simulator', ca, gateway: { host: '127.0.0.1', port }, hosts: {} })
      const source = { id: 'hostil', nome: 'A SEFAZ de teste' }
      const ask = { source, method: 'GET', url: 'https://hostil.test/', deadlineMs: 60 } as const
      try {
        await http.send({ ...ask, redirects: 2, repeatable: true })
      } catch (error) {
        assert.ok(error instanceof SourceError, String(error))
      } finally {
        await http.close()
      }
    }),
    { numRuns: 60 },
  )
})
