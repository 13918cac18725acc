import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { CookieJar } from 'tough-cookie'
import type { Autoridade, Pedido } from '../../simulator/gateway/autoridade.ts'
import { SourceError, type SourceErrorKind } from '../../src/domain/fonte/source-error.ts'
import { isUnreached, isUnsent } from '../../src/sources/transport/failure.ts'
import type { Ask } from '../../src/sources/transport/http.ts'
import { openTransport } from '../../src/sources/transport/transport.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

const HOST = 'nfe.sefaz.test'
const OTHER = 'portal.sefaz.test'
let house: StandIn
/** The requests that reached the authorities. */
let seen: Pedido[] = []

type Responder = (...call: Parameters<Autoridade['responder']>) => unknown
const pages: Record<string, Responder> = {
  '/eco': ({ corpo, chamador }, reply) =>
    reply.end(JSON.stringify({ corpo: corpo.toString(), quem: chamador?.documento ?? '' })),
  '/nunca': () => {},
  '/pela-metade': (_, reply) => void reply.writeHead(200).write('<a>'),
  '/derruba': ({ conexao }) => conexao.derrubar(),
  '/derruba-no-meio': ({ conexao }, reply) => {
    reply.writeHead(200, { 'content-length': 100 }).write('<a>', () => conexao.derrubar())
  },
  '/recusa-tls': ({ conexao }) => conexao.recusarTls(),
  '/grande': (_, reply) => reply.end(Buffer.alloc(3 * 1024 * 1024)),
  '/bomba': (_, reply) =>
    reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(3 * 1024 * 1024))),
  '/comprimida': (_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('olá')),
  '/comprimida-e-cortada': (_, reply) =>
    reply.writeHead(200, { 'content-encoding': 'GZIP' }).end(gzipSync('olá').subarray(0, 15)),
  '/deflate': (_, reply) =>
    reply.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateRawSync('olá')),
  '/latin1': (_, reply) =>
    reply
      .writeHead(200, { 'content-type': 'text/html; charset=ISO-8859-1' })
      .end(Buffer.from('São João', 'latin1')),
  '/latin1-sem-dizer': (_, reply) =>
    reply.writeHead(200, { 'content-type': 'text/html' }).end(Buffer.from('São João', 'latin1')),
  '/latin1-no-xml': (_, reply) =>
    reply
      .writeHead(200, { 'content-type': 'text/xml' })
      .end(Buffer.from("\n<?xml version='1.0' encoding='ISO-8859-1'?><a>São João</a>", 'latin1')),
  '/utf16-no-xml': (_, reply) =>
    reply
      .writeHead(200, { 'content-type': 'text/xml' })
      .end('<?xml version="1.0" encoding="utf-16"?><a>São João</a>'),
  '/entrar': (_, reply) =>
    reply
      .writeHead(302, { location: '/dentro?x=1', 'set-cookie': ['sessao=abc; Path=/', 'outra=1; Path=/so'] })
      .end(),
  '/dentro': ({ cabecalhos, metodo }, reply) => reply.end(`${metodo} ${cabecalhos.cookie ?? ''}`),
  '/repetir': (_, reply) => reply.writeHead(307, { location: '/eco' }).end(),
  '/para-outro': (_, reply) => reply.writeHead(307, { location: `https://${OTHER}/eco` }).end(),
  '/sem-tls': (_, reply) => reply.writeHead(307, { location: `http://${HOST}/eco` }).end(),
  '/roda': (_, reply) => reply.writeHead(302, { location: '/roda' }).end(),
}
const play = (hosts: string[], pedeCertificado: boolean): Autoridade => ({
  nome: 'teste',
  hosts,
  pedeCertificado,
  responder: (pedido, reply) => {
    seen.push(pedido)
    pages[pedido.caminho]?.(pedido, reply)
  },
})

before(async () => {
  house = await startStandIn([play([HOST, 'localhost'], true), play([OTHER], false)])
})
after(() => house.close())

const ask = (path: string, more: Partial<Ask> = {}): Ask => ({
  source: { id: 'teste', nome: 'A SEFAZ de teste' },
  method: 'GET',
  url: path.startsWith('http') ? path : `https://${HOST}${path}`,
  deadlineMs: 10_000,
  repeatable: true,
  ...more,
})

const fails = async (asked: Ask, kind: SourceErrorKind, http = house.http): Promise<SourceError> => {
  const error = await http.send(asked).then(
    () => assert.fail('it should fail'),
    (thrown) => thrown,
  )
  assert.ok(error instanceof SourceError, String(error))
  assert.equal(error.kind, kind)
  assert.equal(error.source, 'teste')
  assert.equal(typeof error.elapsedMs, 'number')
  assert.match(error.message, /^A SEFAZ de teste /)
  return error
}

const count = (path: string): number => seen.filter(({ caminho }) => caminho === path).length

test('one deadline covers the wait for the headers and for the body', async () => {
  seen = []
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
    ca: house.icp.ca,
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
  const http = openTransport({ mode: 'simulator', ca: house.icp.ca, gateway, hosts: {} })
  t.after(async () => {
    await http.close()
    odd.close()
  })
  const { message, unavailable } = await fails(ask(`http://${HOST}/eco`), 'parse', http)
  assert.deepEqual([unavailable, /protocolo HTTP/.test(message)], [false, true])
})

test('it covers the wait for a connection when all to that host are taken', async () => {
  const http = house.open()
  const giveUp = new AbortController()
  const hung = Array.from({ length: 20 }, () => http.send(ask('/nunca', { signal: giveUp.signal })))
  seen = []
  await fails(ask('/eco', { deadlineMs: 50 }), 'timeout', http)
  assert.equal(count('/eco'), 0)
  giveUp.abort(new Error('basta'))
  await Promise.allSettled(hung)
})

test('who asks may give up, with a reason of its own', async () => {
  const giveUp = new AbortController()
  const asking = house.http.send(ask('/nunca', { signal: giveUp.signal }))
  giveUp.abort(new Error('o cliente saiu'))
  await assert.rejects(asking, /o cliente saiu/)
})

test('a connection that fails before the answer is tried once more, only where asking twice changes nothing', async () => {
  seen = []
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
    const gateway = connect(house.gateway.porta, '127.0.0.1').on('error', () => {})
    gateway.on('close', () => socket.destroy())
    socket.pipe(gateway).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  t.after(() => front.close())
  const { port }: Partial<AddressInfo> = Object(front.address())
  const gateway = { host: '127.0.0.1', port: port ?? 0 }
  seen = []
  for (const [refused, reached] of [
    [1, 1],
    [2, 0],
  ] as const) {
    refusals = refused
    const http = openTransport({ mode: 'simulator', ca: house.icp.ca, gateway, hosts: {} })
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
  seen = []
  await fails(ask('/derruba-no-meio'), 'network')
  assert.equal(count('/derruba-no-meio'), 1)
  await fails(ask('/recusa-tls'), 'network')
})

test('a body larger than the limit is not read, compressed or not', async () => {
  await fails(ask('/grande'), 'parse')
  await fails(ask('/bomba'), 'parse')
  await fails(ask('/comprimida-e-cortada'), 'parse')
  for (const path of ['/comprimida', '/deflate'])
    assert.equal((await house.http.send(ask(path))).text(), 'olá')
})

test("the charset is the source's word, else the header's, else the document's, else UTF-8, and wrong bytes are an error", async () => {
  assert.equal((await house.http.send(ask('/latin1'))).text(), 'São João')
  const silent = await house.http.send(ask('/latin1-sem-dizer', { charset: 'iso-8859-1' }))
  assert.equal(silent.text(), 'São João')
  for (const path of ['/latin1-no-xml', '/utf16-no-xml'])
    assert.match((await house.http.send(ask(path))).text(), /<a>São João<\/a>/)
  const wrong = await house.http.send(ask('/latin1-sem-dizer'))
  assert.throws(() => wrong.text(), { name: 'SourceError', kind: 'parse' })
})

test('a redirect is the answer unless the source follows it, with the cookies that it set', async () => {
  assert.equal((await house.http.send(ask('/entrar'))).status, 302)
  const jar = new CookieJar()
  const reply = await house.http.send(ask('/entrar', { method: 'POST', body: 'x', jar, redirects: 3 }))
  assert.equal(reply.text(), 'GET sessao=abc')
  assert.equal(reply.url, `https://${HOST}/dentro?x=1`)
  assert.equal((await house.http.send(ask('/dentro', { jar }))).text(), 'GET sessao=abc')
  assert.equal((await house.http.send(ask('/dentro'))).text(), 'GET ')
})

test('a redirect that keeps the method keeps the body on the same host, and another origin never sees it', async () => {
  const certificate = await house.certificate('empresa')
  const post = { method: 'POST' as const, body: 'segredo', redirects: 2, certificate }
  assert.deepEqual(JSON.parse((await house.http.send(ask('/repetir', post))).text()), {
    corpo: 'segredo',
    quem: '48271936000183',
  })
  for (const path of ['/para-outro', '/sem-tls']) {
    const headers = { authorization: 'segredo', 'content-type': 'text/plain' }
    const reply = await house.http.send(ask(path, { ...post, headers }))
    assert.deepEqual(JSON.parse(reply.text()), { corpo: '', quem: '' })
    assert.equal(seen.at(-1)?.cabecalhos.authorization, undefined)
  }
})

test('redirects end where the source says', async () => {
  seen = []
  assert.equal((await house.http.send(ask('/roda', { redirects: 4 }))).status, 302)
  assert.equal(count('/roda'), 5)
})

test('each call presents the certificate it was given, and no other', async () => {
  const quem = async (nome?: string) => {
    const certificate = nome ? await house.certificate(nome) : undefined
    return JSON.parse((await house.http.send(ask('/eco', { certificate }))).text()).quem
  }
  const calls = ['empresa', 'pessoa', undefined, 'filial', 'empresa', 'vencido', undefined]
  assert.deepEqual(await Promise.all(calls.map(quem)), [
    '48271936000183',
    '48172639546',
    '',
    '48271936000264',
    '48271936000183',
    '',
    '',
  ])
})

test('connections are kept, and a new one resumes the TLS session of its certificate', async () => {
  const http = house.open()
  const certificate = await house.certificate('empresa')
  const before = structuredClone(house.gateway.estatisticas())
  for (let i = 0; i < 20; i++) await http.send(ask('/eco', { certificate }))
  const one = structuredClone(house.gateway.estatisticas())
  assert.ok(one.conexoes - before.conexoes <= 2, 'one after the other, they share')
  await Promise.all(Array.from({ length: 60 }, () => http.send(ask('/eco', { certificate }))))
  const many = house.gateway.estatisticas()
  assert.ok(many.conexoes - one.conexoes <= 20, 'at most 20 connections to one origin')
  assert.equal(many.handshakes.completos, one.handshakes.completos)
  assert.equal(many.handshakes.retomados - one.handshakes.retomados, many.conexoes - one.conexoes)
})

test('a door with a certificate presents it in each request, resumes no TLS session, and is closed for good', async () => {
  const door = house.openWith(await house.certificate('empresa'))
  const quem = async () => JSON.parse((await door.send(ask('/eco'))).text()).quem
  const before = structuredClone(house.gateway.estatisticas().handshakes)
  const calls = Array.from({ length: 5 }, quem)
  assert.deepEqual(new Set(await Promise.all(calls)), new Set(['48271936000183']))
  const now = house.gateway.estatisticas().handshakes
  assert.deepEqual([now.retomados, now.completos > before.completos], [before.retomados, true])
  const away = await door.send(ask('/para-outro', { redirects: 1 }))
  assert.equal(JSON.parse(away.text()).quem, '', 'another origin never sees it')
  const pending = assert.rejects(door.send(ask('/nunca')), { name: 'SourceError' })
  await door.close()
  await pending
  await assert.rejects(quem(), { name: 'SourceError' })
})

test('a door that is closed ends the connections that are being made', async (t) => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => silent.close())
  const { port }: Partial<AddressInfo> = Object(silent.address())
  const gateway = { host: '127.0.0.1', port: port ?? 0 }
  const sockets: Socket[] = []
  const onSocket = (message: unknown): void => {
    const { socket }: { socket: Socket } = Object(message)
    if (socket.remotePort === undefined) sockets.push(socket)
  }
  subscribe('net.client.socket', onSocket)
  t.after(() => unsubscribe('net.client.socket', onSocket))
  const http = openTransport({ mode: 'simulator', ca: house.icp.ca, gateway, hosts: {} })
  const waiting = fails(ask('/eco'), 'network', http)
  await fails(ask('/eco', { deadlineMs: 1 }), 'timeout', http)
  await http.close()
  await waiting
  assert.ok(sockets.length >= 1)
  assert.ok(sockets.every(({ destroyed }) => destroyed))
})

test('in simulator mode every name is dialled at the gateway', async () => {
  const dialled: string[] = []
  const onSocket = (message: unknown): void => {
    const { socket }: { socket: Socket } = Object(message)
    socket.once('connect', () => dialled.push(`${socket.remoteAddress}:${socket.remotePort}`))
  }
  subscribe('net.client.socket', onSocket)
  try {
    const http = house.open()
    await http.send(ask('/eco'))
    await http.send(ask(`http://${OTHER}/eco`))
    await fails(ask('https://www.receita.fazenda.gov.br/'), 'network', http)
    await fails(ask('http://www.receita.fazenda.gov.br/'), 'network', http)
    await fails(ask('https://8.8.8.8/'), 'network', http)
  } finally {
    unsubscribe('net.client.socket', onSocket)
  }
  assert.ok(dialled.length >= 5)
  assert.deepEqual(new Set(dialled), new Set([`127.0.0.1:${house.gateway.porta}`]))
})

test('in live mode real addresses are dialled, and only known authorities are trusted', async () => {
  const url = `https://localhost:${house.gateway.porta}/eco`
  const strict = openTransport({ mode: 'live', ca: [], hosts: {} })
  const supplied = openTransport({ mode: 'live', ca: [house.icp.ca], hosts: {} })
  const forOneHost = openTransport({ mode: 'live', ca: [], hosts: { localhost: { ca: [house.icp.ca] } } })
  try {
    const { cause } = await fails(ask(url), 'network', strict)
    assert.match(String(cause), /certificate/)
    assert.equal((await supplied.send(ask(url))).status, 200)
    assert.equal((await forOneHost.send(ask(url))).status, 200)
  } finally {
    await Promise.all([strict, supplied, forOneHost].map((http) => http.close()))
  }
})

test("in live mode a process trusts the operator's authorities and Node's roots, and nothing else", async () => {
  const stranger = await startStandIn([play(['localhost'], false)])
  const urls = [house, stranger].map(({ gateway }) => `https://localhost:${gateway.porta}/eco`)
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  // The whole process has one trust store, so no test may change it here.
  const child = fork(new URL('./confianca-filho.ts', import.meta.url), [house.icp.ca, ...urls], {
    execArgv: [],
    env,
  })
  const [said] = await once(child, 'message')
  await stranger.close()
  assert.deepEqual(said, { reached: [true, false], lost: 0, more: 1 })
})

test("a host's TLS profile changes that host alone", async () => {
  const http = house.open({ [HOST]: { onlyTls12: true, securityLevel: 1, legacyRenegotiation: true } })
  const versions: unknown[] = []
  const onSocket = (message: unknown): void => {
    const { socket }: { socket: Socket & { getProtocol?: () => string } } = Object(message)
    socket.once('secureConnect', () => versions.push(socket.getProtocol?.()))
  }
  subscribe('net.client.socket', onSocket)
  try {
    await http.send(ask('/eco'))
    await http.send(ask(`https://${OTHER}/eco`))
  } finally {
    unsubscribe('net.client.socket', onSocket)
  }
  assert.deepEqual(versions, ['TLSv1.2', 'TLSv1.3'])
})
