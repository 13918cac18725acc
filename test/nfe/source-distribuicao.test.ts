import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { RespostaDaDistribuicao } from '../../src/nfe/rules.ts'
import { askChave } from '../../src/nfe/source-distribuicao.ts'
import type { Titular } from '../../src/platform/wire/certificado.ts'
import {
  CHAVE,
  envelope,
  localizado,
  loteOf,
  NFE,
  notaAssinada,
  OUTRA_CHAVE,
  resNFe,
  retDist,
  SOAP11,
  SOAP12,
  useNacional,
} from '../kit/nfe-steps.ts'
import { cutOut, openSchema, type Schema } from '../kit/witnesses.ts'

const SERVICE = `${NFE}/wsdl/NFeDistribuicaoDFe`
const EMPRESA: Titular = { tipo: 'cnpj', documento: '11222333000181', nome: 'EMPRESA', uf: 'SP' }
const an = useNacional()
let schema: Schema
before(() => {
  schema = openSchema('distDFeInt_v1.01.xsd')
})
after(() => schema.dispose())

const ask = async (chave = CHAVE): Promise<RespostaDaDistribuicao> =>
  askChave(await an.meios(), { chave, interessado: EMPRESA })

test("the query fits the official schema, in its operation's element, with nothing between its tags", async () => {
  const { uf: _, ...semUf } = EMPRESA
  const titulares: [titular: Titular, ...cUFAutor: string[]][] = [
    [EMPRESA, '35'],
    [semUf],
    [{ tipo: 'cpf', documento: '52998224725', nome: 'PESSOA', uf: 'AC' }, '12'],
  ]
  an.answers(retDist('137', 'Nenhum documento localizado'))
  for (const [titular, ...cUFAutor] of titulares) {
    await askChave(await an.meios(), { chave: CHAVE, interessado: titular })
    const { body, type } = an.last()
    const message = cutOut(body, 'distDFeInt')
    assert.equal(schema.problem(message.xml), undefined)
    assert.deepEqual(message.text(titular.tipo.toUpperCase()), [titular.documento])
    assert.deepEqual(message.text('chNFe'), [CHAVE])
    assert.deepEqual(message.text('cUFAutor'), cUFAutor)
    assert.doesNotMatch(body, />\s+</)
    assert.ok(
      body.startsWith(
        `<?xml version="1.0" encoding="utf-8"?><soap12:Envelope xmlns:soap12="${SOAP12}"><soap12:Body><nfeDistDFeInteresse xmlns="${SERVICE}"><nfeDadosMsg><distDFeInt xmlns="${NFE}" versao="1.01">`,
      ),
    )
    assert.equal(type, `application/soap+xml; charset=utf-8; action="${SERVICE}/nfeDistDFeInteresse"`)
  }
})

test("each environment has its address and its tpAmb, and the client's certificate is presented", async () => {
  an.answers(retDist('137', 'Nenhum documento localizado'))
  for (const [ambiente, host, tpAmb] of [
    ['producao', 'www1.nfe.fazenda.gov.br', '1'],
    ['homologacao', 'hom1.nfe.fazenda.gov.br', '2'],
  ] as const) {
    for (const nome of ['empresa', 'pessoa']) {
      const { titular } = await an.a1(nome)
      await askChave(await an.meios({ ambiente }, nome), { chave: CHAVE, interessado: titular })
      const { caminho, chamador, body, ...last } = an.last()
      assert.equal(last.host + caminho, `${host}/NFeDistribuicaoDFe/NFeDistribuicaoDFe.asmx`)
      assert.equal(chamador?.documento, titular.documento)
      const message = cutOut(body, 'distDFeInt')
      assert.equal(schema.problem(message.xml), undefined)
      assert.deepEqual(message.text('tpAmb'), [tpAmb])
    }
  }
})

const codigos: [tipo: RespostaDaDistribuicao['tipo'], ...codes: number[]][] = [
  ['nao-encontrada', 137, 217],
  ['fora-prazo', 632],
  ['sem-permissao', 640],
  ['emitente', 641],
  ['cancelada', 653, 654],
  ['chave-invalida', 236, 614, 615, 616, 617, 618, 619],
  ['limitada', 656],
  ['recusada', 633, 593, 472, 473, 489, 490, 214, 215, 238, 239, 252, 402, 404],
  ['recusada', 280, 281, 282, 283, 284, 285, 286, 108, 109, 999, 777, 1234],
]
for (const [tipo, ...codes] of codigos) {
  for (const cStat of codes.map(String)) {
    test(`cStat ${cStat} is ${tipo}, with its words`, async () => {
      an.answers(retDist(cStat, 'Rejeicao: motivo &amp; raz&#227;o'))
      assert.deepEqual(await ask(), { tipo, cStat, xMotivo: 'Rejeicao: motivo & razão' })
    })
  }
}

for (const [cSitNFe, situacao] of [
  ['1', 'autorizada'],
  ['2', 'denegada'],
  ['3', 'cancelada'],
] as const) {
  test(`a summary with cSitNFe ${cSitNFe} is of a note that is ${situacao}, since its dhRecbto`, async () => {
    an.answers(localizado(resNFe({ cSitNFe, dhRecbto: '2026-08-14T23:59:59-04:00' })))
    const autorizacao = new Date('2026-08-15T03:59:59Z')
    assert.deepEqual(await ask(), { tipo: 'resumo', situacao, autorizacao })
  })
}

test('the note comes byte for byte as it was packed, whatever its schema is called', async () => {
  const { chave, xml: limpo } = await notaAssinada()
  for (const xml of [limpo, `\ufeff${limpo}`, limpo.replace('?>', '?>\r\n<!-- ç -->\r\n')]) {
    const lote = loteOf([gzipSync(xml).toString('base64')], 'desconhecido.xsd')
    an.answers(retDist('138', 'Documento localizado', lote))
    assert.deepEqual(await ask(chave), { tipo: 'xml', xml })
  }
})

test('SOAP 1.1, other prefixes, line breaks, an NSU and missing or present ultNSU make no difference', async () => {
  const docZip = `<d:docZip schema="resNFe_v1.01.xsd" NSU="000000000000007">\n${gzipSync(resNFe())
    .toString('base64')
    .replace(/(.{60})/g, '$1\r\n')}\n</d:docZip>`
  an.answers(
    envelope(
      `\n<r:nfeDistDFeInteresseResponse xmlns:r="${SERVICE}">\n <d:retDistDFeInt xmlns:d="${NFE}" versao="1.01">\n<d:cStat> 138 </d:cStat><d:xMotivo>Documento localizado</d:xMotivo><d:ultNSU>000000000000000</d:ultNSU><d:maxNSU>000000000000000</d:maxNSU><d:loteDistDFeInt>${docZip}</d:loteDistDFeInt></d:retDistDFeInt></r:nfeDistDFeInteresseResponse>`,
      SOAP11,
      'SOAP-ENV',
    ),
    'text/xml; charset=utf-8',
  )
  const { tipo } = await ask()
  assert.equal(tipo, 'resumo')
})

test('a byte order mark, blanks before and after, and Latin-1 that is declared make no difference', async () => {
  const answer = retDist('640', 'Rejeição')
  const latin1 = Buffer.from(answer.replace('utf-8', 'iso-8859-1'), 'latin1')
  for (const [body, type] of [
    [`\ufeff${answer}`, 'application/soap+xml; charset=utf-8'],
    [`\r\n ${answer}\n\n`, 'application/soap+xml; charset=utf-8'],
    [answer.replace(/<\?.*?\?>/, ''), 'text/xml'],
    [latin1, 'text/xml; charset=ISO-8859-1'],
    [latin1, 'text/xml'],
  ] as const) {
    an.answers(body, type)
    assert.deepEqual(await ask(), { tipo: 'sem-permissao', cStat: '640', xMotivo: 'Rejeição' })
  }
})

test('of several documents the note counts before its summary, and an event counts for nothing', async () => {
  const evento = `<resEvento xmlns="${NFE}" versao="1.01"><chNFe>${CHAVE}</chNFe></resEvento>`
  an.answers(localizado(evento, resNFe({ chNFe: OUTRA_CHAVE }), resNFe()))
  assert.equal((await ask()).tipo, 'resumo')
  const { chave, xml } = await notaAssinada()
  an.answers(localizado(resNFe({ chNFe: chave }), xml))
  assert.equal((await ask(chave)).tipo, 'xml')
})

const bytes = gzipSync(resNFe())
const lote = (...docZips: string[]): string => retDist('138', 'Documento localizado', loteOf(docZips))
const data = (dhRecbto: string): string => localizado(resNFe({ dhRecbto }))

/** Adds entities. Each is ten times the one before. */
const laughs = (xml: string): string =>
  xml.replace(
    /^(<\?.*?\?>)?/,
    `$1<!DOCTYPE lolz [<!ENTITY lol0 "lol">${Array.from({ length: 9 }, (_, i) => `<!ENTITY lol${i + 1} "${`&lol${i};`.repeat(10)}">`).join('')}]>`,
  )

const defeitos: [what: string, answer: string | Buffer, message: RegExp][] = [
  ['no lot', retDist('138', 'Documento localizado'), /não enviou nada/],
  ['a lot without documents', lote(), /não enviou nada/],
  ['an empty document', lote(''), /o documento veio vazio/],
  ['a document with elements in it', lote('<x>H4sI</x>'), /o documento veio vazio/],
  ['what is not base64', lote('H4sI*AAA'), /não está em base64/],
  ['base64 that was cut', lote(bytes.toString('base64').slice(0, -1)), /não está em base64/],
  ['gzip that was cut', localizado(bytes.subarray(0, -20)), /cortada ou corrompida/],
  ['gzip with a byte changed', localizado(Buffer.from(bytes).fill(0, 30, 34)), /cortada ou corrompida/],
  ['what is not gzip', localizado(Buffer.from(resNFe())), /cortada ou corrompida/],
  ['a gzip bomb', localizado(gzipSync(Buffer.alloc(8 << 20, 0x20))), /é grande demais/],
  ['Latin-1', localizado(gzipSync(Buffer.from('<resNFe>São</resNFe>', 'latin1'))), /não está em UTF-8/],
  ['no XML', localizado('isto não é XML'), /o XML está malformado/],
  ['XML that was cut', localizado(resNFe().slice(0, -3)), /o XML está malformado/],
  ['XML with a DTD', localizado(`<!DOCTYPE resNFe>${resNFe()}`), /o XML está malformado/],
  ['an event', localizado(`<procEventoNFe xmlns="${NFE}"/>`), /a raiz do XML não é nfeProc/],
  ['a page', localizado('<html><body/></html>'), /a raiz do XML não é nfeProc/],
  ["another key's summary", localizado(resNFe({ chNFe: OUTRA_CHAVE })), /o resumo é de outra chave/],
  ['a summary without key', localizado(resNFe({ chNFe: '' })), /o resumo é de outra chave/],
  ['an unknown situation', localizado(resNFe({ cSitNFe: '4' })), /cSitNFe/],
  ['a date without offset', data('2026-08-14T09:00:01'), /dhRecbto/],
  ['a date that no month has', data('2026-02-30T09:00:01-03:00'), /dhRecbto/],
  ['a time that no day has', data('2026-08-14T24:00:01-03:00'), /dhRecbto/],
  ['a date of another form', data('14/08/2026 09:00:01'), /dhRecbto/],
  ['no code', retDist('', 'Documento localizado'), /sem o código do resultado/],
  ['words for a code', retDist('ok', 'Documento localizado'), /sem o código do resultado/],
  ['another answer', envelope('<nfeResultMsg><retConsCad/></nfeResultMsg>'), /não é a resposta do serviço/],
  ['an envelope that was cut', localizado(resNFe()).slice(0, -9), /não chegou inteira/],
  ['nothing', '', /não chegou inteira/],
  ['blanks', ' \r\n\t', /não chegou inteira/],
  ['a billion laughs', laughs(retDist('137', '&lol9;')), /não é a resposta do serviço/],
  ['a billion laughs in the document', localizado(laughs(resNFe({ chNFe: '&lol9;' }))), /malformado/],
  ['elements without end', envelope('<a>'.repeat(200_000)), /não é a resposta do serviço/],
]
for (const [what, answer, message] of defeitos) {
  test(`${what} in the place of a document is not understood, and said so`, async () => {
    an.answers(answer)
    await assert.rejects(ask(), { name: 'SourceError', kind: 'parse', source: 'AN/distribuicao', message })
  })
}

test("another key's note, one without protocol and one of another root are not delivered", async () => {
  const { chave, xml } = await notaAssinada()
  for (const [document, asked, message] of [
    [xml, CHAVE, /o XML é de outra chave/],
    [xml.replace(/<protNFe.*<\/protNFe>/s, ''), chave, /não tem o protocolo/],
    [xml.replaceAll('nfeProc', 'NFe'), chave, /a raiz do XML não é nfeProc/],
  ] as const) {
    an.answers(localizado(document))
    await assert.rejects(ask(asked), { kind: 'parse', unavailable: false, message })
  }
})

const fault12 = envelope(
  `<soap:Fault><soap:Code><soap:Value>soap:Receiver</soap:Value></soap:Code><soap:Reason><soap:Text xml:lang="pt">Erro no CNPJ 11222333000181</soap:Text></soap:Reason></soap:Fault>`,
)
const fault11 = envelope(
  '<soap:Fault><faultcode>soap:Server</faultcode><faultstring>Server was unable to process</faultstring></soap:Fault>',
  SOAP11,
)
const recusas: [string, number, string, string, object][] = [
  ['a page with HTTP 503', 503, 'text/html', '<html>', { kind: 'http', status: 503, unavailable: true }],
  ['a page with HTTP 200', 200, 'text/html', '<html>', { kind: 'parse', unavailable: false }],
  ['a page with HTTP 429', 429, 'text/html', '<html>', { kind: 'blocked', unavailable: true }],
  [
    'a page with HTTP 403, which is about the certificate',
    403,
    'text/html',
    '<html>403.7',
    { kind: 'blocked', unavailable: false, message: /recusou o certificado enviado na requisição/ },
  ],
  [
    'a SOAP 1.2 fault',
    500,
    'application/soap+xml',
    fault12,
    { kind: 'http', unavailable: false, retryS: 60, message: /não processou o pedido: "Erro no CNPJ …"/ },
  ],
  [
    "a SOAP 1.2 fault of the sender's side, which another call does not mend",
    400,
    'application/soap+xml',
    fault12.replace('Receiver', 'Sender'),
    { kind: 'http', retryS: null },
  ],
  ['a fault with HTTP 200', 200, 'text/xml', fault11, { kind: 'http', unavailable: false, status: 200 }],
  ['an answer with HTTP 500', 500, 'text/xml', retDist('137', 'x'), { kind: 'http', status: 500 }],
  ['an answer called a page', 200, 'text/html', retDist('137', 'x'), { kind: 'parse' }],
  ['a SOAP 1.1 fault', 500, 'text/xml', fault11, { kind: 'http', retryS: 60, message: /Server was unable/ }],
  ['a redirect', 302, 'text/html', '', { kind: 'http', status: 302 }],
]
for (const [what, status, type, body, expected] of recusas) {
  test(`${what} is told for what it is`, async () => {
    an.answers(body, type, status)
    await assert.rejects(ask(), { name: 'SourceError', ...expected })
  })
}

test('a query whose connection fell is not sent again: the authority may have counted it', async () => {
  an.answers('cai')
  const before = an.count()
  await assert.rejects(ask(), { kind: 'network', unavailable: true })
  assert.equal(an.count() - before, 1)
})
