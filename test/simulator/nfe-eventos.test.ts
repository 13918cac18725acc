import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  brasilia,
  CONFIRMATION,
  DAY,
  DISOWNING,
  EVENTS,
  HOUR,
  holderOf,
  openEventos,
  UNDONE,
  WWW,
} from '../kit/simulator-nacional.ts'

const { national, read, codesOf, register } = openEventos()

test('an event that is right is registered, and answered as captured answers are', async () => {
  const chave = national().keyOf('ciencia')
  const reply = await national().register('ciencia', { chave })
  assert.match(reply.text, new RegExp(`<nfeRecepcaoEventoNFResult xmlns="${EVENTS.wsdl}"><retEnvEvento`))
  const { text } = read(reply)
  assert.equal(text('idLote').join(), '7')
  assert.deepEqual(text('cStat'), ['128', '135'])
  assert.deepEqual(text('xMotivo'), ['Lote de evento processado', 'Evento registrado e vinculado a NF-e'])
  assert.match(text('nProt').join(), new RegExp(`^891${brasilia(national().now()).slice(2, 4)}\\d{10}$`))
  assert.ok(reply.text.includes(`<infEvento Id="ID${text('nProt')[0]}">`))
  assert.equal(text('dhRegEvento').join(), brasilia(national().now()))
  assert.equal(text('xEvento').join(), 'Ciencia da Operacao')
  assert.equal(`<CNPJ>${text('CNPJDest')[0]}</CNPJ>`, holderOf('ciencia'))
})

test('what is refused has neither number nor recipient', async () => {
  const reply = await register('ciencia-fora-prazo')
  assert.equal(codesOf(reply), '128 596')
  assert.equal(
    read(reply).text('xMotivo')[1],
    'Rejeicao: Evento apresentado apos o prazo permitido para o evento: [10 dias]',
  )
  assert.doesNotMatch(reply.text, /nProt|CNPJDest|infEvento Id/)
})

test('the recipient may confirm, disown and say that it was not done, each twice, and take notice before that alone', async () => {
  const age = { chave: national().keyOf('ciencia', 5 * DAY) }
  for (const [said, codes] of [
    [{}, '128 135'],
    [{}, '128 573'],
    [CONFIRMATION, '128 135'],
    [DISOWNING, '128 135'],
    [UNDONE, '128 135'],
    [CONFIRMATION, '128 573'],
    [{ ...CONFIRMATION, nSeqEvento: '2' }, '128 135'],
    [{ ...CONFIRMATION, nSeqEvento: '3' }, '128 594'],
    [{ nSeqEvento: '2' }, '128 594'],
  ] as const)
    assert.equal(codesOf(await register('ciencia', { ...age, ...said })), codes, JSON.stringify(said))
  assert.equal(codesOf(await register('conclusiva-anterior')), '128 655')
})

test('a person manifests with its own certificate', async () => {
  const { text } = read(await register('pessoa'))
  assert.deepEqual(text('cStat'), ['128', '135'])
  assert.equal(`<CPF>${text('CPFDest')[0]}</CPF>`, holderOf('pessoa'))
})

test('the windows are 10 days for the Ciência and 90 for the others, to the second', async () => {
  for (const [said, days] of [
    [{}, 10],
    [CONFIRMATION, 90],
    [DISOWNING, 90],
    [UNDONE, 90],
  ] as const) {
    const aged = (ms: number) => ({ ...said, chave: national().keyOf('ciencia', days * DAY + ms) })
    assert.equal(codesOf(await register('ciencia', aged(0))), '128 135')
    const late = await register('ciencia', aged(1000))
    assert.equal(codesOf(late), '128 596')
    assert.ok(late.text.includes(`[${days} dias]`))
  }
})

test('an event on a note that the environment does not have is registered without it', async () => {
  for (const name of ['nao-localizada', 'inexistente']) assert.equal(codesOf(await register(name)), '128 136')
})

test('a cancelled or denied note takes neither Ciência nor Desconhecimento', async () => {
  for (const name of ['cancelada', 'denegada']) {
    assert.equal(codesOf(await register(name)), '128 650')
    assert.equal(codesOf(await register(name, DISOWNING)), '128 651')
    assert.equal(codesOf(await register(name, CONFIRMATION)), '128 135')
  }
})

test('the service’s own host asks for the certificate on this path, by renegotiation', async () => {
  const event = await national().sign(
    national().event('ciencia', { chave: national().keyOf('ciencia', 8 * DAY) }),
    'nfe-ciencia',
  )
  assert.equal((await national().send(event, { host: WWW, certificate: null })).status, 403)
  assert.equal((await national().send(event, { host: WWW, certificate: 'vencido' })).status, 403)
  assert.equal(codesOf(await national().send(event, { host: WWW })), '128 135')
})

test('the wrapper is that of the national environment; the action of the states, which public clients send, does no harm', async () => {
  const type = 'application/soap+xml; charset=utf-8'
  const ask = (operation: string) =>
    national().send('', { headers: { 'content-type': `${type}; action="${EVENTS.wsdl}/${operation}"` } })
  assert.equal((await ask('nfeRecepcaoEvento')).status, 200)
  assert.equal((await ask('nfeRecepcaoEventoNF')).status, 200)
})

test('a scenario may answer any code; what concerns the whole service comes as the code of the lot', async () => {
  assert.equal(codesOf(await register('ciencia-494')), '128 494')
  assert.equal(codesOf(await register('ciencia-136')), '128 136')
  assert.equal(codesOf(await register('ciencia-136')), '128 573')
  assert.equal(codesOf(await register('ciencia-656')), '656')
  assert.equal(codesOf(await register('ciencia-108')), '108')
  assert.equal(codesOf(await register('confirmacao-rejeitada', CONFIRMATION)), '128 494')
})

test('what a scenario does wrong with an event its certificate does with any key', async () => {
  const chave = national().keyOf('nao-realizada', 5 * HOUR)
  assert.equal(codesOf(await national().register('ciencia-108', { chave })), '108')
  assert.equal(
    codesOf(await national().register('confirmacao-rejeitada', { chave, ...CONFIRMATION })),
    '128 494',
  )
  await assert.rejects(national().register('ciencia-queda', { chave }), { code: 'ECONNRESET' })
})

test('an event may be registered and its answer never arrive, or never get to the service', async () => {
  await assert.rejects(register('ciencia-sem-resposta'), { code: 'ECONNRESET' })
  assert.equal(codesOf(await register('ciencia-sem-resposta')), '128 573')
  await assert.rejects(register('ciencia-queda'), { code: 'ECONNRESET' })
  await assert.rejects(register('ciencia-queda'), { code: 'ECONNRESET' })
  assert.match((await register('ciencia-fault')).text, /Fault>/)
})

test('more than twenty equal refusals in an hour close the service to the sender for one', async () => {
  const event = await national().sign(
    national().event('limite-estranho', { chave: national().keyOf('limite-estranho') }),
    'nfe-limite-estranho',
  )
  const ask = async () => codesOf(await national().send(event, { certificate: 'nfe-limite-estranho' }))
  for (let i = 0; i < 21; i++) assert.equal(await ask(), '128 575')
  assert.equal(await ask(), '656')
  national().pass(HOUR)
  assert.equal(await ask(), '128 575')
})
