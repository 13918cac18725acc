import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { buildApp } from '../../src/app.ts'
import { pausa } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'

/** The largest that is sent as it is prepared. */
const MAIOR = '/openapi.json'
const PAGES = ['/erros', '/documentacao', '/documentacao/', MAIOR]

let house: House
before(async () => {
  house = await start()
})
after(() => house.close())

const get = (path: string, headers: Record<string, string> = {}) => house.ask(path, { key: null, headers })

for (const path of PAGES)
  test(`${path} has a tag for each of its forms, and 304 for who has that form`, async () => {
    const zipped = await get(path, { 'Accept-Encoding': 'gzip, br' })
    const plain = await get(path, { 'Accept-Encoding': 'identity' })
    assert.equal(zipped.headers.get('content-encoding'), 'gzip')
    assert.equal(plain.headers.get('content-encoding'), null)
    assert.equal(zipped.text, plain.text)
    const tags = [zipped, plain].map(({ headers }) => headers.get('etag') ?? '')
    assert.notEqual(tags[0], tags[1])
    for (const [at, coding] of ['gzip', 'identity'].entries()) {
      for (const sent of [tags[at], `"outra", W/${tags[at]}`, '*']) {
        const again = await get(path, { 'Accept-Encoding': coding, 'If-None-Match': String(sent) })
        assert.deepEqual([again.status, again.text], [304, ''])
        assert.equal(again.headers.get('etag'), tags[at])
        const isPage = plain.headers.get('content-type')?.startsWith('text/html')
        assert.equal(again.headers.get('vary'), isPage ? 'accept-encoding, cookie' : 'accept-encoding')
      }
      const other = await get(path, { 'Accept-Encoding': coding, 'If-None-Match': '"outra"' })
      assert.equal(other.status, 200)
    }
    assert.match(plain.headers.get('cache-control') ?? '', /max-age|no-cache/)
    assert.equal((await get(path, { 'Accept-Encoding': 'gzip;q=0' })).headers.get('content-encoding'), null)
  })

test('HEAD of a page tells its length and sends nothing', async () => {
  const asked = { method: 'HEAD', key: null, headers: { 'Accept-Encoding': 'identity' } }
  const { status, headers, text } = await house.ask(MAIOR, asked)
  assert.deepEqual([status, text], [200, ''])
  assert.ok(Number(headers.get('content-length')) > 100_000)
})

/** After so many milliseconds without progress the server of these tests drops a connection. */
const LIMIT_MS = 100

/** A server of the same house, a client's socket at it, and the server's own end of that socket. */
async function openLine(): Promise<{ close: () => Promise<void>; client: Socket; server: Socket }> {
  const app = await buildApp(house.rooms)
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  assert.ok(app.server.timeout > 0, 'there is a limit')
  app.server.timeout = LIMIT_MS
  const accepted = new Promise<Socket>((resolve) => app.server.once('connection', resolve))
  const client = connect(Number(port), '127.0.0.1')
  const close = async () => {
    client.destroy()
    await app.close()
  }
  return { close, client, server: await accepted }
}

test('a connection that takes nothing of its answer is dropped, whatever the answer is', async (t) => {
  const { close, client, server } = await openLine()
  t.after(close)
  const dropped = new Promise<void>((resolve) => server.once('close', resolve))
  client.pause()
  client.write(`GET ${MAIOR} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(30))
  await dropped
  assert.ok(server.bytesWritten > 0)
})

test('a connection that reads slowly is not dropped', async (t) => {
  const total = 3 * Buffer.byteLength((await get(MAIOR)).text)
  const { close, client } = await openLine()
  t.after(close)
  const request = `GET ${MAIOR} HTTP/1.1\r\nHost: a\r\n`
  client.write(`${request}\r\n${request}\r\n${request}Connection: close\r\n\r\n`)
  let read = 0
  const started = performance.now()
  for await (const chunk of client) {
    read += chunk.length
    // The client reads each piece when its share of the time has passed. The whole takes six times the limit.
    while (read / total > (performance.now() - started) / (6 * LIMIT_MS)) await pausa()
  }
  assert.ok(read > total, `${read} octets of ${total}`)
})

test('who waits for an answer that has not begun is not dropped, not behind another answer either', async (t) => {
  const { close, client } = await openLine()
  t.after(close)
  // The simulator answers about this document after two seconds, twenty times the limit.
  const path = '/api/consultar?uf=AM&cnpj=98765002000176'
  client.write(
    `GET /health HTTP/1.1\r\nHost: a\r\n\r\nGET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${house.apiKey}\r\nConnection: close\r\n\r\n`,
  )
  let said = ''
  for await (const chunk of client) said += chunk
  assert.equal(said.match(/HTTP\/1\.1 200/g)?.length, 2)
})
