import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dvDaChave } from '../../simulator/nfe/nota.ts'
import {
  byKey,
  DISTRIBUTION,
  distDFeInt,
  HOUR,
  holderOf,
  inDistribution,
  openDistribuicao,
  WWW1,
} from '../kit/simulator-nacional.ts'

const { national, read, codeOf, askFor } = openDistribuicao()

test('a message that is wrong in form is refused with its own code', async () => {
  const right = distDFeInt(holderOf('ciencia'), byKey(national().keyOf('ciencia')))
  for (const [code, message] of [
    ['214', right.replace('<tpAmb>', `<!--${'x'.repeat(10_240)}--><tpAmb>`)],
    [
      '404',
      right.replace('<distDFeInt xmlns', '<n:distDFeInt xmlns:n').replace('</distDFeInt', '</n:distDFeInt'),
    ],
    ['587', right.replace('<distDFeInt', '<distDFeInt xmlns:x="urn:x"')],
    ['588', right.replace('<tpAmb>', '\n<tpAmb>')],
    ['588', ` ${right}`],
    ['215', right.replace('<cUFAutor>35', '<cUFAutor>99')],
    ['215', right.replace('<tpAmb>1', '<tpAmb>3')],
    ['215', right.replace('</chNFe>', '1</chNFe>')],
    ['215', right.replace('</distDFeInt>', '<xServ>DIST</xServ></distDFeInt>')],
    ['215', right.replace(/<CNPJ>.*<\/CNPJ>/, '')],
    ['215', right.replace(' versao="1.01"', '')],
    ['215', ''],
    ['215', right + right],
    ['215', right.replace('<tpAmb>1', '\n<tpAmb>3')],
    ['238', right.replace('versao="1.01"', 'versao="1.02"')],
    ['239', right.replace('versao="1.01"', 'versao="1.00"')],
    ['252', right.replace('<tpAmb>1', '<tpAmb>2')],
  ] as const) {
    const reply = await national().distribute(message, { certificate: 'nfe-ciencia' })
    assert.equal(codeOf(reply), code, message.slice(0, 200))
  }
})

test('an encoding other than UTF-8 is 402', async () => {
  const headers = { 'content-type': 'application/soap+xml; charset=iso-8859-1' }
  assert.equal(codeOf(await national().distribute('', { headers })), '402')
})

test('a message that is no XML gets HTTP 400 without a body: a declaration in the middle, an attribute said twice', async () => {
  const right = distDFeInt(holderOf('ciencia'), byKey(national().keyOf('ciencia')))
  for (const message of [
    `<?xml version="1.0" encoding="UTF-8"?>${right}`,
    right.replace(' versao=', ' versao="1.01" versao='),
    right.replace('</tpAmb>', ''),
  ]) {
    const reply = await national().distribute(message, { certificate: 'nfe-ciencia' })
    assert.deepEqual([reply.status, reply.text], [400, ''], message.slice(0, 80))
  }
})

test('the interested party is that of the certificate, or of the same root', async () => {
  const question = byKey(national().keyOf('ciencia'))
  for (const [party, certificate, code] of [
    ['<CNPJ>98764001000199</CNPJ>', 'nfe-ciencia', '489'],
    ['<CNPJ>00000000000000</CNPJ>', 'nfe-ciencia', '489'],
    ['<CPF>11111111111</CPF>', 'nfe-ciencia', '490'],
    [holderOf('ciencia'), 'empresa', '593'],
    [holderOf('ciencia'), 'pessoa', '593'],
    [holderOf('pessoa'), 'pessoa', '472'],
    [holderOf('pessoa'), 'empresa', '472'],
    ['<CNPJ>48271936000264</CNPJ>', 'empresa', '640'],
  ] as const)
    assert.equal(codeOf(await askFor(party, question, certificate)), code, `${party} ${certificate}`)
})

test('a key that cannot be is refused for the first thing that is wrong with it', async () => {
  const right = national().keyOf('nao-realizada').slice(0, 43)
  const changed = (from: number, text: string): string => {
    const key = right.slice(0, from) + text + right.slice(from + text.length)
    return key + dvDaChave(key)
  }
  const wrongDigit = right + ((Number(dvDaChave(right)) + 1) % 10)
  for (const [code, key] of [
    ['236', wrongDigit],
    ['614', changed(0, '99')],
    ['615', changed(2, '05')],
    ['615', changed(2, '99')],
    ['616', changed(4, '13')],
    ['617', changed(6, '00000000000000')],
    ['617', changed(22, '920')],
    ['618', changed(20, '65')],
    ['619', changed(25, '000000000')],
    ['217', changed(25, '000099999')],
  ] as const)
    assert.equal(codeOf(await national().query('nao-realizada', key)), code, key)
})

test('the 21st query of an hour is undue consumption; each one more starts the hour again', async () => {
  const ask = async () => codeOf(await national().query('ciencia-segunda-consulta'))
  for (let i = 0; i < 20; i++) assert.equal(await ask(), '138')
  const refused = read(await national().query('ciencia-segunda-consulta'))
  assert.equal(refused.text('cStat').join(), '656')
  assert.equal(
    refused.text('xMotivo').join(),
    'Rejeicao: Consumo Indevido (Ultrapassou o limite de 20 consultas por hora)',
  )
  assert.equal(codeOf(await national().query('ciencia-repetida')), '138', 'another holder is not concerned')
  national().pass(HOUR - 1000)
  assert.equal(await ask(), '656')
  national().pass(HOUR - 1000)
  assert.equal(await ask(), '656')
  national().pass(HOUR)
  assert.equal(await ask(), '138')
})

test('twenty queries spread over more than an hour are not too many', async () => {
  const codes: string[] = []
  for (let i = 0; i < 42; i++) {
    codes.push(codeOf(await national().query('conclusiva-anterior')))
    national().pass(HOUR / 20)
  }
  assert.deepEqual(new Set(codes), new Set(['138']))
})

test('nothing is distributed by NSU, and to ask again within the hour is undue consumption', async () => {
  const party = holderOf('dois-meses')
  const ask = (question: string) => askFor(party, question, 'nfe-dois-meses')
  const last = (nsu: number) => ask(`<distNSU><ultNSU>${String(nsu).padStart(15, '0')}</ultNSU></distNSU>`)
  assert.equal(codeOf(await last(5)), '589')
  const none = read(await last(0))
  assert.equal(none.text('cStat').join(), '137')
  assert.equal(none.text('ultNSU').join(), '0'.repeat(15))
  const again = read(await last(0))
  assert.equal(again.text('cStat').join(), '656')
  assert.match(again.text('xMotivo').join(), /^Rejeicao: Consumo Indevido \(Deve ser utilizado o ultNSU/)
  national().pass(HOUR)
  assert.equal(codeOf(await last(0)), '137')
  assert.equal(codeOf(await ask(`<consNSU><NSU>${'0'.repeat(14)}9</NSU></consNSU>`)), '589')
})

test('both versions of SOAP are understood, each answered in itself', async () => {
  const body = inDistribution(distDFeInt(holderOf('estranho'), byKey(national().keyOf('estranho'))), '1.1')
  const ask = (action: string) =>
    national().ask(WWW1, {
      path: DISTRIBUTION.path,
      body,
      certificate: 'nfe-estranho',
      headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${action}"` },
    })
  const reply = await ask(`${DISTRIBUTION.wsdl}/nfeDistDFeInteresse`)
  assert.match(reply.headers['content-type'] ?? '', /^text\/xml/)
  assert.match(reply.text, /schemas\.xmlsoap\.org\/soap\/envelope/)
  assert.equal(codeOf(reply), '640')
  assert.equal((await ask('urn:other')).status, 500)
})

test('the certificate is asked for in the handshake: without one there is only a page', async () => {
  for (const certificate of [null, 'vencido', 'outra-cadeia', 'sem-titular'])
    assert.equal((await national().distribute('', { certificate })).status, 403)
})

test('homologation has its own environment', async () => {
  const message = distDFeInt(holderOf('estranho'), byKey(national().keyOf('estranho')), '2')
  const reply = await national().distribute(message, {
    host: 'hom1.nfe.fazenda.gov.br',
    certificate: 'nfe-estranho',
  })
  assert.equal(read(reply).text('tpAmb').join(), '2')
  assert.equal(codeOf(reply), '640')
})
