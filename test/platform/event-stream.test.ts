import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { dropStuckConnections } from '../../src/platform/http/outcome.ts'
import { createEventStream } from '../../src/platform/http/stream.ts'

const MIB = 1024 * 1024

/**
 * A server with one stream of 40 large events. It tells whether the connection took each; `onData` hears the
 * client's socket.
 */
async function serve(
  onData: (chunk: Buffer, leave: () => void, stop: () => void) => void,
  connectionTimeout = 0,
): Promise<boolean[]> {
  const app = Fastify({ connectionTimeout })
  dropStuckConnections(app.server)
  const done = Promise.withResolvers<boolean[]>()
  app.get('/', async (_request, reply) => {
    const events = createEventStream(reply)
    const sent = Array.from({ length: 40 }, (_, n) => events.send('uf', `"${'x'.repeat(MIB)}"`, String(n)))
    const taken = await Promise.all(sent)
    assert.equal(await events.flushed(), taken.at(-1))
    events.end()
    done.resolve(taken)
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  socket.on('data', (chunk) =>
    onData(
      chunk,
      () => socket.destroy(),
      () => socket.pause(),
    ),
  )
  const taken = await done.promise
  socket.destroy()
  await app.close()
  return taken
}

test('events go out one after the other, at the pace of who reads', async () => {
  const seen: string[] = []
  const taken = await serve((chunk) => {
    seen.push(...(chunk.toString('latin1').match(/(?<=id: )\d+(?=\n)/g) ?? []))
  })
  assert.deepEqual(taken, Array(40).fill(true))
  assert.deepEqual(seen.map(Number), [...seen.keys()])
})

test('what the connection had not taken when the client left is not counted as sent', async () => {
  const taken = await serve((_chunk, leave) => leave())
  assert.equal(taken.at(-1), false)
  assert.equal(taken.lastIndexOf(true) < taken.indexOf(false), true)
})

test('a connection that takes nothing any more is closed, and what it had not taken is not counted', async () => {
  const taken = await serve((_chunk, _leave, stop) => stop(), 50)
  assert.equal(taken.at(-1), false)
})
