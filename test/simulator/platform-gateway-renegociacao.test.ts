import assert from 'node:assert/strict'
import { constants } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connect } from 'node:tls'
import { Client } from 'undici'
import { CATALOGO_NFE } from '../../simulator/nfe/cenarios.ts'
import type { Autoridade } from '../../simulator/platform/autoridade.ts'
import { type Gateway, startGateway } from '../../simulator/platform/gateway.ts'
import { type Icp, openIcp } from '../../simulator/platform/icp/icp.ts'
import { type Answer, ask, askPlain, type Call } from '../kit/simulator.ts'

/** Two authorities. Each of them asks for a certificate on some of its paths. */
const SHARED = 'www.exemplo.test'
/** One of these authorities asks for a certificate in the handshake already. */
const BOTH = 'www1.exemplo.test'

let folder: string
let icp: Icp
let gateway: Gateway

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'renegociacao-'))
  icp = await openIcp(folder, () => new Date(), CATALOGO_NFE)
  const asking = (caminho: string): boolean => caminho.includes('/restrito')
  gateway = await startGateway({
    porta: 0,
    host: '127.0.0.1',
    icp,
    autoridades: [
      { ...echo([SHARED, BOTH], '/portal/'), asksCertificadoAt: asking },
      { ...echo([SHARED], '/ws/'), asksCertificadoAt: () => true },
      { ...echo([BOTH], '/ws/'), asksCertificado: true },
    ],
    paginas: () => undefined,
  })
})
after(async () => {
  await gateway.close()
  await rm(folder, { recursive: true })
})

function echo(hosts: readonly string[], prefix: string): Autoridade {
  return {
    nome: prefix,
    hosts,
    asksCertificado: false,
    serves: (caminho) => caminho.startsWith(prefix),
    answer: ({ caminho, corpo, chamador }, resposta) => {
      resposta.end(JSON.stringify({ caminho, tamanho: corpo.length, documento: chamador?.documento }))
    },
  }
}

async function certificate(name: string): Promise<{ pfx: Buffer; passphrase: string }> {
  const made = await icp.certificado(name)
  assert.ok(made)
  return { pfx: made.pfx, passphrase: made.item.senha }
}

const documentOf = async (name: string): Promise<string | undefined> =>
  (await icp.certificado(name))?.item.titular.documento

const renegotiated = (): number => gateway.estatisticas().handshakes.renegociados

async function to(name: string, options: Partial<Call>): Promise<Answer> {
  return ask({ port: gateway.porta, ca: icp.ca, name, maxVersion: 'TLSv1.2', ...options })
}

const seen = ({ body }: Answer): { caminho: string; tamanho: number; documento?: string } => JSON.parse(body)

test('a certificate is asked for on some paths only, after the request, whatever its body', async () => {
  const certified = await certificate('empresa')
  const body = Buffer.alloc(200_000, 'a')
  const before = renegotiated()
  assert.equal(seen(await to(SHARED, { path: '/portal/a', ...certified })).documento, undefined)
  assert.equal(renegotiated(), before)
  for (const path of ['/portal/restrito', '/ws/a'])
    assert.deepEqual(seen(await to(SHARED, { path, body, ...certified })), {
      caminho: path,
      tamanho: body.length,
      documento: await documentOf('empresa'),
    })
  assert.equal(renegotiated(), before + 2)
})

test('nobody is known by a certificate that an authority would not accept, nor without one', async () => {
  const path = '/portal/restrito'
  assert.equal(seen(await to(SHARED, { path })).documento, undefined)
  for (const name of ['vencido', 'futuro', 'outra-cadeia', 'sem-titular'])
    assert.equal(seen(await to(SHARED, { path, ...(await certificate(name)) })).documento, undefined, name)
  for (const name of ['pessoa', 'ec'])
    assert.equal(
      seen(await to(SHARED, { path, ...(await certificate(name)) })).documento,
      await documentOf(name),
    )
})

test('a name that asks by renegotiation speaks TLS 1.2 at most, whatever the client prefers', async () => {
  const path = '/portal/restrito'
  const certified = await certificate('empresa')
  const document = await documentOf('empresa')
  const preferring = await to(SHARED, { path, maxVersion: 'TLSv1.3', ...certified })
  assert.deepEqual([preferring.protocol, seen(preferring).documento], ['TLSv1.2', document])
  const elsewhere = await to(BOTH, { path, maxVersion: 'TLSv1.3', ...certified })
  assert.deepEqual([elsewhere.protocol, seen(elsewhere).documento], ['TLSv1.3', document])
  await assert.rejects(to(SHARED, { path, minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3', ...certified }), {
    message: /alert protocol version/,
  })
})

test('without TLS nobody is asked and the request is answered', async () => {
  assert.equal(seen(await askPlain(gateway.porta, SHARED, '/portal/restrito')).documento, undefined)
})

test('a connection is asked once, and another path of it still sees no certificate', async (t) => {
  const { pfx, passphrase } = await certificate('empresa')
  const client = new Client(`https://127.0.0.1:${gateway.porta}`, {
    connect: { servername: SHARED, ca: icp.ca, maxVersion: 'TLSv1.2', pfx, passphrase },
  })
  t.after(() => client.destroy())
  const before = gateway.estatisticas()
  const found: unknown[] = []
  for (const path of ['/portal/a', '/portal/restrito', '/portal/b', '/portal/restrito/2', '/ws/c']) {
    const { body } = await client.request({
      path,
      method: 'POST',
      body: 'corpo',
      headers: { host: SHARED },
    })
    found.push(Object(await body.json()).documento)
  }
  const document = await documentOf('empresa')
  assert.deepEqual(found, [undefined, document, undefined, document, document])
  const { conexoes, handshakes } = gateway.estatisticas()
  assert.equal(conexoes - before.conexoes, 1)
  assert.equal(handshakes.renegociados - before.handshakes.renegociados, 1)
})

test('requests that follow one another without waiting share the question', async (t) => {
  const options = { host: '127.0.0.1', servername: SHARED, ca: icp.ca, maxVersion: 'TLSv1.2' } as const
  const socket = connect({ port: gateway.porta, ...options, ...(await certificate('empresa')) })
  t.after(() => socket.destroy())
  const before = renegotiated()
  const paths = ['/portal/restrito/1', '/portal/2', '/portal/restrito/3', '/ws/4']
  for (const path of paths) socket.write(`GET ${path} HTTP/1.1\r\nHost: ${SHARED}\r\n\r\n`)
  let received = ''
  for await (const chunk of socket) {
    received += chunk
    if (received.split('HTTP/1.1 200').length > paths.length && received.endsWith('}')) break
  }
  const document = await documentOf('empresa')
  const bodies = received.match(/\{.*?\}/g)?.map((text): unknown => JSON.parse(text)) ?? []
  assert.deepEqual(
    bodies,
    paths.map((caminho) => ({
      caminho,
      tamanho: 0,
      ...(caminho === '/portal/2' ? {} : { documento: document }),
    })),
  )
  assert.equal(renegotiated(), before + 1)
})

test('a resumed session is asked again, and answers with the certificate of today', async () => {
  const certified = await certificate('empresa')
  const { session } = await to(SHARED, { path: '/portal/a', ...certified })
  const { session: later } = await to(SHARED, { path: '/portal/restrito', ...certified })
  assert.ok(session && later)
  const { retomados } = gateway.estatisticas().handshakes
  for (const name of ['empresa', 'outra-empresa'])
    for (const ticket of [session, later]) {
      const again: Partial<Call> = { session: ticket, ...(await certificate(name)) }
      assert.equal(seen(await to(SHARED, { path: '/portal/a', ...again })).documento, undefined)
      const { documento } = seen(await to(SHARED, { path: '/portal/restrito', ...again }))
      assert.equal(documento, await documentOf(name))
    }
  assert.ok(gateway.estatisticas().handshakes.retomados >= retomados + 4)
})

test('who refuses to renegotiate, or goes away meanwhile, gets no answer and harms nobody', async (t) => {
  const complaint = t.mock.method(console, 'error', () => undefined)
  await assert.rejects(
    to(SHARED, { path: '/portal/restrito', secureOptions: constants.SSL_OP_NO_RENEGOTIATION }),
    { code: /HANDSHAKE_FAILURE/ },
  )
  const options = { host: '127.0.0.1', servername: SHARED, ca: icp.ca, maxVersion: 'TLSv1.2' } as const
  const socket = connect({ port: gateway.porta, ...options })
  await once(socket, 'secureConnect')
  socket.write(`GET /portal/restrito HTTP/1.1\r\nHost: ${SHARED}\r\n\r\n`, () => socket.destroy())
  await once(socket, 'close')
  assert.equal((await to(SHARED, { path: '/portal/a' })).status, 200)
  assert.equal(complaint.mock.callCount(), 0)
})

test('where the handshake asks, a path that asks too asks nothing more, in either version', async () => {
  const certified = await certificate('empresa')
  const before = renegotiated()
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const { documento } = seen(await to(BOTH, { path: '/portal/restrito', maxVersion, ...certified }))
    assert.equal(documento, await documentOf('empresa'))
  }
  assert.equal(renegotiated(), before)
})
