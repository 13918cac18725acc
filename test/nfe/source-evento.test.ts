import assert from 'node:assert/strict'
import { createHash, createPublicKey, generateKeyPairSync, verify, X509Certificate } from 'node:crypto'
import { after, before, test } from 'node:test'
import { SignedXml } from 'xml-crypto'
import type { DesfechoDoEvento } from '../../src/nfe/rules.ts'
import { registerEvento } from '../../src/nfe/source-evento.ts'
import type { A1, Titular } from '../../src/platform/wire/certificado.ts'
import {
  CHAVE,
  envelope,
  infEvento,
  NFE,
  OUTRA_CHAVE,
  retEvento,
  SOAP11,
  SOAP12,
  useNacional,
} from '../kit/nfe-steps.ts'
import { openSchema, type Schema } from '../kit/witnesses.ts'

const SERVICE = `${NFE}/wsdl/NFeRecepcaoEvento4`
const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const REGISTRADO = envelope(retEvento('128', infEvento('135', 'Evento registrado e vinculado a NF-e')))

const an = useNacional()
let schema: Schema
before(() => {
  schema = openSchema('envConfRecebto_v1.00.xsd')
})
after(() => schema.dispose())

type Pedido = Parameters<typeof registerEvento>[1]

function pedidoOf({ titular, key, cert }: A1, more: Partial<Pedido> = {}): Pedido {
  return { chave: CHAVE, evento: 'ciencia', autor: titular, key, cert, ...more }
}

/** Registers an event. Gives its outcome, and the lot as it was sent, as a document of its own. */
async function register(more: Partial<Pedido> = {}): Promise<{ desfecho: DesfechoDoEvento; lote: string }> {
  const desfecho = await registerEvento(await an.meios(), pedidoOf(await an.a1(), more))
  const [lote] = /<envEvento .*<\/envEvento>/s.exec(an.last().body) ?? []
  assert.ok(lote)
  return { desfecho, lote }
}

/** Whether the event is signed by the certificate that it carries, by the judgement of xml-crypto. */
function isSigned(lote: string): boolean {
  const [signature] = /<Signature .*<\/Signature>/s.exec(lote) ?? []
  assert.ok(signature)
  const signed = new SignedXml({ publicCert: new X509Certificate(leafOf(lote)).toString() })
  signed.loadSignature(signature)
  try {
    return signed.checkSignature(lote) && signed.getSignedReferences().length === 1
  } catch {
    return false
  }
}

const leafOf = (lote: string): Buffer =>
  Buffer.from(/<X509Certificate>(.*)<\/X509Certificate>/.exec(lote)?.[1] ?? '', 'base64')

test('the events fit the official schema and say what they are, with nothing between the tags', async () => {
  an.answers(REGISTRADO)
  const pessoa: Titular = { tipo: 'cpf', documento: '52998224725', nome: 'PESSOA' }
  const { titular } = await an.a1()
  for (const [evento, tpEvento, descEvento] of [
    ['ciencia', '210210', 'Ciencia da Operacao'],
    ['confirmacao', '210200', 'Confirmacao da Operacao'],
  ] as const) {
    for (const autor of [titular, pessoa]) {
      const { lote } = await register({ evento, autor })
      const tag = autor.tipo.toUpperCase()
      assert.equal(schema.problem(lote), undefined)
      assert.doesNotMatch(lote, />\s|\s<|&/)
      assert.equal(
        lote.replace(/<Signature.*<\/Signature>/, ''),
        `<envEvento xmlns="${NFE}" versao="1.00"><idLote>1786797296789</idLote><evento versao="1.00"><infEvento Id="ID${tpEvento}${CHAVE}01"><cOrgao>91</cOrgao><tpAmb>1</tpAmb><${tag}>${autor.documento}</${tag}><chNFe>${CHAVE}</chNFe><dhEvento>2026-08-15T09:34:56-03:00</dhEvento><tpEvento>${tpEvento}</tpEvento><nSeqEvento>1</nSeqEvento><verEvento>1.00</verEvento><detEvento versao="1.00"><descEvento>${descEvento}</descEvento></detEvento></infEvento></evento></envEvento>`,
      )
    }
  }
})

test("the operation is the national environment's own, at its address in each environment", async () => {
  an.answers(REGISTRADO)
  for (const [ambiente, host, tpAmb] of [
    ['producao', 'www.nfe.fazenda.gov.br', '1'],
    ['homologacao', 'hom1.nfe.fazenda.gov.br', '2'],
  ] as const) {
    for (const nome of ['pessoa', 'empresa']) {
      await registerEvento(await an.meios({ ambiente }, nome), pedidoOf(await an.a1(nome)))
      assert.equal(schema.problem(/<envEvento .*<\/envEvento>/s.exec(an.last().body)?.[0] ?? ''), undefined)
    }
    const { caminho, chamador, body, type, ...last } = an.last()
    assert.equal(last.host + caminho, `${host}/NFeRecepcaoEvento4/NFeRecepcaoEvento4.asmx`)
    assert.equal(type, `application/soap+xml; charset=utf-8; action="${SERVICE}/nfeRecepcaoEventoNF"`)
    assert.equal(chamador?.documento, (await an.a1()).titular.documento)
    assert.ok(body.includes(`<soap12:Body><nfeDadosMsg xmlns="${SERVICE}"><envEvento xmlns="${NFE}"`))
    assert.ok(body.includes(`xmlns:soap12="${SOAP12}"`) && body.includes(`<tpAmb>${tpAmb}</tpAmb>`))
  }
})

test('the signature verifies with xml-crypto, for files of every protection', async () => {
  an.answers(REGISTRADO)
  for (const nome of ['empresa', 'rc2-40', 'ca-primeiro', 'pessoa']) {
    const a1 = await an.a1(nome)
    const { titular, key, cert } = a1
    const { lote } = await register({ autor: titular, key, cert })
    assert.ok(isSigned(lote), nome)
    assert.equal(new X509Certificate(leafOf(lote)).fingerprint256, new X509Certificate(cert).fingerprint256)
  }
})

test('it verifies by hand: the digest of infEvento with its namespace, SignedInfo with its own', async () => {
  an.answers(REGISTRADO)
  const { lote } = await register()
  const [signed = ''] = /<infEvento.*<\/infEvento>/.exec(lote) ?? []
  const [info = ''] = /<SignedInfo>.*<\/SignedInfo>/.exec(lote) ?? []
  const digest = createHash('sha1').update(signed.replace('<infEvento', `<infEvento xmlns="${NFE}"`))
  assert.ok(info.includes(`<DigestValue>${digest.digest('base64')}</DigestValue>`))
  assert.ok(info.includes(`<Reference URI="#ID210210${CHAVE}01">`))
  const value = Buffer.from(/<SignatureValue>(.*)<\/SignatureValue>/.exec(lote)?.[1] ?? '', 'base64')
  const canonical = info.replace('<SignedInfo', `<SignedInfo xmlns="${DSIG}"`)
  const { publicKey } = new X509Certificate(leafOf(lote))
  assert.ok(verify('sha1', Buffer.from(canonical), publicKey, value))
  assert.ok(createPublicKey((await an.a1()).key).equals(publicKey))
})

test('it carries the leaf and nothing else of the chain, nor of the key', async () => {
  an.answers(REGISTRADO)
  const { lote } = await register()
  assert.equal(lote.match(/<X509Certificate>/g)?.length, 1)
  assert.match(
    lote,
    /<KeyInfo><X509Data><X509Certificate>[A-Za-z0-9+/]+=*<\/X509Certificate><\/X509Data><\/KeyInfo><\/Signature>/,
  )
})

test('an event that was tampered with verifies no more', async () => {
  an.answers(REGISTRADO)
  const { lote } = await register()
  const other = await an.a1('filial')
  const leaf = new X509Certificate(other.cert).raw.toString('base64')
  for (const [what, tampered] of [
    ['the key', lote.replace(`<chNFe>${CHAVE}`, `<chNFe>${OUTRA_CHAVE}`)],
    ['the time', lote.replace('09:34:56', '09:34:57')],
    ['the kind', lote.replace('<tpEvento>210210', '<tpEvento>210200')],
    ['a blank', lote.replace('<nSeqEvento>1', '<nSeqEvento> 1')],
    ['the digest', lote.replace(/<DigestValue>./, '<DigestValue>!')],
    ['the signature', lote.replace(/<SignatureValue>.{8}/, '<SignatureValue>AAAAAAAA')],
    ['the certificate', lote.replace(/<X509Certificate>[^<]*/, `<X509Certificate>${leaf}`)],
  ] as const) {
    assert.notEqual(tampered, lote, what)
    assert.equal(isSigned(tampered), false, what)
  }
})

test('an EC key signs nothing: the schema fixes RSA', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const before = an.count()
  await assert.rejects(register({ key }), /only an RSA key/)
  assert.equal(an.count(), before)
})

const CODIGOS = ['135', '136', '573', '596', '575', '650', '651', '655', '494', '297', '9999']
for (const cStat of CODIGOS) {
  test(`cStat ${cStat} of the event is told, not the lot's`, async () => {
    const about = `<chNFe>${CHAVE}</chNFe><tpEvento>210210</tpEvento>`
    for (const named of ['', about, '<chNFe></chNFe><tpEvento/>']) {
      an.answers(envelope(retEvento('128', infEvento(cStat, 'Rejeicao: raz&#227;o [10 dias]', named))))
      const { desfecho } = await register()
      assert.deepEqual(desfecho, { tipo: 'resposta', cStat, xMotivo: 'Rejeicao: razão [10 dias]' })
    }
  })
}

for (const cStat of ['108', '109', '214', '225', '280', '402', '587', '656', '999']) {
  test(`cStat ${cStat} of a lot that was refused is the answer`, async () => {
    an.answers(envelope(retEvento(cStat, '')))
    assert.deepEqual((await register()).desfecho, { tipo: 'resposta', cStat, xMotivo: 'Do lote' })
  })
}

test('SOAP 1.1 and other prefixes make no difference', async () => {
  const answer = retEvento('128', infEvento('135', 'Evento registrado')).replaceAll(/<(\/?)(\w)/g, '<$1an:$2')
  const declared = answer.replaceAll('xmlns=', 'xmlns:an=')
  for (const soap of [SOAP11, SOAP12]) {
    an.answers(envelope(declared, soap, 'S'), 'text/xml; charset=utf-8')
    assert.equal((await register()).desfecho.tipo, 'resposta')
  }
})

const aboutOther = (tag: string, value: string): string =>
  envelope(retEvento('128', infEvento('135', 'Evento registrado', `<${tag}>${value}</${tag}>`)))
const defeitos: [what: string, answer: string, message: RegExp][] = [
  ['an answer about another note', aboutOther('chNFe', OUTRA_CHAVE), /sobre outro evento/],
  ['an answer about another event', aboutOther('tpEvento', '210200'), /sobre outro evento/],
  ['a lot that tells nothing of its event', envelope(retEvento('128', '')), /não disse o que houve/],
  ['an event without code', envelope(retEvento('128', infEvento('', ''))), /sem o código do resultado/],
  ['a lot without code', envelope(retEvento('', '')), /sem o código do resultado/],
  ['another answer', envelope('<retDistDFeInt/>'), /não é a resposta do serviço/],
  ['half an answer', REGISTRADO.slice(0, -30), /não chegou inteira/],
]
for (const [what, answer, message] of defeitos) {
  test(`${what} is not taken for a registration`, async () => {
    an.answers(answer)
    await assert.rejects(register(), { name: 'SourceError', kind: 'parse', source: 'AN/eventos', message })
  })
}

test('of several results, ours is the one that names it', async () => {
  const other = infEvento('573', 'Duplicidade', `<chNFe>${OUTRA_CHAVE}</chNFe>`)
  const own = infEvento('135', 'Evento registrado', `<chNFe>${CHAVE}</chNFe>`)
  an.answers(envelope(retEvento('128', other + own)))
  assert.deepEqual((await register()).desfecho, {
    tipo: 'resposta',
    cStat: '135',
    xMotivo: 'Evento registrado',
  })
})

test('a refused certificate and a fault are told as of a query', async () => {
  an.answers('<html>', 'text/html', 403)
  await assert.rejects(register(), { kind: 'blocked', unavailable: false, message: /certificado enviado/ })
  an.answers(envelope('<soap:Fault><soap:Reason><soap:Text>Erro</soap:Text></soap:Reason></soap:Fault>'))
  await assert.rejects(register(), { kind: 'http', unavailable: false, message: /"Erro"/ })
})

test('an event is never sent twice by itself, whatever becomes of its connection', async () => {
  an.answers('cai')
  const before = an.count()
  await assert.rejects(register(), { kind: 'network', unavailable: true })
  assert.equal(an.count() - before, 1)
})
