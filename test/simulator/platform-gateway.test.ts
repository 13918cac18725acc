import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connect } from 'node:tls'
import { CATALOGO_NFE } from '../../simulator/nfe/cenarios.ts'
import type { Autoridade, Pedido } from '../../simulator/platform/autoridade.ts'
import { type Gateway, startGateway } from '../../simulator/platform/gateway.ts'
import { type Icp, openIcp } from '../../simulator/platform/icp/icp.ts'
import { type Answer, ask, askPlain, type Call } from '../kit/simulator.ts'

/** This authority asks for a certificate, and answers with what it saw of the request. */
const SEFAZ = 'nfe.fazenda.exemplo.test'
const SEFAZ_TOO = 'cad.fazenda.exemplo.test'
/** This authority asks for no certificate. */
const PAGE = 'portal.exemplo.test'
/** Two authorities at one name. One of them asks for a certificate. */
const SHARED = 'nfe.exemplo.test'

const VERSIONS = ['TLSv1.2', 'TLSv1.3'] as const

let folder: string
let icp: Icp
let gateway: Gateway

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-'))
  icp = await openIcp(folder, () => new Date(), CATALOGO_NFE)
  gateway = await startGateway({
    porta: 0,
    host: '127.0.0.1',
    icp,
    autoridades: [
      echo([SEFAZ, SEFAZ_TOO], true),
      echo([PAGE], false),
      echo([SHARED], false, 'portal', '/portal/'),
      echo([SHARED], true, 'ws', '/ws/'),
    ],
    paginas: (caminho, { gateway: { host, porta } }) =>
      caminho === '/' ? { status: 200, tipo: 'text/html', corpo: `${host} ${porta}` } : undefined,
  })
})
after(async () => {
  await gateway.close()
  await rm(folder, { recursive: true })
})

function echo(hosts: readonly string[], asksCertificado: boolean, nome = 'eco', prefix?: string): Autoridade {
  return {
    nome,
    hosts,
    asksCertificado,
    ...(prefix === undefined ? {} : { serves: (caminho: string) => caminho.startsWith(prefix) }),
    answer: (pedido, resposta) => {
      const { host, metodo, caminho, consulta, corpo, chamador, conexao } = pedido
      if (caminho === '/falhar') throw new Error('falhou')
      if (caminho === '/recusar-tls') return conexao.refuseTls()
      if (caminho === '/derrubar') {
        resposta.writeHead(200, { 'content-length': 100 }).write('metade', () => conexao.drop())
        return
      }
      resposta.setHeader('x-autoridade', nome)
      const saw = { host, metodo, caminho, consulta: `${consulta}`, corpo: `${corpo}`.slice(0, 20), chamador }
      resposta.end(JSON.stringify(saw satisfies Omit<Partial<Record<keyof Pedido, unknown>>, 'conexao'>))
    },
  }
}

async function certificate(name: string): Promise<{ pfx: Buffer; passphrase: string }> {
  const made = await icp.certificado(name)
  assert.ok(made)
  return { pfx: made.pfx, passphrase: made.item.senha }
}

function to(name: string, options: Partial<Call> = {}): Promise<Answer> {
  return ask({ port: gateway.porta, ca: icp.ca, name, ...options })
}

const caller = ({ body }: Answer): unknown => JSON.parse(body).chamador

test('a client that trusts only our root finds each name served by a certificate of its own', async () => {
  for (const maxVersion of VERSIONS)
    for (const name of [SEFAZ, SEFAZ_TOO, PAGE]) {
      const { status, body } = await to(name, { maxVersion, path: '/a/b?c=d', body: Buffer.from('corpo') })
      assert.equal(status, 200)
      const saw = { host: name, metodo: 'POST', caminho: '/a/b', consulta: 'c=d', corpo: 'corpo' }
      assert.deepEqual(JSON.parse(body), saw)
    }
})

test('a name in capital letters is the same name', async () => {
  assert.equal((await to(SEFAZ, { servername: SEFAZ.toUpperCase() })).status, 200)
})

test('a client that trusts the usual authorities refuses ours', async () => {
  await assert.rejects(ask({ port: gateway.porta, name: PAGE }), {
    code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  })
})

test('a caller is known by a certificate of our chain that is in force, of whatever kind', async () => {
  for (const maxVersion of VERSIONS)
    for (const name of ['empresa', 'filial', 'pessoa', 'ec', 'sem-cadeia', 'alfanumerico'])
      assert.deepEqual(
        caller(await to(SEFAZ, { maxVersion, ...(await certificate(name)) })),
        (await icp.certificado(name))?.item.titular,
      )
})

test('a caller is nobody without a certificate, or with one that an authority would not accept', async () => {
  for (const maxVersion of VERSIONS) {
    assert.equal(caller(await to(SEFAZ, { maxVersion })), undefined)
    for (const name of ['vencido', 'futuro', 'outra-cadeia', 'titular-so-no-cn', 'sem-titular'])
      assert.equal(caller(await to(SEFAZ, { maxVersion, ...(await certificate(name)) })), undefined, name)
  }
})

test('an authority that asks for no certificate gets none', async () => {
  assert.equal(caller(await to(PAGE, await certificate('empresa'))), undefined)
})

test('authorities share a name by their paths, and a path of nobody is not found', async () => {
  const certified = await certificate('empresa')
  for (const [path, status, owner] of [
    ['/portal/a', 200, 'portal'],
    ['/ws/b', 200, 'ws'],
    ['/outra', 404, undefined],
  ] as const) {
    const answer = await to(SHARED, { path, ...certified })
    assert.deepEqual([answer.status, answer.headers['x-autoridade']], [status, owner])
    if (status === 200) assert.deepEqual(caller(answer), (await icp.certificado('empresa'))?.item.titular)
  }
  assert.equal((await to(SHARED, { path: '/portal/a' })).status, 200)
})

test('a resumed session keeps its caller, and one without a caller gets none', async () => {
  const { handshakes: before } = gateway.estatisticas()
  for (const maxVersion of VERSIONS)
    for (const options of [await certificate('empresa'), await certificate('vencido'), {}]) {
      const first = await to(SEFAZ, { maxVersion, ...options })
      assert.ok(first.session && !first.resumed)
      const second = await to(SEFAZ, { maxVersion, ...options, session: first.session })
      assert.ok(second.resumed)
      assert.deepEqual(caller(second), caller(first))
    }
  const { handshakes } = gateway.estatisticas()
  assert.equal(handshakes.completos - before.completos, 6)
  assert.equal(handshakes.retomados - before.retomados, 6)
})

test('a name that nobody serves is refused in the handshake, and so is no name', async () => {
  for (const name of ['outro.exemplo.test', 'localhost', ''])
    await assert.rejects(to(name), /unrecognized name/)
})

test('a Host other than the name of the TLS connection is misdirected', async () => {
  assert.equal((await to(SEFAZ, { headers: { host: SEFAZ_TOO } })).status, 421)
  assert.equal((await to(SEFAZ, { headers: { host: `127.0.0.1:${gateway.porta}` } })).status, 421)
  assert.equal((await to(SEFAZ, { headers: { host: `${SEFAZ.toUpperCase()}:443` } })).status, 200)
})

test('plain HTTP goes to the authority that its Host names, without a caller', async () => {
  const { status, body } = await askPlain(gateway.porta, PAGE, '/x?y=1')
  assert.equal(status, 200)
  assert.deepEqual(JSON.parse(body), { host: PAGE, metodo: 'GET', caminho: '/x', consulta: 'y=1', corpo: '' })
})

test('the own pages show under an address or localhost only, and say where they were reached', async () => {
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '192.168.0.7']) {
    const { status, body } = await askPlain(gateway.porta, `${host}:8081`)
    assert.deepEqual([status, body], [200, `${host.replace(/[[\]]/g, '')} 8081`])
  }
  assert.equal((await askPlain(gateway.porta, 'localhost', '/nada')).status, 404)
  assert.equal((await askPlain(gateway.porta, 'localhost', '/certificados/nada.pfx')).status, 404)
  assert.equal((await askPlain(gateway.porta, 'localhost', '/', 'POST')).status, 405)
  for (const host of ['outro.exemplo.test', 'xlocalhost'])
    await assert.rejects(askPlain(gateway.porta, host), { code: 'ECONNRESET' })
})

test('a service finds all that it needs in one page, and each certificate by its name', async () => {
  const page = async (path: string) => fetch(`${gateway.endereco}${path}`)
  const { ca, certificado, ...rest } = JSON.parse(await (await page('/ambiente.json')).text())
  assert.deepEqual(rest, { gateway: { host: '127.0.0.1', port: gateway.porta }, ritmo: 1 })
  assert.equal(ca, await (await page('/ca.pem')).text())
  const options = { ca, pfx: Buffer.from(certificado.pfx, 'base64'), passphrase: certificado.senha }
  assert.deepEqual(caller(await to(SEFAZ, options)), (await icp.certificado('empresa'))?.item.titular)
  for (const { arquivo, nome } of JSON.parse(await (await page('/certificados.json')).text()).slice(0, 4)) {
    const pfx = Buffer.from(await (await page(arquivo)).arrayBuffer())
    assert.deepEqual(pfx, (await icp.certificado(nome))?.pfx)
  }
  const { conexoes, pedidos } = JSON.parse(await (await page('/estatisticas.json')).text())
  assert.ok(conexoes > 0 && pedidos[SEFAZ] > 0)
})

test('a connection is kept between requests, and counted once', async () => {
  const before = gateway.estatisticas()
  const socket = connect({ port: gateway.porta, host: '127.0.0.1', servername: PAGE, ca: icp.ca })
  const request = `GET / HTTP/1.1\r\nHost: ${PAGE}\r\n\r\n`
  socket.write(request.repeat(3))
  let received = ''
  for await (const chunk of socket) {
    received += chunk
    if (received.split('HTTP/1.1 200').length === 4) break
  }
  socket.destroy()
  const { conexoes, pedidos } = gateway.estatisticas()
  assert.equal(conexoes - before.conexoes, 1)
  assert.equal((pedidos[PAGE] ?? 0) - (before.pedidos[PAGE] ?? 0), 3)
})

test('an authority can break off in the middle of an answer, or refuse the TLS connection', async () => {
  for (const maxVersion of VERSIONS) {
    await assert.rejects(to(SEFAZ, { maxVersion, path: '/derrubar' }), { code: 'ECONNRESET' })
    await assert.rejects(to(SEFAZ, { maxVersion, path: '/recusar-tls' }), { code: /^ERR_SSL_/ })
  }
  await assert.rejects(askPlain(gateway.porta, PAGE, '/derrubar'), { code: 'ECONNRESET' })
  await assert.rejects(askPlain(gateway.porta, PAGE, '/recusar-tls'), { code: 'ECONNRESET' })
})

test('a body of 1 MiB is taken, a larger one refused', async () => {
  const body = Buffer.alloc(1_048_577, 'a')
  assert.equal((await to(PAGE, { body: body.subarray(1) })).status, 200)
  for (const size of [1, 4]) {
    const answer = await to(PAGE, { body: Buffer.concat(Array(size).fill(body)) })
    assert.equal(answer.status, 413)
  }
})

test('an authority that fails answers 500 and says so, and the gateway goes on', async (t) => {
  const complaint = t.mock.method(console, 'error', () => undefined)
  assert.equal((await to(PAGE, { path: '/falhar' })).status, 500)
  assert.match(String(complaint.mock.calls[0]?.arguments), /portal.*\/falhar.*falhou/s)
  assert.equal((await to(PAGE)).status, 200)
})
