import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { CATALOGO_NFE } from '../../simulator/nfe/cenarios.ts'
import {
  createCadeia,
  createServidores,
  NOMES_ALHEIOS,
  NOSSOS_NOMES,
} from '../../simulator/platform/icp/cadeia.ts'
import { openIcp } from '../../simulator/platform/icp/icp.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'
import { openAuthority } from '../kit/authority.ts'
import { ask, HOST, OTHER, useTransport } from '../kit/transport.ts'

const { authority, play, fails } = useTransport()

test('each call presents the certificate it was given, and no other', async () => {
  const quem = async (nome?: string) => {
    const certificate = nome ? await authority().certificate(nome) : undefined
    return JSON.parse((await authority().http.send(ask('/eco', { certificate }))).text()).quem
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
  const http = authority().open()
  const certificate = await authority().certificate('empresa')
  const before = structuredClone(authority().gateway.estatisticas())
  for (let i = 0; i < 20; i++) await http.send(ask('/eco', { certificate }))
  const one = structuredClone(authority().gateway.estatisticas())
  assert.ok(one.conexoes - before.conexoes <= 2, 'one after the other, they share')
  await Promise.all(Array.from({ length: 60 }, () => http.send(ask('/eco', { certificate }))))
  const many = authority().gateway.estatisticas()
  assert.ok(many.conexoes - one.conexoes <= 20, 'at most 20 connections to one origin')
  assert.equal(many.handshakes.completos, one.handshakes.completos)
  assert.equal(many.handshakes.retomados - one.handshakes.retomados, many.conexoes - one.conexoes)
})

test('a door with a certificate presents it in each request, resumes no TLS session, and is closed for good', async () => {
  const door = authority().openWith(await authority().certificate('empresa'))
  const quem = async () => JSON.parse((await door.send(ask('/eco'))).text()).quem
  const before = structuredClone(authority().gateway.estatisticas().handshakes)
  const calls = Array.from({ length: 5 }, quem)
  assert.deepEqual(new Set(await Promise.all(calls)), new Set(['48271936000183']))
  const now = authority().gateway.estatisticas().handshakes
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
  const http = openTransport({ mode: 'simulator', ca: authority().icp.ca, gateway, hosts: {} })
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
    const http = authority().open()
    await http.send(ask('/eco'))
    await http.send(ask(`http://${OTHER}/eco`))
    await fails(ask('https://www.receita.fazenda.gov.br/'), 'network', http)
    await fails(ask('http://www.receita.fazenda.gov.br/'), 'network', http)
    await fails(ask('https://8.8.8.8/'), 'network', http)
  } finally {
    unsubscribe('net.client.socket', onSocket)
  }
  assert.ok(dialled.length >= 5)
  assert.deepEqual(new Set(dialled), new Set([`127.0.0.1:${authority().gateway.porta}`]))
})

test('in live mode real addresses are dialled, and only known authorities are trusted', async () => {
  const url = `https://localhost:${authority().gateway.porta}/eco`
  const strict = openTransport({ mode: 'live', ca: [], hosts: {} })
  const supplied = openTransport({ mode: 'live', ca: [authority().icp.ca], hosts: {} })
  const forOneHost = openTransport({
    mode: 'live',
    ca: [],
    hosts: { localhost: { ca: [authority().icp.ca] } },
  })
  try {
    const { cause } = await fails(ask(url), 'network', strict)
    assert.match(String(cause), /certificate/)
    assert.equal((await supplied.send(ask(url))).status, 200)
    assert.equal((await forOneHost.send(ask(url))).status, 200)
  } finally {
    await Promise.all([strict, supplied, forOneHost].map((http) => http.close()))
  }
})

test("in live mode a process trusts the operator's authorities and Node's roots, and nothing else", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'estranho-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const stranger = await openAuthority(
    [play(['localhost'], false)],
    await openIcp(folder, () => new Date(), CATALOGO_NFE),
  )
  const urls = [authority(), stranger].map(({ gateway }) => `https://localhost:${gateway.porta}/eco`)
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  // The whole process has one trust store, so no test may change it here.
  const argv = ['trust', authority().icp.ca, ...urls]
  const child = fork(new URL('../kit/children.ts', import.meta.url), argv, {
    execArgv: [],
    env,
  })
  const [said] = await once(child, 'message')
  await stranger.close()
  assert.deepEqual(said, { reached: [true, false], lost: 0, more: 1 })
})

test("a server's name, chain and days are verified, by every door and in both versions of TLS", async (t) => {
  const daysFrom = (days: number): Date => new Date(Date.now() + days * 86_400_000)
  const now = (): Date => new Date()
  const ours = await createCadeia(NOSSOS_NOMES, daysFrom(30))
  const past = await createCadeia(NOSSOS_NOMES, daysFrom(-1))
  const foreign = await createCadeia(NOMES_ALHEIOS, daysFrom(30))
  const mint = createServidores(ours, now)
  const cases: [what: string, servidor: ReturnType<typeof mint>, refused: string | undefined][] = [
    ['its own name', mint(HOST), undefined],
    ['a name of its zone', mint('*.sefaz.test'), undefined],
    ['another name', mint(OTHER), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['the end of its name', mint('sefaz.test'), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['days that are over', createServidores(past, () => daysFrom(-10))(HOST), 'CERT_HAS_EXPIRED'],
    ['days to come', createServidores(ours, () => daysFrom(10))(HOST), 'CERT_NOT_YET_VALID'],
    [
      'a chain that nobody trusts',
      createServidores(foreign, now)(HOST),
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY|SELF_SIGNED_CERT_IN_CHAIN',
    ],
  ]
  const certificate = await authority().certificate('empresa')
  const trusted = [ours, past].map(({ raiz }) => raiz.certificado.toString())
  for (const [what, servidor, refused] of cases) {
    let requests = 0
    const server = createTlsServer(
      { ...servidor, requestCert: true, rejectUnauthorized: false },
      (socket) => {
        socket.on('error', () => undefined)
        socket.on('data', () => {
          requests += 1
          socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
        })
      },
    )
    server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const { port }: Partial<AddressInfo> = Object(server.address())
    for (const hosts of [{}, { [HOST]: { onlyTls12: true } as const }])
      for (const porta of [{}, { certificate }]) {
        const gateway = { host: '127.0.0.1', port: port ?? 0 }
        const ca = trusted.join('')
        const http = openTransport({ mode: 'simulator', ca, gateway, hosts }, porta)
        const before = requests
        if (refused === undefined) assert.equal((await http.send(ask('/eco'))).status, 200, what)
        else {
          const { cause } = await fails(ask('/eco'), 'network', http)
          assert.match(String(Object(cause).code), new RegExp(`^(?:${refused})$`), what)
        }
        assert.equal(requests - before, refused === undefined ? 1 : 0, `${what}: what was sent`)
        await http.close()
      }
  }
})

test("a host's TLS profile changes that host alone", async () => {
  const http = authority().open({ [HOST]: { onlyTls12: true, securityLevel: 1, legacyRenegotiation: true } })
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
