import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { comportamentos } from '../../simulator/mundo/comportamento.ts'
import { contribuinteComportado } from '../../simulator/mundo/efeito.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { type Authorities, openAuthorities, type Reply } from '../kit/authority.ts'
import { reservado } from '../kit/simulator.ts'
import { consCad, envelope, SOAP11, SOAP12, WSDL, wrap } from '../kit/simulator-nacional.ts'
import { cutOut, openSchema, type Schema } from '../kit/witnesses.ts'

const SP = { host: 'nfe.fazenda.sp.gov.br', path: '/ws/cadconsultacadastro4.asmx' }
const SVRS = { host: 'cad.svrs.rs.gov.br', path: '/ws/cadconsultacadastro/cadconsultacadastro4.asmx' }
const GO = { host: 'nfe.sefaz.go.gov.br', path: '/nfe/services/CadConsultaCadastro4' }
const MT = { host: 'nfe.sefaz.mt.gov.br', path: '/nfews/v2/services/CadConsultaCadastro4' }
const MS = { host: 'nfe.sefaz.ms.gov.br', path: '/ws/CadConsultaCadastro4' }

const examples = exemplos()
const paulista = wrap('SP', consCad('SP', 'CNPJ', examples.umaInscricao.get('SP') ?? ''))

let authorities: Authorities
let schema: Schema

before(async () => {
  authorities = await openAuthorities(() => new Date('2026-11-14T15:00:00Z'))
  schema = openSchema('retConsCad_v2.00.xsd')
})
after(async () => {
  schema.dispose()
  await authorities.close()
})

test('without an acceptable certificate there is only a page with 403', async () => {
  for (const certificate of [null, 'vencido', 'outra-cadeia']) {
    const reply = await authorities.ask(SP.host, {
      path: SP.path,
      body: paulista,
      headers: SOAP12,
      certificate,
    })
    assert.equal(reply.status, 403)
    assert.match(reply.text, /403\.7 - Forbidden/)
    assert.match(reply.headers['content-type'] ?? '', /^text\/html/)
  }
})

test('ASP.NET takes the path in any case, Java does not, and nobody takes another', async () => {
  const ask = async (host: string, path: string) =>
    (await authorities.ask(host, { path, body: paulista, headers: SOAP12 })).status
  assert.equal(await ask(SP.host, '/WS/CadConsultaCadastro4.asmx'), 200)
  assert.equal(await ask(GO.host, GO.path.toLowerCase()), 404)
  assert.equal(await ask(SP.host, '/ws/cadconsultacadastro2.asmx'), 404)
})

test('only POST asks; GET shows a page or the WSDL', async () => {
  const get = (server: typeof SP, query = '') =>
    authorities.ask(server.host, { path: server.path + query, method: 'GET' })
  assert.equal((await get(SP)).status, 200)
  assert.equal((await get(GO)).status, 405)
  const wsdl = await get(GO, '?wsdl')
  assert.ok(wsdl.text.includes(`targetNamespace="${WSDL}"`))
  const put = await authorities.ask(SP.host, {
    path: SP.path,
    method: 'PUT',
    body: paulista,
    headers: SOAP12,
  })
  assert.equal(put.status, 405)
  assert.equal(put.headers.allow, 'GET, POST')
})

const riograndense = consCad('RS', 'CNPJ', examples.umaInscricao.get('RS') ?? '')
const inOld = envelope(`<nfeDadosMsg xmlns="${WSDL}">${riograndense}</nfeDadosMsg>`, '1.1')

test('ASP.NET takes both versions of SOAP and answers in that of the envelope, whatever the media type', async () => {
  for (const headers of [SOAP11, { 'content-type': 'text/xml' }, SOAP12]) {
    const reply = await authorities.ask(SVRS.host, { path: SVRS.path, body: inOld, headers })
    assert.equal(reply.status, 200)
    assert.match(reply.headers['content-type'] ?? '', /^text\/xml/)
    assert.match(reply.text, /schemas\.xmlsoap\.org\/soap\/envelope/)
  }
  const reply = await authorities.ask(SP.host, { path: SP.path, body: paulista, headers: SOAP11 })
  assert.match(reply.headers['content-type'] ?? '', /^application\/soap\+xml/)
})

test('ASP.NET finds the operation by the element of the body where the action is missing or, in SOAP 1.2, unknown', async () => {
  const unknown = `${SOAP12['content-type']}; action="urn:other"`
  const ask = (body: string, headers: Record<string, string>) =>
    authorities.ask(SVRS.host, { path: SVRS.path, body, headers })
  const inNew = envelope(`<nfeDadosMsg xmlns="${WSDL}">${riograndense}</nfeDadosMsg>`)
  assert.equal((await ask(inNew, { 'content-type': unknown })).status, 200)
  assert.equal((await ask(inNew, SOAP12)).status, 200)
  assert.equal((await ask(inOld, { 'content-type': 'text/xml; charset=utf-8' })).status, 200)
  assert.equal((await ask(inOld, { ...SOAP11, soapaction: '"urn:other"' })).status, 500)
  const neither = await ask(envelope('<other xmlns="urn:other"/>'), { 'content-type': unknown })
  assert.equal(neither.status, 500)
  assert.equal(cutOut(neither.text, 'Fault').text('Value').join(), 'soap:Sender')
})

test('ASP.NET declares xsi and xsd on its envelopes, and the Java servers do not', async () => {
  const declared = /<soap:Envelope [^>]*xmlns:xsi="[^"]*XMLSchema-instance" xmlns:xsd="[^"]*XMLSchema"/
  const right = await authorities.ask(SP.host, { path: SP.path, body: paulista, headers: SOAP12 })
  const fault = await authorities.ask(SP.host, { path: SP.path, body: envelope('<a/>'), headers: SOAP12 })
  for (const { text } of [right, fault]) assert.match(text, declared)
  const goiana = wrap('GO', consCad('GO', 'CNPJ', examples.umaInscricao.get('GO') ?? ''))
  const java = await authorities.ask(GO.host, { path: GO.path, body: goiana, headers: SOAP12 })
  assert.match(java.text, /<cStat>111</)
  assert.doesNotMatch(java.text, /xmlns:xs[id]/)
})

test('a Java server wants the media type of a version that it understands', async () => {
  const old = await authorities.ask(GO.host, { path: GO.path, body: paulista, headers: SOAP11 })
  assert.equal(old.status, 415)
})

test('MT answers a message without its wrapper with the fault of an operation that is not found', async () => {
  const message = consCad('MT', 'CNPJ', examples.umaInscricao.get('MT') ?? '')
  const body = envelope(`<nfeDadosMsg xmlns="${WSDL}">${message}</nfeDadosMsg>`)
  const reply = await authorities.ask(MT.host, { path: MT.path, body, headers: SOAP12 })
  assert.equal(reply.status, 500)
  assert.match(cutOut(reply.text, 'Fault').text('Text').join(), /\(EPR\) for the Operation not found/)
})

test('MS answers in SOAP 1.1 what was asked in 1.2', async () => {
  const body = wrap('MS', consCad('MS', 'CNPJ', examples.umaInscricao.get('MS') ?? ''))
  const reply = await authorities.ask(MS.host, { path: MS.path, body, headers: SOAP12 })
  assert.match(reply.headers['content-type'] ?? '', /^text\/xml/)
})

test('what is no envelope of the service gets a SOAP fault', async () => {
  const faults = [
    envelope('<other/>'),
    envelope(''),
    paulista.replace(WSDL, `${WSDL}x`),
    paulista.replaceAll('2003/05/soap-envelope', '2001/12/soap-envelope'),
  ]
  for (const body of faults) {
    const reply = await authorities.ask(SP.host, { path: SP.path, body, headers: SOAP12 })
    assert.equal(reply.status, 500, body.slice(0, 80))
    assert.equal(cutOut(reply.text, 'Fault').text('Value').join(), 'soap:Sender')
    const java = await authorities.ask(GO.host, { path: GO.path, body, headers: SOAP12 })
    assert.equal(java.status, 400, body.slice(0, 80))
  }
})

test('what is no XML gets HTTP 400 with an empty body from ASP.NET, and a fault from a Java server', async () => {
  const malformed = [
    'not XML',
    paulista.slice(0, -5),
    paulista.replace('<e:Envelope', '<!DOCTYPE a [<!ENTITY b "c">]><e:Envelope'),
    // Elements that are nested and opened as often as a body can hold, for a reader that counts on neither.
    envelope('<a>'.repeat(100_000) + '</a>'.repeat(100_000)),
    '<!--'.repeat(250_000),
    '<![CDATA['.repeat(100_000),
  ]
  for (const body of malformed) {
    const reply = await authorities.ask(SP.host, { path: SP.path, body, headers: SOAP12 })
    assert.deepEqual([reply.status, reply.text], [400, ''], body.slice(0, 80))
  }
  const java = await authorities.ask(GO.host, { path: GO.path, body: 'not XML', headers: SOAP12 })
  assert.equal(cutOut(java.text, 'Fault').text('Value').length, 1)
})

test('a JSON body is an unsupported media type', async () => {
  const headers = { 'content-type': 'application/json' }
  const reply = await authorities.ask(SP.host, { path: SP.path, body: '{}', headers })
  assert.equal(reply.status, 415)
})

function misbehave(name: string): Promise<Reply> {
  const body = wrap('SP', consCad('SP', 'CNPJ', reservado(name)))
  return authorities.ask(SP.host, { path: SP.path, body, headers: SOAP12 })
}

function codeOf(reply: Reply): string {
  const ret = cutOut(reply.text, 'retConsCad')
  assert.equal(schema.problem(ret.xml), undefined, ret.xml)
  return ret.text('cStat').join()
}

test('every document of a code gets that code, within the official schema', async () => {
  for (const { nome, efeito } of comportamentos) {
    if (efeito.tipo === 'codigo') assert.equal(codeOf(await misbehave(nome)), String(efeito.cStat))
  }
})

test('a document misbehaves when it is asked about by its registration, too', async () => {
  const ieOf = (name: string) => contribuinteComportado(reservado(name), 'SP').inscricoes[0]?.ie ?? ''
  const ask = (name: string) =>
    authorities.ask(SP.host, {
      path: SP.path,
      body: wrap('SP', consCad('SP', 'IE', ieOf(name))),
      headers: SOAP12,
    })
  assert.equal(codeOf(await ask('109')), '109')
  assert.equal((await ask('html-503')).status, 503)
  const one = await ask('muitas')
  assert.equal(codeOf(one), '111')
  assert.ok(one.text.includes(`<IE>${ieOf('muitas')}</IE>`))
})

test('late answers are right in the end', async () => {
  for (const name of ['lento', 'demorado']) assert.equal(codeOf(await misbehave(name)), '111')
})

test('pages come instead of answers', async () => {
  for (const [name, status] of [
    ['html-403', 403],
    ['html-429', 429],
    ['html-503', 503],
    ['html-200', 200],
    ['html-404', 404],
  ] as const) {
    const reply = await misbehave(name)
    assert.equal(reply.status, status)
    assert.match(reply.text, /^<!DOCTYPE html/)
  }
})

test('a redirect leads to a page that is not there', async () => {
  const reply = await misbehave('redireciona')
  assert.equal(reply.status, 302)
  assert.equal(reply.headers.location, '/manutencao.html')
})

test('faults come in both versions with 500', async () => {
  const modern = await misbehave('fault')
  assert.equal(modern.status, 500)
  assert.match(modern.text, /2003\/05\/soap-envelope.*<soap:Value>soap:Receiver/)
  const old = await misbehave('fault-1.1')
  assert.equal(old.status, 500)
  assert.match(old.text, /schemas\.xmlsoap\.org.*<faultcode>soap:Server/)
})

test('connections break: before the first byte, in the middle, in TLS', async () => {
  await assert.rejects(misbehave('corta-antes'), { code: 'ECONNRESET' })
  await assert.rejects(misbehave('reset'), { code: 'ECONNRESET' })
  await assert.rejects(misbehave('tls'), { code: /^ERR_SSL_/ })
})

test('bodies come empty, cut, too large', async () => {
  assert.equal((await misbehave('vazio')).body.length, 0)
  const cut = await misbehave('xml-malformado')
  assert.throws(() => cutOut(cut.text, 'retConsCad'), /expected '>'/)
  const huge = await misbehave('gigante')
  assert.ok(huge.body.length > 10 << 20)
  assert.equal(huge.headers['content-length'], undefined)
})

test('ISO-8859-1 comes said to be itself, or said to be UTF-8', async () => {
  const wrong = await misbehave('charset')
  assert.match(wrong.headers['content-type'] ?? '', /charset=utf-8/)
  assert.throws(() => new TextDecoder('utf-8', { fatal: true }).decode(wrong.body), {
    code: 'ERR_ENCODING_INVALID_ENCODED_DATA',
  })
  const right = await misbehave('charset-certo')
  assert.match(right.headers['content-type'] ?? '', /charset=iso-8859-1/)
  assert.match(right.body.toString('latin1'), /encoding="iso-8859-1".*PANIFICAÇÃO SÃO JOÃO/)
})

test('another document is answered about, and many registrations at once', async () => {
  const other = await misbehave('outro-documento')
  assert.equal(codeOf(other), '111')
  assert.ok(!other.text.includes(reservado('outro-documento')))
  const many = cutOut((await misbehave('muitas')).text, 'retConsCad')
  assert.equal(schema.problem(many.xml), undefined)
  assert.equal(new Set(many.text('IE')).size, 40)
})

test('the simulator shows its list', async () => {
  const page = await fetch(authorities.address)
  assert.match(await page.text(), /Isto é um simulador/)
  const list = await fetch(`${authorities.address}/documentos.json`)
  assert.ok((await list.text()).includes('98765001000121'))
})
