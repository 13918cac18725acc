import assert from 'node:assert/strict'
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { createSecureContext } from 'node:tls'
import forge from 'node-forge'
import { CATALOGO_NFE } from '../../simulator/nfe/cenarios.ts'
import type { ItemA1 } from '../../simulator/platform/icp/catalogo.ts'
import { readTitular } from '../../simulator/platform/icp/catalogo.ts'
import { type Icp, openIcp } from '../../simulator/platform/icp/icp.ts'
import { isCnpj, isCpf } from '../../src/documento/documento.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const DAY = 86_400_000

let folder: string
let icp: Icp

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icp-'))
  icp = await openIcp(folder, () => NOW, CATALOGO_NFE)
  await Promise.all(icp.catalogo.map(({ nome }) => icp.certificado(nome)))
})
after(() => rm(folder, { recursive: true }))

type Opened = { key: KeyObject | undefined; certificates: X509Certificate[] }

/**
 * Opens a PFX with another implementation than the one that wrote it. The keys go through raw ASN.1, because
 * that implementation knows no EC.
 */
function open(pfx: Buffer, password: string): Opened {
  const file = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(pfx.toString('latin1')), password)
  const bags = (type: string | undefined): Buffer[] =>
    (file.getBags({ bagType: type ?? '' })[type ?? ''] ?? []).map(({ asn1, cert, key }) => {
      if (cert) return Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(cert)).getBytes(), 'latin1')
      const der = key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(key)) : asn1
      return Buffer.from(forge.asn1.toDer(der).getBytes(), 'latin1')
    })
  const [key] = bags(forge.pki.oids.pkcs8ShroudedKeyBag)
  return {
    key: key && createPrivateKey({ key, format: 'der', type: 'pkcs8' }),
    certificates: bags(forge.pki.oids.certBag).map((der) => new X509Certificate(der)),
  }
}

type File = { pfx: Buffer; item: ItemA1; leaf: X509Certificate } & Opened

const files = new Map<string, File>()

async function file(name: string): Promise<File> {
  const known = files.get(name)
  if (known) return known
  const made = await icp.certificado(name)
  assert.ok(made)
  const opened = open(made.pfx, made.item.senha)
  const leaf = opened.certificates.find((certificate) => !certificate.ca)
  assert.ok(leaf)
  const read = { ...made, ...opened, leaf }
  files.set(name, read)
  return read
}

test('every A1 file opens with its password, and its leaf is of its key', async () => {
  for (const { nome } of icp.catalogo) {
    const { key, leaf } = await file(nome)
    assert.equal(key !== undefined, nome !== 'sem-chave', nome)
    if (key) assert.ok(leaf.checkPrivateKey(key), nome)
  }
})

test('every A1 file but those of RC2 opens with OpenSSL 3', async () => {
  for (const { nome, senha, protecao } of icp.catalogo) {
    const load = async () => createSecureContext({ pfx: (await file(nome)).pfx, passphrase: senha })
    if (protecao === 'rc2-40') await assert.rejects(load, /Unsupported PKCS12/, nome)
    else if (nome === 'sem-chave') await assert.rejects(load, nome)
    else assert.ok(await load(), nome)
  }
})

test('an A1 file does not open with another password', async () => {
  for (const name of ['aes', '3des', 'rc2-40', 'senha-vazia']) {
    const { pfx } = await file(name)
    assert.throws(() => open(pfx, 'outra'), /MAC could not be verified/, name)
  }
})

test('the leaf says its holder as ICP-Brasil does, in the CN, or not at all', async () => {
  for (const { nome, titular, documento } of icp.catalogo) {
    const { leaf } = await file(nome)
    assert.deepEqual(readTitular(leaf), documento === 'oids' ? titular : undefined, nome)
    const cn = documento === 'ausente' ? titular.nome : `${titular.nome}:${titular.documento}`
    assert.match(leaf.subject, new RegExp(`^O=ICP-Brasil$[^]*^CN=${cn}$`, 'm'), nome)
  }
})

test('another reader finds the same names in the certificates, of either string type', async () => {
  const names = async (name: string): Promise<Record<string, string>> => {
    const certificate = forge.pki.certificateFromPem((await file(name)).leaf.toString())
    const extension: unknown = certificate.getExtension('subjectAltName')
    assert.ok(typeof extension === 'object' && extension && 'altNames' in extension)
    assert.ok('critical' in extension && extension.critical === false && Array.isArray(extension.altNames))
    const others = extension.altNames.filter(({ type }) => type === 0)
    return Object.fromEntries(
      others.map(({ value }) => [forge.asn1.derToOid(value[0].value), value[1].value[0].value]),
    )
  }
  for (const [name, cnpj] of [
    ['empresa', '48271936000183'],
    ['filial', '48271936000264'],
    ['alfanumerico', '7K3M9RX2000117'],
  ] as const) {
    const found = await names(name)
    assert.equal(found['2.16.76.1.3.3'], cnpj)
    assert.match(found['2.16.76.1.3.4'] ?? '', /^\d{8}73025914823\d{26}$/)
    assert.match(found['2.16.76.1.3.2'] ?? '', /^RESPONSAVEL/)
    assert.match(found['2.16.76.1.3.7'] ?? '', /^0{12}$/)
  }
  const person = await names('pessoa')
  assert.match(person['2.16.76.1.3.1'] ?? '', /^\d{8}48172639546\d{26}$/)
  assert.match(person['2.16.76.1.3.5'] ?? '', /^\d{19}/)
  assert.match(person['2.16.76.1.3.6'] ?? '', /^0{12}$/)
  assert.equal(person['2.16.76.1.3.3'], undefined)
})

test('the documents of the holders have valid check digits', () => {
  for (const { titular } of icp.catalogo)
    assert.ok((titular.tipo === 'cnpj' ? isCnpj : isCpf)(titular.documento), titular.documento)
})

test('the chain holds: each certificate is issued and signed by the next, up to the root that is trusted', async () => {
  for (const { nome, emissor, conteudo } of icp.catalogo) {
    const { certificates, leaf } = await file(nome)
    if (conteudo === 'so-titular') assert.deepEqual(certificates, [leaf])
    const order = conteudo === 'cadeia-e-titular' ? certificates.toReversed() : certificates
    const [, intermediate, root] = conteudo === 'so-titular' ? [leaf, ...ours()] : order
    assert.equal(order[0], leaf, nome)
    assert.ok(intermediate?.ca && root?.ca, nome)
    assert.ok(leaf.checkIssued(intermediate) && leaf.verify(intermediate.publicKey), nome)
    assert.ok(intermediate.checkIssued(root) && intermediate.verify(root.publicKey), nome)
    assert.ok(root.checkIssued(root) && root.verify(root.publicKey), nome)
    assert.equal(
      root.fingerprint256 === new X509Certificate(icp.ca).fingerprint256,
      emissor === 'nosso',
      nome,
    )
  }
})

function ours(): X509Certificate[] {
  return icp.cadeia.map((pem) => new X509Certificate(pem)).toReversed()
}

test('each file is in force, expired or not yet valid as the catalogue says, and lasts a year', async () => {
  for (const { nome, validade } of icp.catalogo) {
    const { leaf } = await file(nome)
    const { validFromDate: from, validToDate: to } = leaf
    assert.equal(to.getTime() - from.getTime(), 365 * DAY, nome)
    assert.equal(from > NOW ? 'futura' : to < NOW ? 'vencida' : 'vigente', validade, nome)
  }
})

test('keys are RSA of 2048 bits, or EC on P-256 where the catalogue says so', async () => {
  for (const { nome, chave } of icp.catalogo) {
    const { asymmetricKeyType, asymmetricKeyDetails } = (await file(nome)).leaf.publicKey
    assert.equal(asymmetricKeyType, chave, nome)
    if (chave === 'rsa') assert.equal(asymmetricKeyDetails?.modulusLength, 2048)
    else assert.equal(asymmetricKeyDetails?.namedCurve, 'prime256v1')
  }
})

async function ownFolder(t: TestContext): Promise<string> {
  const own = await mkdtemp(join(tmpdir(), 'icp-'))
  t.after(() => rm(own, { recursive: true }))
  return own
}

test('the authority and its files are kept from one start to the next, for their owner only', async (t) => {
  const own = await ownFolder(t)
  const first = await openIcp(own, () => NOW, CATALOGO_NFE)
  const pfx = await first.certificado('empresa')
  const second = await openIcp(own, () => new Date(NOW.getTime() + 300 * DAY), CATALOGO_NFE)
  assert.equal(second.ca, first.ca)
  assert.deepEqual(await second.certificado('empresa'), pfx)
  for (const name of ['autoridade.pem', 'certificados/empresa.pfx'])
    assert.equal((await stat(join(own, name))).mode & 0o777, 0o600, name)
  assert.deepEqual(await readdir(join(own, 'certificados')), ['empresa.pfx'])
})

test('an authority that ends within 30 days, or that is not whole, is made anew with its files', async (t) => {
  const own = await ownFolder(t)
  const first = await openIcp(own, () => NOW, CATALOGO_NFE)
  await first.certificado('pessoa')
  const second = await openIcp(own, () => new Date(NOW.getTime() + 306 * DAY), CATALOGO_NFE)
  assert.notEqual(second.ca, first.ca)
  assert.deepEqual(await readdir(join(own, 'certificados')), ['empresa.pfx'])
  const kept = await readFile(join(own, 'autoridade.pem'), 'utf8')
  for (const broken of [kept.slice(0, kept.length / 2), kept.replace(/^# ./, '# x')]) {
    await writeFile(join(own, 'autoridade.pem'), broken)
    assert.notEqual((await openIcp(own, () => NOW, CATALOGO_NFE)).ca, second.ca)
  }
})

test('a file asked twice at once is made once; one that is not in the catalogue is none', async () => {
  const [a, b] = await Promise.all([icp.certificado('ec'), icp.certificado('ec')])
  assert.equal(a?.pfx, b?.pfx)
  assert.equal(await icp.certificado('../autoridade'), undefined)
})
