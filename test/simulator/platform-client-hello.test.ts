import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect } from 'node:tls'
import fc from 'fast-check'
import { CATALOGO_NFE } from '../../simulator/nfe/cenarios.ts'
import { startGateway } from '../../simulator/platform/gateway.ts'
import { openIcp } from '../../simulator/platform/icp/icp.ts'
import { readClientHello } from '../../simulator/platform/tls.ts'
import { ask } from '../kit/simulator.ts'

const NAME = 'nfe.fazenda.exemplo.test'

/** Starts a server on a free port of the loopback. It is closed with its connections when the test ends. */
async function listen(t: TestContext, onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server: Server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket.on('error', () => undefined))
    onConnection(socket)
  })
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address)
  return address.port
}

/** The first octets that Node's own client sends. */
async function helloTo(t: TestContext, servername: string): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  let received = Buffer.alloc(0)
  const port = await listen(t, (socket) => {
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      if (received.length === 5 + received.readUInt16BE(3)) resolve(received)
    })
  })
  const client = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false })
  client.on('error', () => undefined)
  t.after(() => client.destroy())
  return promise
}

/** The same message in records of `size` octets each. */
function fragment(hello: Buffer, size: number): Buffer {
  const records: Buffer[] = []
  for (let i = 5; i < hello.length; i += size) {
    const piece = hello.subarray(i, i + size)
    records.push(Buffer.from([22, 3, 1, piece.length >> 8, piece.length & 0xff]), piece)
  }
  return Buffer.concat(records)
}

test('the name is read once the whole ClientHello is there, and not before', async (t) => {
  const hello = await helloTo(t, NAME)
  for (let length = 1; length < hello.length; length++)
    assert.equal(readClientHello(hello.subarray(0, length)), 'incompleto')
  assert.deepEqual(readClientHello(hello), { nome: NAME })
  assert.deepEqual(readClientHello(Buffer.concat([hello, Buffer.from('more')])), { nome: NAME })
})

test('a ClientHello cut into records of any size says the same name', async (t) => {
  const hello = await helloTo(t, NAME)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: hello.length }), (size) =>
      assert.deepEqual(readClientHello(fragment(hello, size)), { nome: NAME }),
    ),
  )
})

test('a client that asks for no name says none, and capital letters make no other name', async (t) => {
  assert.deepEqual(readClientHello(await helloTo(t, '')), { nome: undefined })
  assert.deepEqual(readClientHello(await helloTo(t, 'NFE.Exemplo.test')), { nome: 'nfe.exemplo.test' })
})

test('octets that are no ClientHello are invalid or wait for more, and never more than 32 KiB of them', async (t) => {
  const hello = await helloTo(t, NAME)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readClientHello(Buffer.from(bytes))),
  )
  fc.assert(
    fc.property(fc.nat({ max: hello.length - 1 }), fc.nat({ max: 255 }), (position, value) => {
      const garbled = Buffer.from(hello)
      garbled[position] = value
      readClientHello(garbled)
    }),
  )
  assert.equal(readClientHello(Buffer.from('160301000401ffffff', 'hex')), 'invalido')
  assert.equal(readClientHello(Buffer.from('16030100040200000000', 'hex')), 'invalido')
  const empty = Buffer.from('1603010000', 'hex')
  assert.equal(readClientHello(Buffer.concat(Array(100_000).fill(empty))), 'invalido')
})

test('a connection whose first octets trickle in is served as any other', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'client-hello-'))
  t.after(() => rm(folder, { recursive: true }))
  const icp = await openIcp(folder, () => new Date(), CATALOGO_NFE)
  const gateway = await startGateway({
    porta: 0,
    host: '127.0.0.1',
    icp,
    autoridades: [
      {
        nome: 'eco',
        hosts: [NAME],
        asksCertificado: true,
        answer: ({ host }, resposta) => void resposta.end(host),
      },
    ],
    paginas: () => undefined,
  })
  t.after(gateway.close)
  const port = await listen(t, (client) => {
    const upstream = dial(gateway.porta, '127.0.0.1')
      .setNoDelay()
      .on('error', () => client.destroy())
    upstream.pipe(client)
    client.on('end', () => upstream.end())
    client.on('close', () => upstream.destroy())
    trickle(client, upstream).catch(() => upstream.destroy())
  })
  assert.equal((await ask({ port, name: NAME, ca: icp.ca })).body, NAME)
  const plain = await fetch(`http://127.0.0.1:${port}/estatisticas.json`)
  assert.match(await plain.text(), /"completos": 1/)
})

/** Passes on at most 100 octets in one turn of the event loop. */
async function trickle(from: Socket, to: Socket): Promise<void> {
  for await (const chunk of from) {
    assert.ok(Buffer.isBuffer(chunk))
    for (let i = 0; i < chunk.length; i += 100) {
      to.write(chunk.subarray(i, i + 100))
      await new Promise(setImmediate)
    }
  }
}
