import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import {
  type Broadcast,
  type BroadcastOptions,
  eventText,
  openBroadcast,
} from '../../src/platform/http/stream.ts'
import { pausa } from '../kit/basics.ts'

type Place = {
  broadcast: Broadcast
  join: (who?: string, topic?: string) => Promise<Heard>
  close: () => Promise<void>
}
type Heard = { socket: Socket; text: () => string; until: (part: string) => Promise<void> }

/** What is kept of the end of what was heard. More than one read brings. */
const KEPT = 256 * 1024

/** A server whose one route listens: the query says who, and to what. */
async function serve(options: Partial<BroadcastOptions> = {}): Promise<Place> {
  const broadcast = openBroadcast({ most: 300, mostEach: 300, ...options })
  const app = Fastify({ forceCloseConnections: 'idle' })
  app.addHook('preClose', async () => broadcast.close())
  app.get('/', (request, reply) => {
    const { who, topic } = Object(request.query)
    if (!broadcast.listen(reply, { who, topic, first: eventText('estado', '1', 'a') })) reply.code(429).send()
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const join = async (who = 'a', topic = 'nfe'): Promise<Heard> => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    let heard = ''
    socket.setEncoding('latin1').on('data', (text) => {
      // A search writes all of a text anew that was put together, so megabytes may not gather.
      heard = (heard + text).slice(-KEPT)
      socket.emit('heard')
    })
    socket.write(`GET /?who=${who}&topic=${topic} HTTP/1.1\r\nHost: x\r\n\r\n`)
    const until = async (part: string): Promise<void> => {
      while (!heard.includes(part)) await once(socket, 'heard')
    }
    await until('\r\n\r\n')
    return { socket, text: () => heard, until }
  }
  return { broadcast, join, close: () => app.close() }
}

test('all who listen to a topic hear each of its events, and no other', async (t) => {
  const { broadcast, join, close } = await serve()
  t.after(close)
  const all = await Promise.all(Array.from({ length: 300 }, (_, n) => join('a', n % 3 === 0 ? 'cte' : 'nfe')))
  broadcast.send('nfe', eventText('mudanca', '2', 'b'))
  broadcast.send('cte', eventText('mudanca', '3', 'c'))
  for (const [n, { until, text }] of all.entries()) {
    await until(n % 3 === 0 ? 'id: c\nevent: mudanca\ndata: 3\n\n' : 'id: b\nevent: mudanca\ndata: 2\n\n')
    assert.equal(text().includes(n % 3 === 0 ? 'data: 2' : 'data: 3'), false)
  }
  assert.equal(broadcast.count(), 300)
})

test('one who has as many streams as he may gets no other, until one of them ends', async (t) => {
  const { broadcast, join, close } = await serve({ mostEach: 2 })
  t.after(close)
  const first = await join()
  await join()
  assert.match((await join()).text(), /^HTTP\/1.1 429/)
  assert.match((await join('b')).text(), /^HTTP\/1.1 200/)
  first.socket.destroy()
  while (broadcast.count() > 2) await pausa()
  assert.match((await join()).text(), /^HTTP\/1.1 200/)
})

test('a client that leaves before it is listed takes no place', async (t) => {
  const broadcast = openBroadcast({ most: 1, mostEach: 1 })
  const app = Fastify()
  t.after(() => app.close())
  const taken = Promise.withResolvers<boolean>()
  app.get('/', async (_request, reply) => {
    await once(reply.raw, 'close')
    taken.resolve(broadcast.listen(reply, { who: 'a', topic: 'nfe', first: '' }))
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  app.server.once('request', () => socket.destroy())
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  assert.equal(await taken.promise, false)
  assert.equal(broadcast.count(), 0)
})

test('all together have no more streams than the service bears', async (t) => {
  const { join, close } = await serve({ most: 2 })
  t.after(close)
  for (const who of ['a', 'b']) assert.match((await join(who)).text(), /^HTTP\/1.1 200/)
  assert.match((await join('c')).text(), /^HTTP\/1.1 429/)
})

test('a service that ends takes no listener more', async (t) => {
  const { broadcast, join, close } = await serve()
  t.after(close)
  broadcast.close()
  assert.match((await join()).text(), /^HTTP\/1.1 429/)
})

test('a client that does not read is dropped, and the others hear on', async (t) => {
  const { broadcast, join, close } = await serve()
  t.after(close)
  const [stopped, reads] = [await join(), await join()]
  stopped.socket.pause()
  const large = eventText('rodada', 'x'.repeat(1024 * 1024))
  while (broadcast.count() > 1) {
    broadcast.send('nfe', large)
    await new Promise(setImmediate)
    // The other has read all before the next: only who does not read falls behind.
    const last = `last-${Math.random()}`
    broadcast.send('nfe', eventText('fim', last))
    await reads.until(last)
  }
  assert.equal(reads.socket.destroyed, false)
})

test('comments tell that a silent stream lives, and it ends when its time is over', async (t) => {
  // A busy machine may see the end of a short life before its first comment.
  const [long, short] = [await serve({ beatMs: 5 }), await serve({ beatMs: 5, lifeMs: 50 })]
  t.after(() => Promise.all([long.close(), short.close()]))
  await (await long.join()).until('\r\n:\n\n')
  await (await short.join()).until('0\r\n\r\n')
})

test('a stop ends the open streams, those of clients that do not read too, and takes no other', async () => {
  const { broadcast, join, close } = await serve()
  const [one, other] = [await join(), await join()]
  other.socket.pause()
  broadcast.send('nfe', eventText('rodada', `${'x'.repeat(16 * 1024 * 1024)}last`))
  await one.until('last')
  const closed = close()
  await one.until('0\r\n\r\n')
  await closed
  assert.equal(broadcast.count(), 0)
})
