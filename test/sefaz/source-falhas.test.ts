import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EM, envelope, NFE, retConsStatServ, useStatus } from '../kit/sefaz-rounds.ts'

const { does, answers, asked, probe } = useStatus()
const SOAP = 'http://www.w3.org/2003/05/soap-envelope'

test('107 is an answer', async () => {
  answers(envelope(retConsStatServ('107', { cUF: '35' })))
  const { leitura, contato, http } = await probe('nfe-sp')
  const { conexaoMs, tlsMs, respostaMs, ...rest } = leitura
  assert.deepEqual(rest, {
    autorizador: 'nfe-sp',
    em: EM,
    resultado: 'resposta',
    cStat: 107,
    motivo: '',
    desmentida: null,
  })
  assert.deepEqual([typeof conexaoMs, typeof tlsMs, typeof respostaMs], ['number', 'number', 'number'])
  assert.deepEqual([contato, http], ['servico', undefined])
})

for (const cStat of ['108', '109', '113', '114', '656', '252', '410', '215', '280', '999', '1099'])
  test(`cStat ${cStat} is an error, with the authority's words`, async () => {
    answers(envelope(retConsStatServ(cStat, { xMotivo: 'Servico Paralisado' })))
    const { leitura, contato } = await probe('nfe-sp')
    const { resultado, motivo } = leitura
    assert.deepEqual(
      [resultado, leitura.cStat, motivo, contato],
      ['erro', Number(cStat), 'Servico Paralisado', 'servico'],
    )
  })

for (const [title, id, changed, why] of [
  ['another environment', 'nfe-sp', { tpAmb: '2' }, 'SEFAZ SP respondeu por outro ambiente (tpAmb 2).'],
  ['another state', 'nfe-sp', { cUF: '31' }, 'SEFAZ SP respondeu por outro estado (MG).'],
  [
    'a state that is not the one asked about',
    'nfe-svrs',
    { cUF: '33' },
    'SVRS respondeu por outro estado (RJ).',
  ],
] as const)
  test(`a 107 of ${title} is an error`, async () => {
    answers(envelope(retConsStatServ('107', changed)))
    const { leitura } = await probe(id)
    assert.deepEqual([leitura.resultado, leitura.cStat, leitura.motivo], ['erro', null, why])
  })

for (const [title, changed] of [
  ['the state asked about', { cUF: '12' }],
  ['the state whose data centre attended', { cUF: '43' }],
  ['the number of the virtual authorizer', { cUF: '90' }],
  ['no state', { cUF: '', tpAmb: '' }],
] as const)
  test(`a 107 that names ${title} is an answer`, async () => {
    answers(envelope(retConsStatServ('107', changed)))
    assert.equal((await probe('nfe-svrs')).leitura.resultado, 'resposta')
  })

for (const name of ['retConsStatServCTe', 'retConsStatServCte'])
  test(`the CT-e answers with ${name}`, async () => {
    const cte = retConsStatServ('107')
      .replaceAll('retConsStatServ', name)
      .replace(NFE, 'http://www.portalfiscal.inf.br/cte')
    answers(envelope(cte))
    assert.equal((await probe('cte-svsp')).leitura.resultado, 'resposta')
  })

const fault = `<s:Envelope xmlns:s="${SOAP}"><s:Body><s:Fault><s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason><s:Text>Fora do ar</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>`

for (const [title, body, status, type, why] of [
  ['a fault', fault, 500, 'application/soap+xml', /não processou o pedido: "Fora do ar"/],
  ['a fault with status 200', fault, 200, 'application/soap+xml', /não processou o pedido/],
  ['HTTP 403', '<h1>403</h1>', 403, 'text/html', /recusou a conexão \(HTTP 403\)/],
  ['HTTP 503', 'Service Unavailable', 503, 'text/html', /erro HTTP 503/],
  ['a redirect', '', 302, 'text/html', /erro HTTP 302/],
  ['a page', '<html>Em manutenção</html>', 200, 'text/html', /não é a resposta do serviço/],
  ['nothing', '', 200, 'application/soap+xml', /não chegou inteira/],
  [
    'an answer cut short',
    envelope(retConsStatServ('107')).slice(0, -30),
    200,
    'text/xml',
    /não chegou inteira/,
  ],
  ['another answer', envelope('<retConsCad/>'), 200, 'text/xml', /não é a resposta do serviço/],
  ['an answer without a code', envelope(retConsStatServ('')), 200, 'text/xml', /não disse o código/],
  ['a code that is none', envelope(retConsStatServ('1e3')), 200, 'text/xml', /não disse o código/],
  [
    'two codes',
    envelope(retConsStatServ('107', { x: '</x><cStat>109</cStat><x>' })),
    200,
    'text/xml',
    /não disse o código/,
  ],
  ['more than is read', Buffer.alloc(3 * 1024 * 1024, 60), 200, 'text/xml', /grande|limite|maior/],
  [
    'bytes that are no UTF-8',
    Buffer.from([60, 0xe3, 62]),
    200,
    'text/xml; charset=utf-8',
    /codifica|caracter|charset|acent/,
  ],
] as const)
  test(`${title} is an error of whoever answered`, async () => {
    answers(body, status, type)
    const { leitura, contato, http } = await probe('nfe-svrs')
    assert.deepEqual(
      [leitura.resultado, leitura.cStat, leitura.respostaMs, contato],
      ['erro', null, null, 'recusa'],
    )
    assert.match(leitura.motivo, why)
    assert.match(leitura.motivo, /^SVRS /)
    // What has no code is an answer of the service all the same: its status tells nothing.
    assert.equal(http, /code/.test(title) ? undefined : status)
  })

test('a TLS alert in the place of the answer is an error of whoever refused', async () => {
  does(({ conexao }) => conexao.refuseTls())
  const { leitura, contato } = await probe('nfe-rs')
  assert.deepEqual([leitura.resultado, contato], ['erro', 'recusa'])
})

test('a connection that breaks is an error, and nobody answered', async () => {
  does(({ conexao }) => conexao.drop())
  asked.length = 0
  const { leitura, contato, http } = await probe('nfe-rs')
  assert.deepEqual([leitura.resultado, contato, http], ['erro', 'nenhum', undefined])
  assert.equal(leitura.motivo, 'SEFAZ RS não atendeu à conexão, ou a derrubou no meio da resposta.')
  assert.equal(asked.length, 2)
})

test('an answer that does not come within the limit is a time-out', async () => {
  does(() => {})
  const { leitura, contato } = await probe('nfe-rs', { limiteMs: 200 })
  assert.deepEqual(
    [leitura.resultado, leitura.motivo, contato],
    ['timeout', 'SEFAZ RS não respondeu a tempo.', 'nenhum'],
  )
})
