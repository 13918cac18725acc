import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { CATALOGO_NFE } from '../../simulator/nfe/cenarios.ts'
import { createCadeia, NOSSOS_NOMES } from '../../simulator/platform/icp/cadeia.ts'
import { issue, type Nome } from '../../simulator/platform/icp/certificado.ts'
import { der } from '../../simulator/platform/icp/der.ts'
import { type Icp, openIcp } from '../../simulator/platform/icp/icp.ts'
import { writePfx } from '../../simulator/platform/icp/pkcs12.ts'
import { findTitular, loadOperador } from '../../src/platform/wire/a1.ts'
import {
  type A1,
  avisoDeValidade,
  CertificadoError,
  checkValidade,
} from '../../src/platform/wire/certificado.ts'
import { readDer } from '../../src/platform/wire/der.ts'
import { readPfx } from '../../src/platform/wire/pfx.ts'
import { withCounts } from '../kit/a1.ts'

let pasta: string
let icp: Icp

before(async () => {
  pasta = await mkdtemp(join(tmpdir(), 'certificado-'))
  icp = await openIcp(pasta, () => new Date(), CATALOGO_NFE)
})
after(() => rm(pasta, { recursive: true }))

async function fixture(nome: string) {
  const found = await icp.certificado(nome)
  assert.ok(found, nome)
  return found
}

async function readNamed(nome: string): Promise<A1> {
  const { pfx, item } = await fixture(nome)
  return readPfx(pfx, item.senha)
}

async function failureOf(promise: Promise<unknown>): Promise<CertificadoError> {
  try {
    await promise
  } catch (error) {
    assert.ok(error instanceof CertificadoError, inspect(error))
    return error
  }
  return assert.fail('a certificate was accepted')
}

const motivoOf = async (promise: Promise<unknown>): Promise<string> => (await failureOf(promise)).motivo

const splitPem = (pem: string): X509Certificate[] =>
  [...pem.matchAll(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----\n/g)].map(([one]) => new X509Certificate(one))

const USUAIS = ['empresa', 'filial', 'pessoa', 'alfanumerico', '3des', 'rc2-40', 'ec', 'ca-primeiro']
const ESTRANHOS = ['sem-cadeia', 'senha-acentuada', 'senha-vazia', 'titular-so-no-cn', 'vencido', 'futuro']

test('an A1 file of any kind gives its holder, its key and the chain from the leaf up', async () => {
  for (const nome of [...USUAIS, ...ESTRANHOS]) {
    const { item } = await fixture(nome)
    const a1 = await readNamed(nome)
    const { tipo, documento } = item.titular
    assert.deepEqual(a1.titular, { tipo, documento, nome: item.titular.nome, uf: 'SP' }, nome)
    assert.equal(a1.chave, item.chave === 'ec' ? 'EC P-256' : 'RSA 2048', nome)
    const certs = splitPem(a1.cert)
    const [folha] = certs
    assert.ok(folha)
    assert.ok(folha.checkPrivateKey(createPrivateKey(a1.key)), nome)
    assert.equal(a1.impressao, folha.fingerprint256.replaceAll(':', '').toLowerCase())
    assert.equal(a1.fim.getTime(), Date.parse(folha.validTo))
    assert.equal(certs.length, item.conteudo === 'so-titular' ? 1 : 3, nome)
    for (const [i, issuer] of certs.slice(1).entries()) assert.ok(certs[i]?.checkIssued(issuer), nome)
  }
})

test('a holder has a UF only where the certificate names one', async () => {
  const { intermediaria, fim } = await createCadeia(NOSSOS_NOMES, new Date(Date.now() + 86_400_000))
  const ufOf = (...nome: Nome) => {
    const conteudo = { publica: intermediaria.publica, inicio: new Date(), fim, extensoes: [] }
    const folha = issue({ ...conteudo, nome: [...nome, ['CN', 'EMPRESA:11222333000181']] }, intermediaria)
    return findTitular(folha)
  }
  const empresa = { tipo: 'cnpj', documento: '11222333000181', nome: 'EMPRESA' }
  assert.deepEqual(ufOf(['ST', 'SP']), { ...empresa, uf: 'SP' })
  assert.deepEqual(ufOf(['ST', ' rj ']), { ...empresa, uf: 'RJ' })
  for (const state of ['São Paulo', 'XX', 'EX', '35', ''])
    assert.deepEqual(ufOf(['ST', state]), empresa, state)
  assert.deepEqual(ufOf(), empresa)
})

test('a password with accents opens AES files, and those of an OpenSSL that widened its bytes', async () => {
  const { key, cert } = await readNamed('empresa')
  const certificados = splitPem(cert).map(({ raw }) => raw)
  const [folha = Buffer.alloc(0)] = certificados
  const senha = 'pão de açúcar€'
  const rest = { certificados, chave: { privada: createPrivateKey(key), certificado: folha }, apelido: '' }
  for (const [protecao, written] of [
    ['aes', senha],
    ['3des', Buffer.from(senha).toString('latin1')],
  ] as const) {
    const pfx = await writePfx({ ...rest, protecao, senha: written })
    assert.equal((await readPfx(pfx, senha)).cert, cert, protecao)
    assert.equal(await motivoOf(readPfx(pfx, 'pao de acucar€')), 'senha')
  }
})

test('a file with indefinite lengths and strings in pieces, as Java and Firefox write them, is read', async () => {
  const { pfx, item } = await fixture('3des')
  const { filhos } = readDer(pfx)
  const [version, safe, mac] = filhos
  const [type, content] = safe?.filhos ?? []
  const dados = content?.filhos[0]?.corpo
  assert.ok(version && mac && type && dados)
  const open = (tag: number, ...parts: Buffer[]): Buffer =>
    Buffer.concat([Buffer.from([tag, 0x80]), ...parts, Buffer.from([0, 0])])
  const pieces = open(0x24, der(0x04, dados.subarray(0, 700)), der(0x04, dados.subarray(700)))
  const ber = open(0x30, version.inteiro, open(0x30, type.inteiro, open(0xa0, pieces)), mac.inteiro)
  assert.deepEqual((await readPfx(ber, item.senha)).titular, (await readPfx(pfx, item.senha)).titular)
})

test('a file that lacks a part is refused for that part', async () => {
  assert.equal(await motivoOf(readNamed('sem-chave')), 'sem-chave')
  assert.equal(await motivoOf(readNamed('sem-titular')), 'sem-titular')
  const { key } = await readNamed('empresa')
  const outra = splitPem((await readNamed('filial')).cert)[0]?.raw ?? Buffer.alloc(0)
  const pfx = await writePfx({
    certificados: [outra],
    chave: { privada: createPrivateKey(key), certificado: outra },
    apelido: '',
    senha: 'x',
    protecao: 'aes',
  })
  assert.equal(await motivoOf(readPfx(pfx, 'x')), 'sem-certificado')
})

test('what is no A1 file is called unreadable, not a wrong password', async () => {
  const { ca } = icp
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('isto não é um certificado'),
    Buffer.from(ca),
    Buffer.alloc(64 * 1024 + 1, 0x30),
  ]) {
    assert.equal(await motivoOf(readPfx(bytes, 'x')), 'ilegivel')
  }
})

test('a certificate alone, as a .cer is, is told to have no private key', async () => {
  assert.equal(await motivoOf(readPfx(new X509Certificate(icp.ca).raw, 'x')), 'sem-chave')
})

test('a file cut short anywhere is unreadable', async () => {
  const { pfx, item } = await fixture('rc2-40')
  for (let end = 0; end < pfx.length; end += 100) {
    assert.equal(await motivoOf(readPfx(pfx.subarray(0, end), item.senha)), 'ilegivel', `${end} bytes`)
  }
})

test('a file with any byte changed is read as the same certificate or refused, never another error', async () => {
  const { pfx, item } = await fixture('empresa')
  const whole = await readPfx(pfx, item.senha)
  await fc.assert(
    fc.asyncProperty(fc.nat(pfx.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const changed = Buffer.from(pfx)
      changed[at] = (changed[at] ?? 0) ^ flip
      const result = await readPfx(changed, item.senha).catch((error: unknown) => error)
      if (result instanceof CertificadoError) return
      assert.deepEqual(result, whole)
    }),
    { numRuns: 100 },
  )
})

test('a count that would take hours is refused before anything is derived', async () => {
  const { pfx, item } = await fixture('empresa')
  for (const count of [600_001, 2 ** 31 - 1, 2 ** 40]) {
    for (const keepMac of [true, false]) {
      const error = await failureOf(
        readPfx(
          withCounts(pfx, () => count, keepMac),
          item.senha,
        ),
      )
      assert.equal(error.motivo, 'ilegivel')
      assert.match(error.message, /iterações/)
    }
  }
})

test('a reading that takes too long, or that nobody waits for, is stopped, and the next one goes on', async () => {
  const { pfx, item } = await fixture('empresa')
  const slow = withCounts(pfx, () => 600_000, true)
  assert.equal(await motivoOf(readPfx(slow, item.senha, { timeoutMs: 1 })), 'demorado')
  const stop = new AbortController()
  const reading = readPfx(slow, item.senha, { signal: stop.signal })
  stop.abort(new Error('o cliente desistiu'))
  await assert.rejects(reading, /o cliente desistiu/)
  const both = await Promise.all(Array.from({ length: 6 }, () => readPfx(pfx, item.senha)))
  assert.equal(new Set(both.map(({ impressao }) => impressao)).size, 1)
})

test('files that take seconds keep those that do not from nothing', async () => {
  const { pfx, item } = await fixture('3des')
  const slow = withCounts(pfx, () => 400_000, false)
  const order: string[] = []
  const read = (file: Buffer, name: string) =>
    motivoOf(readPfx(file, item.senha, { timeoutMs: 60_000 })).then((motivo) =>
      order.push(`${name}: ${motivo}`),
    )
  // The last file is refused at once, like any file that needs little work.
  await Promise.all([
    read(slow, 'slow'),
    read(slow, 'slow'),
    read(slow, 'slow'),
    read(pfx.subarray(1), 'usual'),
  ])
  assert.deepEqual(order, ['usual: ilegivel', 'slow: senha', 'slow: senha', 'slow: senha'])
})

test('no error holds the password', async () => {
  const { pfx, item } = await fixture('empresa')
  const senha = 'segredo-muito-reconhecível'
  const semMac = withCounts(pfx, (count) => count, false)
  const arquivo = join(pasta, 'certificados', 'empresa.pfx')
  const slow = withCounts(pfx, () => 600_000, true)
  for (const read of [
    () => readPfx(pfx, senha),
    () => readPfx(semMac, senha),
    () => readPfx(pfx.subarray(0, 500), senha),
    () => readPfx(slow, senha, { timeoutMs: 1 }),
    () => loadOperador({ A1_FILE: arquivo, A1_PASSWORD: senha }),
    () => loadOperador({ A1_FILE: join(pasta, 'nenhum.pfx'), A1_PASSWORD: senha }),
  ]) {
    const error = await failureOf(read())
    const said = inspect(error, { depth: Infinity, showHidden: true })
    for (const secret of [senha, item.senha]) assert.ok(!said.includes(secret), said)
    assert.equal(error.cause, undefined)
  }
})

test('the end of a certificate is told in Brasília time, and 30 days ahead', () => {
  const validade = { inicio: new Date('2026-01-01T03:00:00Z'), fim: new Date('2027-01-01T02:59:59Z') }
  const says = (now: string) => avisoDeValidade(validade, new Date(now))
  const check = (now: string) => () => checkValidade(validade, new Date(now))
  assert.deepEqual(says('2026-12-01T00:00:00Z'), { dias: 31, aviso: undefined })
  assert.match(says('2026-12-03T00:00:00Z').aviso ?? '', /vence em 29 dias, em 31\/12\/2026, 23:59/)
  assert.match(says('2026-12-31T00:00:00Z').aviso ?? '', /vence em 1 dia,/)
  assert.match(says('2027-01-01T00:00:00Z').aviso ?? '', /vence em menos de 1 dia,/)
  assert.match(says('2027-01-02T00:00:00Z').aviso ?? '', /venceu/)
  assert.match(says('2025-12-31T00:00:00Z').aviso ?? '', /só vale a partir de 01\/01\/2026, 00:00/)
  assert.doesNotThrow(check('2027-01-01T02:59:59Z'))
  assert.throws(check('2027-01-01T03:00:00Z'), { motivo: 'vencido', message: /31\/12\/2026, 23:59/ })
  assert.throws(check('2026-01-01T02:59:59Z'), { motivo: 'futuro', message: /01\/01\/2026, 00:00/ })
})
