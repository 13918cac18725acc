import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dvDaChave } from '../../simulator/nfe/nota.ts'
import {
  brasilia,
  CONFIRMATION,
  DAY,
  HOUR,
  holderOf,
  MINUTE,
  NFE,
  openEventos,
  UNDONE,
} from '../kit/simulator-nacional.ts'

const { national, read, codesOf, register, signed, send } = openEventos()

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
    assert.equal(codesOf(await national().send(message)), code, message.slice(0, 200))
})

test('a lot holds up to 20 events, each with its own answer', async () => {
  const keys = Array.from({ length: 21 }, (_, i) => national().keyOf('ciencia-anterior', (i + 1) * HOUR))
  const events = await Promise.all(
    keys.map((chave) =>
      national().sign(
        national().event('ciencia-anterior', { chave, ...CONFIRMATION }),
        'nfe-ciencia-anterior',
      ),
    ),
  )
  assert.equal(codesOf(await national().send(events.join(''))), '225')
  const reply = await national().send(events.slice(0, 20).join(''))
  assert.equal(codesOf(reply), ['128', ...Array(20).fill('135')].join(' '))
  assert.deepEqual(read(reply).text('chNFe'), keys.slice(0, 20))
})

test('what an event says is checked before what it is about', async () => {
  const chave = national().keyOf('nao-realizada')
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
    ['578', { dhEvento: brasilia(new Date(national().now().getTime() + 5 * MINUTE + 1000)) }],
    ['577', { dhEvento: brasilia(new Date(national().now().getTime() - 3 * DAY - 1000)) }],
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
  const other = await national().sign(
    national().event('nao-realizada', { chave: national().keyOf('nao-realizada', 2 * DAY) }),
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
