import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dvDaChave } from '../../simulator/nfe/chave.ts'
import type { Reply } from './authority.ts'
import { NFE } from './consulta.ts'
import {
  brasilia,
  DAY,
  EVENTS,
  HOUR,
  holderOf,
  MINUTE,
  type National,
  type Said,
  startNational,
  WWW,
} from './nacional.ts'
import { cutOut, openSchema, type Schema } from './schema.ts'

let national: National
let schema: Schema

before(async () => {
  national = await startNational()
  schema = openSchema('retEnvConfRecebto_v1.00.xsd')
})
after(async () => {
  schema.dispose()
  await national.close()
})

/** Reads the answer, and checks it against the official schema. */
function read(reply: Reply): ReturnType<typeof cutOut> {
  assert.equal(reply.status, 200, reply.text)
  const answer = cutOut(reply.text, 'retEnvEvento')
  assert.equal(schema.problem(answer.xml), undefined, answer.xml)
  return answer
}

/** The codes of the lot and of its events: `128 135`. */
const codesOf = (reply: Reply): string => read(reply).text('cStat').join(' ')

/**
 * Registers a scenario's event, with another key or other parts if given. The clock stands still, so the key
 * is the same each time.
 */
const register = (name: string, said: Partial<Said> = {}): Promise<Reply> =>
  national.register(name, { chave: national.keyOf(name), ...said })

const CONFIRMATION = { tpEvento: '210200' }
const DISOWNING = { tpEvento: '210220' }
const UNDONE = {
  tpEvento: '210240',
  detEvento: '<descEvento>Operacao nao Realizada</descEvento><xJust>Mercadoria não entregue</xJust>',
}

/** A signed Ciência of the scenario `nao-realizada`, which no other test registers. */
const signed = (file = 'nfe-nao-realizada', said: Partial<Said> = {}): Promise<string> =>
  national.sign(national.event('nao-realizada', { chave: national.keyOf('nao-realizada'), ...said }), file)

const send = async (event: string): Promise<string> =>
  codesOf(await national.send(event, { certificate: 'nfe-nao-realizada' }))

test('an event that is right is registered, and answered as captured answers are', async () => {
  const chave = national.keyOf('ciencia')
  const reply = await national.register('ciencia', { chave })
  assert.match(reply.text, new RegExp(`<nfeRecepcaoEventoNFResult xmlns="${EVENTS.wsdl}"><retEnvEvento`))
  const { text } = read(reply)
  assert.equal(text('idLote').join(), '7')
  assert.deepEqual(text('cStat'), ['128', '135'])
  assert.deepEqual(text('xMotivo'), ['Lote de evento processado', 'Evento registrado e vinculado a NF-e'])
  assert.match(text('nProt').join(), new RegExp(`^891${brasilia(national.now()).slice(2, 4)}\\d{10}$`))
  assert.ok(reply.text.includes(`<infEvento Id="ID${text('nProt')[0]}">`))
  assert.equal(text('dhRegEvento').join(), brasilia(national.now()))
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
  const age = { chave: national.keyOf('ciencia', 5 * DAY) }
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
    const aged = (ms: number) => ({ ...said, chave: national.keyOf('ciencia', days * DAY + ms) })
    assert.equal(codesOf(await register('ciencia', aged(0))), '128 135')
    const late = await register('ciencia', aged(1000))
    assert.equal(codesOf(late), '128 596')
    assert.ok(late.text.includes(`[${days} dias]`))
  }
})

test('a message that is wrong in form is refused as a whole', async () => {
  const event = await signed()
  const lot = `<envEvento xmlns="${NFE}" versao="1.00"><idLote>7</idLote>${event}</envEvento>`
  for (const [code, message] of [
    ['404', lot.replace('<idLote>', '<n:idLote xmlns:n="urn:n">').replace('</idLote>', '</n:idLote>')],
    ['587', lot.replace('<envEvento', '<envEvento xmlns:n="urn:n"')],
    ['587', lot.replace('<cOrgao>', '<cOrgao xmlns="http://www.w3.org/2000/09/xmldsig#">')],
    ['588', lot.replace('<cOrgao>', '\n<cOrgao>')],
    ['225', lot.replace('<cOrgao>91', '\n<cOrgao>10')],
    ['516', lot.replaceAll('envEvento', 'envEventos')],
    ['517', lot.replace(' versao="1.00"><idLote', '><idLote')],
    ['225', lot.replace('versao="1.00"><idLote', 'versao="2.00"><idLote')],
    ['225', lot.replace('<idLote>7', '<idLote>sete')],
    ['225', lot.replace(event, '')],
    ['225', lot.replace(event, event + event)],
    ['225', lot.replace('<tpAmb>1', '<tpAmb>3')],
    ['225', lot.replace('-03:00</dhEvento>', 'Z</dhEvento>')],
    ['225', lot.replace('-03:00</dhEvento>', '-03:30</dhEvento>')],
    ['225', lot.replace(/<dhEvento>[^T]*/, '<dhEvento>2026-02-30')],
    ['225', lot.replace(/<dhEvento>[^T]*/, '<dhEvento>2026-13-01')],
    ['225', lot.replace(/<Signature[\s\S]*<\/Signature>/, '')],
    ['225', lot.replace('<verEvento>', '<other>x</other><verEvento>')],
    ['225', lot.replace('Id="ID', 'Id="id')],
  ] as const)
    assert.equal(codesOf(await national.send(message)), code, message.slice(0, 200))
})

test('a lot holds up to 20 events, each with its own answer', async () => {
  const keys = Array.from({ length: 21 }, (_, i) => national.keyOf('ciencia-anterior', (i + 1) * HOUR))
  const events = await Promise.all(
    keys.map((chave) =>
      national.sign(national.event('ciencia-anterior', { chave, ...CONFIRMATION }), 'nfe-ciencia-anterior'),
    ),
  )
  assert.equal(codesOf(await national.send(events.join(''))), '225')
  const reply = await national.send(events.slice(0, 20).join(''))
  assert.equal(codesOf(reply), ['128', ...Array(20).fill('135')].join(' '))
  assert.deepEqual(read(reply).text('chNFe'), keys.slice(0, 20))
})

test('what an event says is checked before what it is about', async () => {
  const chave = national.keyOf('nao-realizada')
  const model = `${chave.slice(0, 20)}57${chave.slice(22, 43)}`
  const offline = `${chave.slice(0, 34)}9${chave.slice(35, 43)}`
  const twoDescriptions =
    '<descEvento>Ciencia da Operacao</descEvento><xJust>uma justificativa qualquer</xJust>'
  for (const [code, said] of [
    ['491', { tpEvento: '110111' }],
    ['492', { verEvento: '2.00' }],
    ['493', { detEvento: '<descEvento>Ciência da Operação</descEvento>' }],
    ['493', { detEvento: twoDescriptions }],
    ['493', { ...UNDONE, detEvento: '<descEvento>Operacao nao Realizada</descEvento><xJust>curta</xJust>' }],
    ['213', { autor: holderOf('ciencia') }],
    ['227', { autor: holderOf('pessoa') }],
    ['572', { id: `ID210200${chave}01` }],
    ['250', { cOrgao: '35' }],
    ['252', { tpAmb: '2' }],
    ['236', { chave: chave.slice(0, 43) + ((Number(chave[43]) + 1) % 10) }],
    ['618', { chave: model + dvDaChave(model) }],
    ['578', { dhEvento: brasilia(new Date(national.now().getTime() + 5 * MINUTE + 1000)) }],
    ['577', { dhEvento: brasilia(new Date(national.now().getTime() - 3 * DAY - 1000)) }],
    ['595', { ...UNDONE, nSeqEvento: '2', detEvento: '<descEvento>Operacao nao Realizada</descEvento>' }],
    ['496', { chave: offline + dvDaChave(offline) }],
  ] as const)
    assert.equal(await send(await signed('nfe-nao-realizada', said)), `128 ${code}`, JSON.stringify(said))
})

test('the author is the recipient by its whole number, whoever of its root signs', async () => {
  assert.equal(codesOf(await register('estranho')), '128 575')
  assert.equal(codesOf(await register('filial')), '128 575')
})

test('an event that was touched after it was signed does not have the signature of what was sent', async () => {
  const event = await signed()
  const touched = [
    event.replace(/-03:00<\/dhEvento>/, '-02:00</dhEvento>'),
    event.replace(/<DigestValue>..../, '<DigestValue>AAAA'),
    event.replace(/<SignatureValue>..../, '<SignatureValue>AAAA'),
    event.replace('<nSeqEvento>1<', '<nSeqEvento>01<'),
  ]
  for (const message of touched) assert.equal(await send(message), '128 297', message)
  const other = await national.sign(
    national.event('nao-realizada', { chave: national.keyOf('nao-realizada', 2 * DAY) }),
    'nfe-nao-realizada',
  )
  const signature = /<Signature[\s\S]*<\/Signature>/
  assert.equal(await send(event.replace(signature, signature.exec(other)?.[0] ?? '')), '128 298')
})

test('a signature has one form only', async () => {
  const event = await signed()
  const reference = /<Reference[\s\S]*<\/Reference>/.exec(event)?.[0] ?? ''
  const sha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
  const enveloped = '<Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>'
  const c14n = '<Transform Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/>'
  for (const [what, message] of [
    ['another algorithm', event.replace('http://www.w3.org/2000/09/xmldsig#rsa-sha1', sha256)],
    ['one transform', event.replace(enveloped, '')],
    ['transforms the other way round', event.replace(enveloped + c14n, c14n + enveloped)],
    ['two references', event.replace(reference, reference + reference)],
    ['another element', event.replace(/URI="#ID[^"]*"/, 'URI="#other"')],
    ['the whole message', event.replace(/URI="#ID[^"]*"/, 'URI=""')],
    ['more in KeyInfo', event.replace('<X509Data>', '<KeyName>x</KeyName><X509Data>')],
    ['two certificates', event.replace('</X509Data>', '<X509Certificate>AAAA</X509Certificate></X509Data>')],
    ['no certificate', event.replace(/<X509Certificate>.*<\/X509Certificate>/, '')],
    ['something signed inside of it', event.replace('</KeyInfo>', '</KeyInfo><Object><infEvento/></Object>')],
  ] as const) {
    assert.notEqual(message, event, what)
    assert.equal(await send(message), '128 298', what)
  }
})

test('the certificate of a signature is in force, of the chain, and somebody’s', async () => {
  for (const [file, code] of [
    ['vencido', '291'],
    ['futuro', '291'],
    ['sem-titular', '292'],
    ['outra-cadeia', '293'],
    ['empresa', '213'],
    ['pessoa', '213'],
  ] as const)
    assert.equal(await send(await signed(file)), `128 ${code}`, file)
  const event = await signed()
  const broken = event.replace(/<X509Certificate>.{20}/, '<X509Certificate>')
  assert.equal(await send(broken), '128 290')
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
  const event = await national.sign(
    national.event('ciencia', { chave: national.keyOf('ciencia', 8 * DAY) }),
    'nfe-ciencia',
  )
  assert.equal((await national.send(event, { host: WWW, certificate: null })).status, 403)
  assert.equal((await national.send(event, { host: WWW, certificate: 'vencido' })).status, 403)
  assert.equal(codesOf(await national.send(event, { host: WWW })), '128 135')
})

test('the wrapper is that of the national environment; the action of the states, which public clients send, does no harm', async () => {
  const type = 'application/soap+xml; charset=utf-8'
  const ask = (operation: string) =>
    national.send('', { headers: { 'content-type': `${type}; action="${EVENTS.wsdl}/${operation}"` } })
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
  const chave = national.keyOf('nao-realizada', 5 * HOUR)
  assert.equal(codesOf(await national.register('ciencia-108', { chave })), '108')
  assert.equal(
    codesOf(await national.register('confirmacao-rejeitada', { chave, ...CONFIRMATION })),
    '128 494',
  )
  await assert.rejects(national.register('ciencia-queda', { chave }), { code: 'ECONNRESET' })
})

test('an event may be registered and its answer never arrive, or never get to the service', async () => {
  await assert.rejects(register('ciencia-sem-resposta'), { code: 'ECONNRESET' })
  assert.equal(codesOf(await register('ciencia-sem-resposta')), '128 573')
  await assert.rejects(register('ciencia-queda'), { code: 'ECONNRESET' })
  await assert.rejects(register('ciencia-queda'), { code: 'ECONNRESET' })
  assert.match((await register('ciencia-fault')).text, /Fault>/)
})

test('more than twenty equal refusals in an hour close the service to the sender for one', async () => {
  const event = await national.sign(
    national.event('limite-estranho', { chave: national.keyOf('limite-estranho') }),
    'nfe-limite-estranho',
  )
  const ask = async () => codesOf(await national.send(event, { certificate: 'nfe-limite-estranho' }))
  for (let i = 0; i < 21; i++) assert.equal(await ask(), '128 575')
  assert.equal(await ask(), '656')
  national.pass(HOUR)
  assert.equal(await ask(), '128 575')
})
