import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { test } from 'node:test'
import { CookieJar } from 'tough-cookie'
import { isUnreached, isUnsent } from '../../src/platform/wire/http.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'
import { ask, HOST, useTransport } from '../kit/transport.ts'

const { authority, seen, forget, fails, count } = useTransport()

test('one deadline covers the wait for the headers and for the body', async () => {
  forget()
  await fails(ask('/nunca', { deadlineMs: 500 }), 'timeout')
  await fails(ask('/pela-metade', { deadlineMs: 500 }), 'timeout')
  assert.deepEqual([count('/nunca'), count('/pela-metade')], [1, 1])
})

test('it covers connecting and TLS too: a server that accepts and stays silent', async (t) => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const http = openTransport({
    mode: 'simulator',
    ca: authority().icp.ca,
    gateway: { host: '127.0.0.1', port },
    hosts: {},
  })
  t.after(async () => {
    await http.close()
    silent.close()
  })
  await fails(ask('/eco', { deadlineMs: 50 }), 'timeout', http)
})

test('what does not speak HTTP is not understood, which is no outage', async (t) => {
  const odd = createServer((socket) => socket.on('error', () => {}).end('220 smtp\r\n')).listen(
    0,
    '127.0.0.1',
  )
  await once(odd, 'listening')
  const { port }: Partial<AddressInfo> = Object(odd.address())
  const gateway = { host: '127.0.0.1', port: port ?? 0 }
  const http = openTransport({ mode: 'simulator', ca: authority().icp.ca, gateway, hosts: {} })
  t.after(async () => {
    await http.close()
    odd.close()
  })
  const { message, unavailable } = await fails(ask(`http://${HOST}/eco`), 'parse', http)
  assert.deepEqual([unavailable, /protocolo HTTP/.test(message)], [false, true])
})

test('it covers the wait for a connection when all to that host are taken', async () => {
  const http = authority().open()
  const giveUp = new AbortController()
  const hung = Array.from({ length: 20 }, () => http.send(ask('/nunca', { signal: giveUp.signal })))
  forget()
  await fails(ask('/eco', { deadlineMs: 50 }), 'timeout', http)
  assert.equal(count('/eco'), 0)
  giveUp.abort(new Error('basta'))
  await Promise.allSettled(hung)
})

test('who asks may give up, with a reason of its own', async () => {
  const giveUp = new AbortController()
  const asking = authority().http.send(ask('/nunca', { signal: giveUp.signal }))
  giveUp.abort(new Error('o cliente saiu'))
  await assert.rejects(asking, /o cliente saiu/)
})

test('a connection that fails before the answer is tried once more, only where asking twice changes nothing', async () => {
  forget()
  await fails(ask('/derruba'), 'network')
  assert.equal(count('/derruba'), 2)
  const dropped = await fails(ask('/derruba', { repeatable: false }), 'network')
  assert.equal(count('/derruba'), 3)
  assert.equal(isUnsent(dropped), false)
})

test('a connection that was never made is tried once more, whatever is to be asked: nothing was sent on it', async (t) => {
  let refusals = 0
  const front = createServer((socket) => {
    socket.on('error', () => {})
    if (refusals-- > 0) return socket.resetAndDestroy()
    const gateway = connect(authority().gateway.porta, '127.0.0.1').on('error', () => {})
    gateway.on('close', () => socket.destroy())
    socket.pipe(gateway).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  t.after(() => front.close())
  const { port }: Partial<AddressInfo> = Object(front.address())
  const gateway = { host: '127.0.0.1', port: port ?? 0 }
  forget()
  for (const [refused, reached] of [
    [1, 1],
    [2, 0],
  ] as const) {
    refusals = refused
    const http = openTransport({ mode: 'simulator', ca: authority().icp.ca, gateway, hosts: {} })
    const before = count('/eco')
    const reply = await http.send(ask('/eco', { repeatable: false })).catch((error) => error)
    assert.equal(count('/eco') - before, reached)
    // Cut in the handshake, the server may have turned the caller away. The request is then unsent, and the
    // server not out of reach.
    assert.deepEqual([isUnsent(reply), isUnreached(reply)], [reached === 0, false])
    await http.close()
  }
})

test('a connection that breaks in the middle of the body, or is refused by TLS, is a network failure', async () => {
  forget()
  await fails(ask('/derruba-no-meio'), 'network')
  assert.equal(count('/derruba-no-meio'), 1)
  await fails(ask('/recusa-tls'), 'network')
})

test('a body larger than the limit is not read, compressed or not', async () => {
  await fails(ask('/grande'), 'parse')
  await fails(ask('/bomba'), 'parse')
  await fails(ask('/comprimida-e-cortada'), 'parse')
  for (const path of ['/comprimida', '/deflate'])
    assert.equal((await authority().http.send(ask(path))).text(), 'olá')
})

test("the charset is the source's word, else the header's, else the document's, else UTF-8, and wrong bytes are an error", async () => {
  assert.equal((await authority().http.send(ask('/latin1'))).text(), 'São João')
  const silent = await authority().http.send(ask('/latin1-sem-dizer', { charset: 'iso-8859-1' }))
  assert.equal(silent.text(), 'São João')
  for (const path of ['/latin1-no-xml', '/utf16-no-xml'])
    assert.match((await authority().http.send(ask(path))).text(), /<a>São João<\/a>/)
  const wrong = await authority().http.send(ask('/latin1-sem-dizer'))
  assert.throws(() => wrong.text(), { name: 'SourceError', kind: 'parse' })
})

test('a redirect is the answer unless the source follows it, with the cookies that it set', async () => {
  assert.equal((await authority().http.send(ask('/entrar'))).status, 302)
  const jar = new CookieJar()
  const reply = await authority().http.send(ask('/entrar', { method: 'POST', body: 'x', jar, redirects: 3 }))
  assert.equal(reply.text(), 'GET sessao=abc')
  assert.equal(reply.url, `https://${HOST}/dentro?x=1`)
  assert.equal((await authority().http.send(ask('/dentro', { jar }))).text(), 'GET sessao=abc')
  assert.equal((await authority().http.send(ask('/dentro'))).text(), 'GET ')
})

test('a redirect that keeps the method keeps the body on the same host, and another origin never sees it', async () => {
  const certificate = await authority().certificate('empresa')
  const post = { method: 'POST' as const, body: 'segredo', redirects: 2, certificate }
  assert.deepEqual(JSON.parse((await authority().http.send(ask('/repetir', post))).text()), {
    corpo: 'segredo',
    quem: '48271936000183',
  })
  for (const path of ['/para-outro', '/sem-tls']) {
    const headers = { authorization: 'segredo', 'content-type': 'text/plain' }
    const reply = await authority().http.send(ask(path, { ...post, headers }))
    assert.deepEqual(JSON.parse(reply.text()), { corpo: '', quem: '' })
    assert.equal(seen().at(-1)?.cabecalhos.authorization, undefined)
  }
})

test('redirects end where the source says', async () => {
  forget()
  assert.equal((await authority().http.send(ask('/roda', { redirects: 4 }))).status, 302)
  assert.equal(count('/roda'), 5)
})
