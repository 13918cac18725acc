import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { Command } from 'commander'
import { strToU8, zipSync } from 'fflate'
import { CATALOGO_NFE } from '../../simulator/nfe/cenarios.ts'
import { conjunto, explicito, inteiro, oid, sequencia } from '../../simulator/platform/icp/der.ts'
import { type Icp, openIcp } from '../../simulator/platform/icp/icp.ts'
import { addCertificadosCommands, type CertificadosSettings } from '../../src/cli/certificados.ts'
import { findCadeia, loadCadeia, readCadeia } from '../../src/platform/wire/cadeia.ts'
import { readPfx } from '../../src/platform/wire/pfx.ts'

let pasta: string
let icp: Icp
const now = () => new Date()

before(async () => {
  pasta = await mkdtemp(join(tmpdir(), 'certificados-'))
  icp = await openIcp(pasta, now, CATALOGO_NFE)
})
after(() => rm(pasta, { recursive: true }))

const derOf = (pem: string): Buffer => new X509Certificate(pem).raw

/** A file of these bytes. */
async function fileOf(nome: string, bytes: string | Uint8Array): Promise<string> {
  const arquivo = join(pasta, nome)
  await writeFile(arquivo, bytes)
  return arquivo
}

/** PKCS#7 SignedData that carries certificates and signs nothing (RFC 2315, 9). */
const p7b = (certs: Buffer[]): Buffer =>
  sequencia(
    oid('1.2.840.113549.1.7.2'),
    explicito(
      0,
      sequencia(
        inteiro(1),
        conjunto(),
        sequencia(oid('1.2.840.113549.1.7.1')),
        explicito(0, ...certs),
        conjunto(),
      ),
    ),
  )

/** Runs a command as an operator does. Gives what it wrote. */
function fiscal(
  t: TestContext,
  settings: Partial<CertificadosSettings>,
  ...typed: string[]
): Promise<string> {
  const said: string[] = []
  const mocks = (['log', 'error'] as const).map((method) =>
    t.mock.method(console, method, (text: unknown) => said.push(String(text))),
  )
  const program = new Command().exitOverride()
  const unset = { A1_FILE: undefined, A1_PASSWORD: undefined, ICP_BRASIL_CA_FILE: undefined }
  addCertificadosCommands(program, { ...unset, DATA_DIR: join(pasta, 'dados'), now, ...settings })
  // A second command of a test would else be given back the console of the first.
  const restore = () => {
    for (const { mock } of mocks) mock.restore()
  }
  return program
    .parseAsync(['certificados', ...typed], { from: 'user' })
    .finally(restore)
    .then(() => said.join('\n'))
}

const operador = async (nome: string) => ({
  A1_FILE: join(pasta, 'certificados', `${nome}.pfx`),
  A1_PASSWORD: (await icp.certificado(nome))?.item.senha ?? '',
})

test('an operator sees whom its certificate names and until when', async (t) => {
  const said = await fiscal(t, await operador('empresa'), 'operador')
  assert.match(said, /Titular: COMERCIO OPERADOR SIMULADO LTDA \(CNPJ 48\.271\.936\/0001-83\)/)
  assert.match(said, /Chave: RSA 2048/)
  assert.match(said, /dias restantes: 33\d/)
  assert.doesNotMatch(said, /PRIVATE KEY|senha-empresa/)
  const soon = () => new Date(Date.now() + 310 * 86_400_000)
  assert.match(
    await fiscal(t, { ...(await operador('empresa')), now: soon }, 'operador'),
    /vence em \d+ dias/,
  )
  const json = JSON.parse(await fiscal(t, await operador('empresa'), 'operador', '--json'))
  assert.equal(json.titular.documento, '48271936000183')
})

test('a certificate that does not serve makes the command fail and names the setting', async (t) => {
  const certo = await operador('empresa')
  const run = (settings: Partial<CertificadosSettings>) => fiscal(t, settings, 'operador')
  await assert.rejects(run({}), /defina A1_FILE/)
  await assert.rejects(run({ A1_FILE: join(pasta, 'nenhum.pfx') }), /A1_FILE.*não existe/)
  await assert.rejects(run({ A1_FILE: pasta }), /A1_FILE.*é uma pasta/)
  await assert.rejects(run({ ...certo, A1_PASSWORD: 'errada' }), /A1_PASSWORD/)
  await assert.rejects(run(await operador('vencido')), /venceu em/)
  await assert.rejects(run(await operador('futuro')), /só vale a partir de/)
})

test('the bundle is written from a zip of certificates, and shown', async (t) => {
  const [raiz = '', intermediaria = ''] = icp.cadeia
  const zip = zipSync({
    'raiz.crt': strToU8(raiz),
    'emissora.cer': derOf(intermediaria),
    'quebrado.crt': strToU8('nada'),
    'leia-me.txt': strToU8('não é certificado'),
  })
  const said = await fiscal(t, {}, 'cadeia', await fileOf('ac.zip', zip))
  assert.match(said, /Raízes: 1\. Intermediárias: 1\. Deixados de fora: 1\./)
  const impressao = new X509Certificate(raiz).fingerprint256.replaceAll(':', '').toLowerCase()
  assert.ok(said.includes(impressao), said)
  const arquivo = join(pasta, 'dados', 'icp-brasil.pem')
  assert.match(await readFile(arquivo, 'utf8'), /^# .+\n-----BEGIN CERTIFICATE-----\n/)
  const lugar = { ICP_BRASIL_CA_FILE: undefined, DATA_DIR: join(pasta, 'dados') }
  assert.deepEqual(new Set(findCadeia(lugar)), new Set(icp.cadeia))
  assert.match(await fiscal(t, {}, 'cadeia'), /Cadeia em uso: /)
  const { autoridades } = JSON.parse(await fiscal(t, {}, 'cadeia', '--json'))
  assert.deepEqual(
    autoridades.map(({ tipo, orfa }: { tipo: string; orfa: boolean }) => [tipo, orfa]),
    [
      ['raiz', false],
      ['intermediaria', false],
    ],
  )
})

test('authorities are read from PEM, DER and PKCS#7, each once', async () => {
  const certs = icp.cadeia.map(derOf)
  const [raiz = Buffer.alloc(0)] = certs
  const packed = p7b(certs)
  const armored = `-----BEGIN PKCS7-----\n${packed.toString('base64')}\n-----END PKCS7-----\n`
  const arquivos = await Promise.all([
    fileOf('tudo.pem', icp.cadeia.join('\n')),
    fileOf('raiz.der', raiz),
    fileOf('tudo.p7b', packed),
    fileOf('tudo-pem.p7b', armored),
  ])
  for (const arquivo of [arquivos.slice(0, 1), arquivos.slice(2, 3), arquivos.slice(3), arquivos]) {
    const { autoridades, recusados } = readCadeia(arquivo, now())
    assert.deepEqual(new Set(autoridades.map(({ pem }) => pem)), new Set(icp.cadeia))
    assert.deepEqual(recusados, [])
  }
})

test('what is no authority, or no longer one, does not enter the bundle', async (t) => {
  const [raiz = '', intermediaria = ''] = icp.cadeia
  const { A1_PASSWORD } = await operador('empresa')
  const pfx = (await icp.certificado('empresa'))?.pfx ?? Buffer.alloc(0)
  const { cert } = await readPfx(pfx, A1_PASSWORD)
  const { autoridades, recusados } = readCadeia([await fileOf('folha.pem', cert)], now())
  assert.equal(autoridades.length, 2)
  assert.match(recusados[0]?.motivo ?? '', /não é de autoridade/)
  const tarde = readCadeia([await fileOf('raiz.pem', raiz)], new Date('2090-01-01'))
  assert.deepEqual([tarde.autoridades.length, tarde.recusados[0]?.motivo], [0, 'vencido'])
  const sozinha = await fileOf('sozinha.pem', intermediaria)
  assert.equal(readCadeia([sozinha], now()).autoridades[0]?.orfa, true)
  const lugar = { ICP_BRASIL_CA_FILE: join(pasta, 'outro', 'cadeia.pem') }
  await assert.rejects(fiscal(t, lugar, 'cadeia', sozinha), /Nenhuma raiz/)
  await assert.rejects(fiscal(t, lugar, 'cadeia'), /Ainda não há cadeia em .*cadeia\.pem/)
})

test('a file of something else is refused by name, and no file at all is no bundle', async () => {
  for (const bytes of ['texto', '', zipSync({ 'a.txt': strToU8('x') }), Buffer.from([0x50, 0x4b, 3, 4, 9])]) {
    const arquivo = await fileOf('outra-coisa', bytes)
    assert.throws(() => loadCadeia(arquivo), /outra-coisa não contém certificados/)
  }
  assert.deepEqual(findCadeia({ ICP_BRASIL_CA_FILE: undefined, DATA_DIR: join(pasta, 'vazia') }), [])
  assert.throws(
    () => findCadeia({ ICP_BRASIL_CA_FILE: join(pasta, 'nada.pem'), DATA_DIR: pasta }),
    /nada\.pem/,
  )
})
