import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { dvDaChave } from '../../simulator/nfe/chave.ts'
import type { Reply } from './authority.ts'
import {
  brasilia,
  DAY,
  DISTRIBUTION,
  distDFeInt,
  HOUR,
  holderOf,
  inDistribution,
  type National,
  startNational,
  WWW1,
} from './nacional.ts'
import { cutOut, openSchema, type Schema } from './schema.ts'

let national: National
let schemas: { answer: Schema; summary: Schema; note: Schema }

before(async () => {
  national = await startNational()
  schemas = {
    answer: openSchema('retDistDFeInt_v1.01.xsd'),
    summary: openSchema('resNFe_v1.01.xsd'),
    note: openSchema('procNFe_v4.00.xsd'),
  }
})
after(async () => {
  for (const schema of Object.values(schemas)) schema.dispose()
  await national.close()
})

/**
 * Reads the answer. The official schema takes it with the two elements that real answers by key leave out.
 */
function read(reply: Reply): ReturnType<typeof cutOut> {
  assert.equal(reply.status, 200)
  const answer = cutOut(reply.text, 'retDistDFeInt')
  const nsu = `<ultNSU>${'0'.repeat(15)}</ultNSU><maxNSU>${'0'.repeat(15)}</maxNSU>`
  const completed =
    answer.text('ultNSU').length > 0 ? answer.xml : answer.xml.replace(/<\/dhResp>/, `$&${nsu}`)
  assert.equal(schemas.answer.problem(completed), undefined)
  return answer
}

const codeOf = (reply: Reply): string => read(reply).text('cStat').join()

function documentOf(reply: Reply): string {
  return gunzipSync(Buffer.from(read(reply).text('docZip').join(), 'base64')).toString()
}

/** `cStat` and the kind of document, if any: `138 resNFe`. */
function outcomeOf(reply: Reply): string {
  const schema = /docZip schema="(\w+)_v/.exec(reply.text)?.[1] ?? ''
  return `${codeOf(reply)} ${schema}`.trim()
}

const askFor = (party: string, question: string, certificate: string) =>
  national.distribute(distDFeInt(party, question), { certificate })

const byKey = (key: string): string => `<consChNFe><chNFe>${key}</chNFe></consChNFe>`

test('a recipient that has not manifested gets the summary, as captured answers give it', async () => {
  const key = national.keyOf('ciencia')
  const reply = await national.query('ciencia', key)
  const answer = read(reply)
  assert.equal(answer.text('xMotivo').join(), 'Documento localizado')
  assert.equal(answer.text('verAplic').join(), '1.7.6')
  assert.equal(answer.text('dhResp').join(), brasilia(national.now()))
  assert.doesNotMatch(reply.text, /ultNSU|maxNSU|NSU=/)
  assert.match(reply.text, /<docZip schema="resNFe_v1\.01\.xsd">H4sI/)
  assert.match(
    reply.text,
    /<nfeDistDFeInteresseResponse xmlns="[^"]*"><nfeDistDFeInteresseResult><retDistDFeInt/,
  )
  const summary = documentOf(reply)
  assert.equal(schemas.summary.problem(summary), undefined)
  assert.ok(summary.includes(`<chNFe>${key}</chNFe>`) && summary.includes('<cSitNFe>1</cSitNFe>'))
})

test('a recipient gets the whole note after Ciência, Confirmação or Operação não Realizada, not after Desconhecimento', async () => {
  for (const name of ['ciencia-anterior', 'nao-realizada']) {
    const reply = await national.query(name)
    assert.equal(outcomeOf(reply), '138 procNFe', name)
    assert.equal(schemas.note.problem(documentOf(reply)), undefined)
  }
  assert.equal(outcomeOf(await national.query('desconhecida')), '138 resNFe')
})

test('an event registered by the other service releases the note, at once or after some looks', async () => {
  for (const [name, looks] of [
    ['ciencia', 0],
    ['ciencia-demorada', 3],
  ] as const) {
    const chave = national.keyOf(name)
    assert.equal(outcomeOf(await national.query(name, chave)), '138 resNFe')
    await national.register(name, { chave })
    for (let i = 0; i < looks; i++) assert.equal(outcomeOf(await national.query(name, chave)), '138 resNFe')
    assert.equal(outcomeOf(await national.query(name, chave)), '138 procNFe', name)
  }
})

test('who is what on the note decides who gets it', async () => {
  for (const [name, outcome] of [
    ['transportador', '138 procNFe'],
    ['autorizado', '138 procNFe'],
    ['pessoa', '138 resNFe'],
    ['letras', '138 procNFe'],
    ['emitente', '641'],
    ['estranho', '640'],
    ['filial', '640'],
    ['inexistente', '217'],
    ['nao-localizada', '137'],
    ['cancelada', '653'],
    ['denegada', '654'],
  ] as const) {
    const certificate = name === 'letras' ? 'alfanumerico' : `nfe-${name}`
    const reply = await askFor(holderOf(name), byKey(national.keyOf(name)), certificate)
    assert.equal(outcomeOf(reply), outcome, name)
  }
})

test('words are those of captured answers, without accents', async () => {
  for (const [name, words] of [
    ['estranho', 'Rejeicao: CNPJ/CPF do interessado nao possui permissao para consultar esta NF-e'],
    ['emitente', 'Rejeicao: NF-e indisponivel para o emitente'],
    ['nao-localizada', 'Nenhum documento localizado'],
    ['fora-prazo', 'Rejeicao: Solicitacao fora de prazo, a NF-e nao esta mais disponivel para download'],
  ] as const)
    assert.equal(
      read(await national.query(name))
        .text('xMotivo')
        .join(),
      words,
    )
})

test('a note is there for 90 days since it was received, to the second', async () => {
  const age = (days: number, ms = 0) => national.query('ciencia', national.keyOf('ciencia', days * DAY + ms))
  assert.equal(codeOf(await age(90)), '138')
  assert.equal(codeOf(await age(90, 1000)), '632')
  assert.equal(codeOf(await national.query('seis-meses')), '138')
})

test('a cancelled or denied note may still be summed up', async () => {
  assert.ok(documentOf(await national.query('resumo-cancelada')).includes('<cSitNFe>3</cSitNFe>'))
  assert.ok(documentOf(await national.query('resumo-denegada')).includes('<cSitNFe>2</cSitNFe>'))
})

test('a message that is wrong in form is refused with its own code', async () => {
  const right = distDFeInt(holderOf('ciencia'), byKey(national.keyOf('ciencia')))
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
    const reply = await national.distribute(message, { certificate: 'nfe-ciencia' })
    assert.equal(codeOf(reply), code, message.slice(0, 200))
  }
})

test('an encoding other than UTF-8 is 402', async () => {
  const headers = { 'content-type': 'application/soap+xml; charset=iso-8859-1' }
  assert.equal(codeOf(await national.distribute('', { headers })), '402')
})

test('a message that is no XML gets HTTP 400 without a body: a declaration in the middle, an attribute said twice', async () => {
  const right = distDFeInt(holderOf('ciencia'), byKey(national.keyOf('ciencia')))
  for (const message of [
    `<?xml version="1.0" encoding="UTF-8"?>${right}`,
    right.replace(' versao=', ' versao="1.01" versao='),
    right.replace('</tpAmb>', ''),
  ]) {
    const reply = await national.distribute(message, { certificate: 'nfe-ciencia' })
    assert.deepEqual([reply.status, reply.text], [400, ''], message.slice(0, 80))
  }
})

test('the interested party is that of the certificate, or of the same root', async () => {
  const question = byKey(national.keyOf('ciencia'))
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
  const right = national.keyOf('nao-realizada').slice(0, 43)
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
    assert.equal(codeOf(await national.query('nao-realizada', key)), code, key)
})

test('the 21st query of an hour is undue consumption; each one more starts the hour again', async () => {
  const ask = async () => codeOf(await national.query('ciencia-segunda-consulta'))
  for (let i = 0; i < 20; i++) assert.equal(await ask(), '138')
  const refused = read(await national.query('ciencia-segunda-consulta'))
  assert.equal(refused.text('cStat').join(), '656')
  assert.equal(
    refused.text('xMotivo').join(),
    'Rejeicao: Consumo Indevido (Ultrapassou o limite de 20 consultas por hora)',
  )
  assert.equal(codeOf(await national.query('ciencia-repetida')), '138', 'another holder is not concerned')
  national.pass(HOUR - 1000)
  assert.equal(await ask(), '656')
  national.pass(HOUR - 1000)
  assert.equal(await ask(), '656')
  national.pass(HOUR)
  assert.equal(await ask(), '138')
})

test('twenty queries spread over more than an hour are not too many', async () => {
  const codes: string[] = []
  for (let i = 0; i < 42; i++) {
    codes.push(codeOf(await national.query('conclusiva-anterior')))
    national.pass(HOUR / 20)
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
  national.pass(HOUR)
  assert.equal(codeOf(await last(0)), '137')
  assert.equal(codeOf(await ask(`<consNSU><NSU>${'0'.repeat(14)}9</NSU></consNSU>`)), '589')
})

test('both versions of SOAP are understood, each answered in itself', async () => {
  const body = inDistribution(distDFeInt(holderOf('estranho'), byKey(national.keyOf('estranho'))), '1.1')
  const ask = (action: string) =>
    national.ask(WWW1, {
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
    assert.equal((await national.distribute('', { certificate })).status, 403)
})

test('homologation has its own environment', async () => {
  const message = distDFeInt(holderOf('estranho'), byKey(national.keyOf('estranho')), '2')
  const reply = await national.distribute(message, {
    host: 'hom1.nfe.fazenda.gov.br',
    certificate: 'nfe-estranho',
  })
  assert.equal(read(reply).text('tpAmb').join(), '2')
  assert.equal(codeOf(reply), '640')
})

test('a scenario may answer any code, on every query or after an event', async () => {
  for (const name of ['108', '215', '593', '618', '656', '777', '999'] as const) {
    const scenario = name === '656' ? 'limite' : name
    assert.equal(codeOf(await national.query(scenario)), name)
  }
  const chave = national.keyOf('consulta-seguinte-108')
  assert.equal(codeOf(await national.query('consulta-seguinte-108', chave)), '138')
  await national.register('consulta-seguinte-108', { chave })
  assert.equal(codeOf(await national.query('consulta-seguinte-108', chave)), '108')
})

test('what a scenario does wrong its certificate does with any key, be it of no note', async () => {
  const other = national.keyOf('ciencia-anterior')
  const foreign = `35260811222333000181550010000000011123456787`
  for (const key of [other, foreign]) {
    assert.equal((await national.query('html-503', key)).status, 503)
    assert.match((await national.query('fault-11', key)).text, /<faultstring>/)
    await assert.rejects(national.query('queda', key), { code: 'ECONNRESET' })
    assert.equal(codeOf(await national.query('108', key)), '108')
  }
  assert.match((await national.query('envelope-11', foreign)).text, /<SOAP-ENV:Body>.*<cStat>217</)
  assert.equal(
    codeOf(await national.query('estranho', national.keyOf('109'))),
    '109',
    'and the key with any certificate',
  )
})

test('a limited holder is told what was seen, whatever its key', async () => {
  const limited = read(await national.query('limite'))
  assert.equal(
    limited.text('xMotivo').join(),
    'Rejeicao: Consumo Indevido (Ultrapassou o limite de 20 consultas por hora)',
  )
})

test('a scenario may send a document that is not what it should be', async () => {
  const documentIn = async (name: string): Promise<string> => {
    const { text } = await national.query(name)
    return /<docZip[^>]*>([^<]*)/.exec(text)?.[1] ?? ''
  }
  assert.equal(await documentIn('documento-vazio'), '')
  assert.doesNotMatch(await documentIn('base64-ruim'), /^[A-Za-z0-9+/=]*$/)
  const cut = await documentIn('gzip-cortado')
  assert.throws(() => gunzipSync(Buffer.from(cut, 'base64')), { code: 'Z_BUF_ERROR' })
  const key = national.keyOf('outra-chave')
  assert.ok(!documentOf(await national.query('outra-chave', key)).includes(key))
  assert.match(documentOf(await national.query('sem-protocolo')), /^<\?xml[^>]*><nfeProc(?!.*protNFe)/)
  assert.doesNotMatch(documentOf(await national.query('outra-raiz')), /<resNFe|<nfeProc/)
})

test('a scenario may misbehave on the wire', async () => {
  assert.equal((await national.query('html-403')).status, 403)
  assert.match((await national.query('fault-11')).text, /<faultstring>/)
  assert.match((await national.query('envelope-11')).text, /<SOAP-ENV:Body>/)
  assert.equal((await national.query('vazia')).body.length, 0)
  for (const name of ['queda', 'queda-no-meio'])
    await assert.rejects(national.query(name), { code: 'ECONNRESET' })
  await assert.rejects(national.query('tls'), { code: /^ERR_SSL_/ })
})
