import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { envelope, infCad, retConsCad, SERVICE, SOAP12, useCadastro } from '../kit/authority.ts'

const service = useCadastro()
const found = retConsCad('111', infCad('<cSit>1</cSit>'))

describe('what is understood', () => {
  const prefixed = `<?xml version="1.0"?><S:Envelope xmlns:S="${SOAP12}"><S:Body><ns2:nfeResultMsg xmlns:ns2="${SERVICE}">${found.replace(/<(\/?)(\w)/g, '<$1ns9:$2').replace('xmlns=', 'xmlns:ns9=')}</ns2:nfeResultMsg></S:Body></S:Envelope>`
  const soap11 = `<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body><consultaCadastroResponse><nfeResultMsg>${found}</nfeResultMsg></consultaCadastroResponse></soapenv:Body></soapenv:Envelope>`
  const variants: [name: string, body: string, type?: string][] = [
    ['SOAP 1.2', envelope(found)],
    ['prefixes everywhere', prefixed],
    ['SOAP 1.1 as text/xml', soap11, 'text/xml; charset=utf-8'],
    ['no content type', envelope(found), ''],
    ['pretty printing', envelope(found).replaceAll('><', '>\n  <')],
    ['a line break before the declaration', `\r\n${envelope(found)}`],
    ['a byte order mark', `\ufeff${envelope(found)}`],
    ['numbers without their zeros', envelope(found.replaceAll('00000000000191', '191'))],
    ['no echo of the document', envelope(found.replace('<CNPJ>00000000000191</CNPJ><dhCons>', '<dhCons>'))],
  ]
  for (const [name, body, type] of variants) {
    test(name, async () => {
      service.answers(body, type)
      const [item, ...others] = await service.ask('SP')
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
      service.answers(envelope(retConsCad('111', infCad(cad))))
      const [item] = await service.ask('SP')
      assert.deepEqual(
        [item?.situacao_ie, item?.situacao_cadastral, item?.data_situacao],
        [situacao_ie, situacao_cadastral, data_situacao],
      )
    })
  }

  const municipalities: [ender: string, municipio: string][] = [
    ['<cMun>3550308</cMun><xMun>São Paulo</xMun>', 'São Paulo'],
    ['<cMun>3550308</cMun>', 'SAO PAULO'],
    ['<cMun>3106200</cMun>', 'BELO HORIZONTE'],
    ['<cMun>3599999</cMun>', ''],
    ['<cMun>9999999</cMun>', ''],
    ['<cMun>355030</cMun>', ''],
    ['', ''],
  ]
  for (const [ender, municipio] of municipalities) {
    test(`the municipality of "${ender}" is "${municipio}"`, async () => {
      service.answers(envelope(retConsCad('111', infCad(`<cSit>1</cSit><ender>${ender}</ender>`))))
      assert.equal((await service.ask('SP'))[0]?.municipio, municipio)
    })
  }

  test('an old number is answered under its new one', async () => {
    service.answers(
      envelope(
        retConsCad('111', infCad('<cSit>1</cSit><IEAtual>388108598269</IEAtual>'), '<IE>388108598269</IE>'),
      ),
    )
    assert.equal((await service.ask('SP', { tipo: 'ie', documento: '388108598269' })).length, 1)
  })

  test('a registration is of the state that was asked, wherever its address is', async () => {
    service.answers(envelope(found.replace('<UF>SP</UF><cSit>', '<UF>MG</UF><cSit>')))
    assert.equal((await service.ask('SP'))[0]?.uf_ie, 'SP')
  })
})

describe('what is not', () => {
  const fault = `<s:Envelope xmlns:s="${SOAP12}"><s:Body><s:Fault><s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason><s:Text xml:lang="pt">Erro no CNPJ 00000000000191, 00.000.000/0001-91</s:Text></s:Reason></s:Fault></s:Body></s:Envelope>`
  const html = '<html><body>Acesso negado</body></html>'
  const other = found.replace(
    '<IE>110042490114</IE><CNPJ>00000000000191',
    '<IE>110042490114</IE><CNPJ>33000167000101',
  )
  type Case = [
    name: string,
    kind: string,
    unavailable: boolean,
    body: string | Buffer,
    type?: string,
    status?: number,
  ]
  const refusals = (kind: string, unavailable: boolean, codes: string[]): Case[] =>
    codes.map((code) => [`cStat ${code}`, kind, unavailable, envelope(retConsCad(code))])
  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
  const cases: Case[] = [
    ['a fault with HTTP 500', 'http', false, fault, 'application/soap+xml', 500],
    ['a fault with HTTP 200', 'http', false, fault],
    ['HTTP 400 without a body, for a message that is not well-formed', 'http', false, '', '', 400],
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
    [
      'a page in another charset with HTTP 503',
      'http',
      true,
      latin1('Serviço indisponível'),
      'text/plain',
      503,
    ],
    ['a page in another charset with HTTP 403', 'blocked', true, latin1('Não'), '', 403],
    ['an answer in another charset', 'parse', false, latin1(found.replace('&#193;', 'Á'))],
    ['an answer of 400,000 elements', 'parse', false, envelope('<a/>'.repeat(400_000))],
    ...refusals('http', true, ['108', '109']),
    ...refusals('blocked', true, ['257', '656']),
    ...refusals('http', false, ['215', '239', '252', '265', '289', '402', '404', '999']),
  ]
  for (const [name, kind, unavailable, body, type, status] of cases) {
    test(`${name} is a failure of kind ${kind}`, async () => {
      service.answers(body, type, status)
      const error = await service.ask('SP').then(
        () => assert.fail('it should fail'),
        (thrown) => thrown,
      )
      assert.deepEqual(
        [error.name, error.kind, error.unavailable],
        ['SourceError', kind, unavailable],
        error.message,
      )
      assert.equal(error.source, 'SP/ie')
      if (name.startsWith('cStat')) assert.equal(error.codigo, name)
      assert.equal(typeof error.elapsedMs, 'number')
      assert.equal(error.status ?? 200, status ?? 200)
      assert.doesNotMatch(error.message, /00000000000191|0001-91/)
    })
  }

  for (const code of ['258', '260', '263']) {
    test(`${code} refuses the document`, async () => {
      service.answers(envelope(retConsCad(code, '')))
      await assert.rejects(service.ask('SP'), { name: 'ApiError', code: 'DOCUMENTO_INVALIDO' })
    })
  }

  test('262 refuses the kind of document, and says what can be asked instead', async () => {
    service.answers(envelope(retConsCad('262', '', '<CPF>52998224725</CPF>')))
    await assert.rejects(service.ask('GO', { tipo: 'cpf', documento: '52998224725' }), {
      name: 'RotaNaoAtende',
      message: /GO não oferece consulta por CPF.*inscrição estadual/,
    })
  })

  for (const code of ['259', '261', '264']) {
    test(`${code} is no registration, which is an answer`, async () => {
      service.answers(envelope(retConsCad(code, '')))
      assert.deepEqual(await service.ask('SP'), [])
    })
  }
})
