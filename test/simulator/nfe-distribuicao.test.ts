import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { brasilia, byKey, DAY, holderOf, openDistribuicao } from '../kit/simulator-nacional.ts'

const { national, schemas, read, codeOf, documentOf, outcomeOf, askFor } = openDistribuicao()

test('a recipient that has not manifested gets the summary, as captured answers give it', async () => {
  const key = national().keyOf('ciencia')
  const reply = await national().query('ciencia', key)
  const answer = read(reply)
  assert.equal(answer.text('xMotivo').join(), 'Documento localizado')
  assert.equal(answer.text('verAplic').join(), '1.7.6')
  assert.equal(answer.text('dhResp').join(), brasilia(national().now()))
  assert.doesNotMatch(reply.text, /ultNSU|maxNSU|NSU=/)
  assert.match(reply.text, /<docZip schema="resNFe_v1\.01\.xsd">H4sI/)
  assert.match(
    reply.text,
    /<nfeDistDFeInteresseResponse xmlns="[^"]*"><nfeDistDFeInteresseResult><retDistDFeInt/,
  )
  const summary = documentOf(reply)
  assert.equal(schemas().summary.problem(summary), undefined)
  assert.ok(summary.includes(`<chNFe>${key}</chNFe>`) && summary.includes('<cSitNFe>1</cSitNFe>'))
})

test('a recipient gets the whole note after Ciência, Confirmação or Operação não Realizada, not after Desconhecimento', async () => {
  for (const name of ['ciencia-anterior', 'nao-realizada']) {
    const reply = await national().query(name)
    assert.equal(outcomeOf(reply), '138 procNFe', name)
    assert.equal(schemas().note.problem(documentOf(reply)), undefined)
  }
  assert.equal(outcomeOf(await national().query('desconhecida')), '138 resNFe')
})

test('an event registered by the other service releases the note, at once or after some looks', async () => {
  for (const [name, looks] of [
    ['ciencia', 0],
    ['ciencia-demorada', 3],
  ] as const) {
    const chave = national().keyOf(name)
    assert.equal(outcomeOf(await national().query(name, chave)), '138 resNFe')
    await national().register(name, { chave })
    for (let i = 0; i < looks; i++) assert.equal(outcomeOf(await national().query(name, chave)), '138 resNFe')
    assert.equal(outcomeOf(await national().query(name, chave)), '138 procNFe', name)
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
    const reply = await askFor(holderOf(name), byKey(national().keyOf(name)), certificate)
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
      read(await national().query(name))
        .text('xMotivo')
        .join(),
      words,
    )
})

test('a note is there for 90 days since it was received, to the second', async () => {
  const age = (days: number, ms = 0) =>
    national().query('ciencia', national().keyOf('ciencia', days * DAY + ms))
  assert.equal(codeOf(await age(90)), '138')
  assert.equal(codeOf(await age(90, 1000)), '632')
  assert.equal(codeOf(await national().query('seis-meses')), '138')
})

test('a cancelled or denied note may still be summed up', async () => {
  assert.ok(documentOf(await national().query('resumo-cancelada')).includes('<cSitNFe>3</cSitNFe>'))
  assert.ok(documentOf(await national().query('resumo-denegada')).includes('<cSitNFe>2</cSitNFe>'))
})

test('a scenario may answer any code, on every query or after an event', async () => {
  for (const name of ['108', '215', '593', '618', '656', '777', '999'] as const) {
    const scenario = name === '656' ? 'limite' : name
    assert.equal(codeOf(await national().query(scenario)), name)
  }
  const chave = national().keyOf('consulta-seguinte-108')
  assert.equal(codeOf(await national().query('consulta-seguinte-108', chave)), '138')
  await national().register('consulta-seguinte-108', { chave })
  assert.equal(codeOf(await national().query('consulta-seguinte-108', chave)), '108')
})

test('what a scenario does wrong its certificate does with any key, be it of no note', async () => {
  const other = national().keyOf('ciencia-anterior')
  const foreign = `35260811222333000181550010000000011123456787`
  for (const key of [other, foreign]) {
    assert.equal((await national().query('html-503', key)).status, 503)
    assert.match((await national().query('fault-11', key)).text, /<faultstring>/)
    await assert.rejects(national().query('queda', key), { code: 'ECONNRESET' })
    assert.equal(codeOf(await national().query('108', key)), '108')
  }
  assert.match((await national().query('envelope-11', foreign)).text, /<SOAP-ENV:Body>.*<cStat>217</)
  assert.equal(
    codeOf(await national().query('estranho', national().keyOf('109'))),
    '109',
    'and the key with any certificate',
  )
})

test('a limited holder is told what was seen, whatever its key', async () => {
  const limited = read(await national().query('limite'))
  assert.equal(
    limited.text('xMotivo').join(),
    'Rejeicao: Consumo Indevido (Ultrapassou o limite de 20 consultas por hora)',
  )
})

test('a scenario may send a document that is not what it should be', async () => {
  const documentIn = async (name: string): Promise<string> => {
    const { text } = await national().query(name)
    return /<docZip[^>]*>([^<]*)/.exec(text)?.[1] ?? ''
  }
  assert.equal(await documentIn('documento-vazio'), '')
  assert.doesNotMatch(await documentIn('base64-ruim'), /^[A-Za-z0-9+/=]*$/)
  const cut = await documentIn('gzip-cortado')
  assert.throws(() => gunzipSync(Buffer.from(cut, 'base64')), { code: 'Z_BUF_ERROR' })
  const key = national().keyOf('outra-chave')
  assert.ok(!documentOf(await national().query('outra-chave', key)).includes(key))
  assert.match(documentOf(await national().query('sem-protocolo')), /^<\?xml[^>]*><nfeProc(?!.*protNFe)/)
  assert.doesNotMatch(documentOf(await national().query('outra-raiz')), /<resNFe|<nfeProc/)
})

test('a scenario may misbehave on the wire', async () => {
  assert.equal((await national().query('html-403')).status, 403)
  assert.match((await national().query('fault-11')).text, /<faultstring>/)
  assert.match((await national().query('envelope-11')).text, /<SOAP-ENV:Body>/)
  assert.equal((await national().query('vazia')).body.length, 0)
  for (const name of ['queda', 'queda-no-meio'])
    await assert.rejects(national().query(name), { code: 'ECONNRESET' })
  await assert.rejects(national().query('tls'), { code: /^ERR_SSL_/ })
})
