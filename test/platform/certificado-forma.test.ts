import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { before, test } from 'node:test'
import { type Cadeia, createCadeia, NOSSOS_NOMES } from '../../simulator/platform/icp/cadeia.ts'
import { issue } from '../../simulator/platform/icp/certificado.ts'
import { der, octetos, oid } from '../../simulator/platform/icp/der.ts'
import { type Pfx, type Protecao, writePfx } from '../../simulator/platform/icp/pkcs12.ts'
import { parseA1 } from '../../src/platform/wire/a1.ts'
import type { A1 } from '../../src/platform/wire/certificado.ts'
import { type Der, readDer } from '../../src/platform/wire/der.ts'
import { wholeDer } from '../kit/a1.ts'

const CN = 'EMPRESA:11222333000181'
const LOCAL_KEY_ID = '1.2.840.113549.1.9.21'

let cadeia: Cadeia
let chave: KeyObject
let folha: Buffer
before(async () => {
  cadeia = await createCadeia(NOSSOS_NOMES, new Date(Date.now() + 86_400_000 * 30))
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  chave = pair.privateKey
  folha = emit(pair.publicKey)
})

function emit(publica: KeyObject, fim = cadeia.fim): Buffer {
  const inicio = new Date(Date.now() - 86_400_000)
  return issue({ nome: [['CN', CN]], publica, inicio, fim, extensoes: [] }, cadeia.intermediaria)
}

const write = (more: Partial<Pfx> = {}): Promise<Buffer> =>
  writePfx({
    certificados: [folha],
    chave: { privada: chave, certificado: folha },
    apelido: '',
    senha: 'x',
    protecao: 'aes',
    ...more,
  })

/** The A1 that is read from a file, or why it is not. */
function read(pfx: Buffer, senha = 'x'): A1 | string {
  try {
    return parseA1(Buffer.from(pfx), senha)
  } catch (error) {
    const { motivo, message }: { motivo?: string; message?: string } = Object(error)
    return `${motivo}: ${message}`
  }
}

function opened(pfx: Buffer, senha?: string): A1 {
  const a1 = read(pfx, senha)
  assert.ok(typeof a1 === 'object', String(a1))
  return a1
}

const subjectsOf = ({ cert }: A1): string[] =>
  (cert.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----\n/g) ?? []).map(
    (pem) => new X509Certificate(pem).subject,
  )

const SENHAS = ['senha', 'pão de açúcar€', '😀 chave 🔑', '', ' com espaços ', 'ß'.repeat(200), '日本語']
const PROTECOES: readonly Protecao[] = ['aes', '3des', 'rc2-40']

test('any password opens its file in each protection, and another one is told to be wrong', async () => {
  for (const protecao of PROTECOES)
    for (const senha of SENHAS) {
      const pfx = await write({ senha, protecao })
      assert.equal(opened(pfx, senha).titular.documento, '11222333000181', `${protecao} ${senha}`)
      for (const wrong of [`${senha} `, senha.slice(1) || 'y', senha.toUpperCase() || 'z'])
        if (wrong !== senha) assert.match(String(read(pfx, wrong)), /^senha: /, `${protecao} ${wrong}`)
    }
})

test('a name of any letters in the file makes no difference', async () => {
  for (const apelido of ['', 'Ação & Cia', '😀', 'x'.repeat(300)]) opened(await write({ apelido }))
})

/** The file without its MAC, with `change` applied to each element in it that is in clear. */
function rewrite(pfx: Buffer, change: (element: Der) => Buffer | undefined, mac: Buffer[] = []): Buffer {
  const walk = (element: Der): Buffer => {
    const changed = change(element)
    if (changed) return changed
    if (element.tag === 0x04 && element.corpo[0] === 0x30) {
      const inner = wholeDer(element.corpo)
      if (inner) return octetos(walk(inner))
    }
    return element.filhos.length > 0 ? der(element.tag, ...element.filhos.map(walk)) : element.inteiro
  }
  const { tag, filhos } = readDer(pfx)
  return der(tag, ...filhos.slice(0, 2).map(walk), ...mac)
}

test('a file without MAC is read, and a wrong password is told by what it fails to decrypt', async () => {
  for (const protecao of PROTECOES) {
    const pfx = rewrite(await write({ protecao }), () => undefined)
    opened(pfx)
    assert.match(String(read(pfx, 'y')), /^senha: /)
  }
})

test('the leaf is found without the attributes that tie it to its key', async () => {
  const attribute = oid(LOCAL_KEY_ID)
  let found = 0
  const pfx = rewrite(await write(), ({ tag, inteiro }) => {
    // This is the set of attributes of the key's bag, which is in clear.
    if (tag !== 0x31 || !inteiro.includes(attribute)) return undefined
    found++
    return Buffer.alloc(0)
  })
  assert.equal(found, 1)
  opened(pfx)
})

test('a MAC of a kind that is not known is said to be that, not a broken file', async () => {
  const pbmac1 = oid('1.2.840.113549.1.5.14')
  const info = der(0x30, der(0x30, pbmac1, der(0x05)), octetos(Buffer.alloc(32)))
  const mac = der(0x30, info, octetos(Buffer.alloc(8)))
  const said = String(read(rewrite(await write(), () => undefined, [mac])))
  assert.match(said, /^ilegivel: .*verificação de integridade que não é aceita/)
})

test('the chain follows the leaf, in order, each once, whatever the order and the repetitions of the file', async () => {
  const { raiz, intermediaria } = cadeia
  const [ca, root] = [intermediaria.certificado.raw, raiz.certificado.raw]
  const stranger = emit(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)
  const chain = [folha, ca, root].map((raw) => new X509Certificate(raw).subject)
  for (const certificados of [
    [folha, ca, root],
    [root, ca, folha],
    [ca, stranger, root, folha, ca, root, folha],
  ])
    assert.deepEqual(subjectsOf(opened(await write({ certificados }))), chain)
  assert.deepEqual(subjectsOf(opened(await write({ certificados: [root, folha] }))), chain.slice(0, 1))
})

test('what is no certificate among those of the file does not keep the others from being read', async () => {
  const odd = der(0x30, der(0x02, Buffer.from([1])))
  opened(await write({ certificados: [odd, folha] }))
  assert.match(String(read(await write({ certificados: [odd] }))), /^sem-certificado: /)
})

test('of two certificates of one key the one that lasts longer counts', async () => {
  const publica = new X509Certificate(folha).publicKey
  const old = emit(publica, new Date(Date.now() - 3_600_000))
  for (const certificados of [
    [old, folha],
    [folha, old],
  ])
    assert.equal(opened(await write({ certificados })).fim.getTime() > Date.now(), true)
})

test('of the keys of two holders the one whose certificate lasts longer counts, and that there are two is told', async () => {
  const { privateKey: privada, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const person = (fim: Date): Buffer =>
    issue(
      { nome: [['CN', 'PESSOA:52998224725']], publica: publicKey, inicio: new Date(0), fim, extensoes: [] },
      cadeia.intermediaria,
    )
  const day = 86_400_000
  for (const [later, documento] of [
    [-day, '11222333000181'],
    [day, '52998224725'],
  ] as const) {
    const certificado = person(new Date(cadeia.fim.getTime() + later))
    const certificados = [certificado, folha]
    const a1 = opened(await write({ certificados, outra: { privada, certificado } }))
    assert.deepEqual([a1.titular.documento, a1.maisTitulares], [documento, true])
    // Without its key, another holder's certificate does not make the file a file of two holders.
    assert.equal(opened(await write({ certificados })).maisTitulares, false)
  }
  const old = emit(new X509Certificate(folha).publicKey, new Date(Date.now() + day))
  assert.equal(opened(await write({ certificados: [old, folha] })).maisTitulares, false)
})

test('keys of all kinds are read, and called by their kind', async () => {
  const kinds = [
    ['RSA 1024', generateKeyPairSync('rsa', { modulusLength: 1024 })],
    ['PSS', generateKeyPairSync('rsa-pss', { modulusLength: 1024 })],
    ['ED25519', generateKeyPairSync('ed25519')],
    ['EC P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['EC P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['EC brainpoolP256r1', generateKeyPairSync('ec', { namedCurve: 'brainpoolP256r1' })],
  ] as const
  for (const [kind, { privateKey, publicKey }] of kinds) {
    const certificado = emit(publicKey)
    const certificados = [certificado]
    for (const protecao of PROTECOES) {
      const a1 = opened(await write({ certificados, chave: { privada: privateKey, certificado }, protecao }))
      assert.equal(a1.chave, kind)
      assert.ok(createPrivateKey(a1.key).equals(privateKey))
    }
  }
})
