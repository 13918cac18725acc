import { createDecipheriv, createHmac, hash, pbkdf2Sync, timingSafeEqual } from 'node:crypto'
import { createRequire } from 'node:module'
import { CertificadoError, demorado } from './certificado.ts'
import { childAt, type Der, integerOf, OCTETS, OID, octetsOf, oidOf, readDer, SEQUENCE } from './der.ts'

/**
 * The most iterations of one derivation: as many as Firefox writes and .NET accepts (KB5025823). OpenSSL
 * writes 2,048, Windows 2,000, Java 10,000 to 100,000; a hostile file of 950 bytes can ask for minutes.
 */
const MAX_ITERATIONS = 600_000

/** The most rounds for one file. A Firefox file with 3DES needs 4.2 million, about 2 s. */
export const MAX_ROUNDS = 4_500_000

/** Some 30 ms: OpenSSL and Windows need 15,000, Java with 10,000 iterations 60,000. */
export const USUAL_ROUNDS = 65_000

type Esforco = (iteracoes: number, blocos: number) => void

/** Counts the rounds of one file. If `most` is below MAX_ROUNDS, a file that needs more throws `demorado`. */
function createEsforco(most: number): Esforco {
  let rounds = 0
  return (iteracoes, blocos) => {
    rounds += iteracoes * blocos
    if (iteracoes >= 1 && iteracoes <= MAX_ITERATIONS && rounds <= most) return
    if (iteracoes <= MAX_ITERATIONS && rounds <= MAX_ROUNDS) throw demorado()
    throw new CertificadoError(
      'ilegivel',
      `O arquivo do certificado pede um número de iterações que não é aceito (no máximo ${MAX_ITERATIONS}). Exporte o certificado de novo com as opções padrão e envie o novo arquivo.`,
    )
  }
}

type Resumo = { nome: string; bytes: number; bloco: number }

const resumos = {
  sha1: { nome: 'sha1', bytes: 20, bloco: 64 },
  sha224: { nome: 'sha224', bytes: 28, bloco: 64 },
  sha256: { nome: 'sha256', bytes: 32, bloco: 64 },
  sha384: { nome: 'sha384', bytes: 48, bloco: 128 },
  sha512: { nome: 'sha512', bytes: 64, bloco: 128 },
} as const satisfies Record<string, Resumo>

type Semente = { senha: Buffer; sal: Buffer; iteracoes: number; resumo: Resumo }

function derivePbkdf2({ senha, sal, iteracoes, resumo }: Semente, bytes: number, spend: Esforco): Buffer {
  spend(iteracoes, Math.ceil(bytes / resumo.bytes))
  return pbkdf2Sync(senha, sal, iteracoes, bytes, resumo.nome)
}

/** The purposes of RFC 7292, appendix B.3. */
const USO = { chave: 1, iv: 2, mac: 3 } as const

/** RFC 7292, appendix B.2, which node:crypto lacks. `senha`: UTF-16 with a terminator. */
function derivePkcs12(semente: Semente, uso: number, bytes: number, spend: Esforco): Buffer {
  const { senha, sal, iteracoes, resumo } = semente
  const blocos = Math.ceil(bytes / resumo.bytes)
  spend(iteracoes, blocos)
  const diversifier = Buffer.alloc(resumo.bloco, uso)
  const state = Buffer.concat([fill(sal, resumo.bloco), fill(senha, resumo.bloco)])
  const out: Buffer[] = []
  for (let i = 0; i < blocos; i++) {
    const digest = hash(resumo.nome, Buffer.concat([diversifier, state]), 'buffer')
    repeat(digest, resumo, iteracoes - 1)
    out.push(digest)
    const more = fill(digest, resumo.bloco).subarray(0, resumo.bloco)
    for (let at = 0; at < state.length; at += resumo.bloco)
      addOne(state.subarray(at, at + resumo.bloco), more)
  }
  return Buffer.concat(out).subarray(0, bytes)
}

function repeat(digest: Buffer, { nome }: Resumo, times: number): void {
  if (nome === 'sha1') repeatSha1(digest, times)
  // Text and back takes a third of the time of a new Buffer in each round (Node 24.21).
  else for (let round = 0; round < times; round++) digest.write(hash(nome, digest, 'binary'), 'binary')
}

/** The initial digest. */
const [A, B, C, D, E] = [0x67452301, ~0x10325476, ~0x67452301, 0x10325476, ~0x3c2d1e0f] as const

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits))

/**
 * SHA-1 of a digest, of the result, and so on, in place (FIPS 180-4, 6.1.2). A call of OpenSSL takes a third
 * longer than such a block, and an everyday file needs 14,000.
 */
function repeatSha1(digest: Buffer, times: number): void {
  const w = new Int32Array(80)
  for (let i = 0; i < 5; i++) w[i] = digest.readInt32BE(4 * i)
  // The digest is the whole message: the padding, and its length in bits.
  w[5] = 0x80000000
  w[15] = 8 * digest.length
  for (let round = 0; round < times; round++) addSha1(w)
  for (let i = 0; i < 5; i++) digest.writeInt32BE(w[i] ?? 0, 4 * i)
  w.fill(0)
}

const at = (w: Int32Array, i: number): number => w[i] ?? 0

/**
 * Puts the digest of a block, the first 16 words, in the place of its first five. One loop with the four
 * cases in it takes 40 % longer.
 */
function addSha1(w: Int32Array): void {
  for (let i = 16; i < 80; i++) w[i] = rotate(at(w, i - 3) ^ at(w, i - 8) ^ at(w, i - 14) ^ at(w, i - 16), 1)
  let a: number = A
  let b: number = B
  let c: number = C
  let d: number = D
  let e: number = E
  for (let i = 0; i < 20; i++) {
    const sum = (rotate(a, 5) + (d ^ (b & (c ^ d))) + e + at(w, i) + 0x5a827999) | 0
    e = d
    d = c
    c = rotate(b, 30)
    b = a
    a = sum
  }
  for (let i = 20; i < 40; i++) {
    const sum = (rotate(a, 5) + (b ^ c ^ d) + e + at(w, i) + 0x6ed9eba1) | 0
    e = d
    d = c
    c = rotate(b, 30)
    b = a
    a = sum
  }
  for (let i = 40; i < 60; i++) {
    const sum = (rotate(a, 5) + ((b & c) | (d & (b | c))) + e + at(w, i) + 0x8f1bbcdc) | 0
    e = d
    d = c
    c = rotate(b, 30)
    b = a
    a = sum
  }
  for (let i = 60; i < 80; i++) {
    const sum = (rotate(a, 5) + (b ^ c ^ d) + e + at(w, i) + 0xca62c1d6) | 0
    e = d
    d = c
    c = rotate(b, 30)
    b = a
    a = sum
  }
  w[0] = a + A
  w[1] = b + B
  w[2] = c + C
  w[3] = d + D
  w[4] = e + E
}

const fill = (data: Buffer, bloco: number): Buffer =>
  data.length === 0 ? data : Buffer.alloc(Math.ceil(data.length / bloco) * bloco, data)

/** block = (block + more + 1) mod 2^(8 × its length), big-endian. */
function addOne(block: Buffer, more: Buffer): void {
  let carry = 1
  for (let i = block.length - 1; i >= 0; i--) {
    carry += (block[i] ?? 0) + (more[i] ?? 0)
    block[i] = carry & 0xff
    carry >>= 8
  }
}

type Senha = { utf16: Buffer; utf8: Buffer }

const PBES2 = '1.2.840.113549.1.5.13'
const PBKDF2 = '1.2.840.113549.1.5.12'

/** RFC 7292, appendix C: SHA-1 and PKCS#12's derivation. Those with RC2 have the bits of the key. */
const pkcs12Ciphers: Record<string, { cifra: string; chave: number }> = {
  '1.2.840.113549.1.12.1.3': { cifra: 'des-ede3-cbc', chave: 24 },
  '1.2.840.113549.1.12.1.4': { cifra: 'des-ede-cbc', chave: 16 },
  '1.2.840.113549.1.12.1.5': { cifra: 'rc2', chave: 16 },
  '1.2.840.113549.1.12.1.6': { cifra: 'rc2', chave: 5 },
}

const pbes2Ciphers: Record<string, { cifra: string; chave: number }> = {
  '2.16.840.1.101.3.4.1.2': { cifra: 'aes-128-cbc', chave: 16 },
  '2.16.840.1.101.3.4.1.22': { cifra: 'aes-192-cbc', chave: 24 },
  '2.16.840.1.101.3.4.1.42': { cifra: 'aes-256-cbc', chave: 32 },
  '1.2.840.113549.3.7': { cifra: 'des-ede3-cbc', chave: 24 },
}

const prfs: Record<string, Resumo> = {
  '1.2.840.113549.2.7': resumos.sha1,
  '1.2.840.113549.2.8': resumos.sha224,
  '1.2.840.113549.2.9': resumos.sha256,
  '1.2.840.113549.2.10': resumos.sha384,
  '1.2.840.113549.2.11': resumos.sha512,
}

/**
 * Decrypts what `algoritmo` (AlgorithmIdentifier) encrypted with a password. Throws CertificadoError if the
 * algorithm is unknown or asks for too much, any other Error if the password or the data are wrong.
 */
function decrypt(algoritmo: Der, dados: Buffer, senha: Senha, spend: Esforco): Buffer {
  const oid = oidOf(childAt(algoritmo, 0))
  const params = childAt(algoritmo, 1, SEQUENCE)
  return oid === PBES2
    ? decryptPbes2(params, dados, senha.utf8, spend)
    : decryptPkcs12(oid, params, dados, senha.utf16, spend)
}

function decryptPbes2(params: Der, dados: Buffer, senha: Buffer, spend: Esforco): Buffer {
  const kdf = childAt(params, 0, SEQUENCE)
  const scheme = childAt(params, 1, SEQUENCE)
  const known = pbes2Ciphers[oidOf(childAt(scheme, 0))]
  if (oidOf(childAt(kdf, 0)) !== PBKDF2 || known === undefined) throw cifraDesconhecida()
  const kdfParams = childAt(kdf, 1, SEQUENCE)
  const prf = kdfParams.filhos.find(({ tag, filhos }) => tag === SEQUENCE && filhos[0]?.tag === OID)
  const resumo = prf ? prfs[oidOf(childAt(prf, 0))] : resumos.sha1
  if (resumo === undefined) throw cifraDesconhecida()
  const sal = octetsOf(childAt(kdfParams, 0, OCTETS))
  const iteracoes = integerOf(childAt(kdfParams, 1))
  const chave = derivePbkdf2({ senha, sal, iteracoes, resumo }, known.chave, spend)
  return decipher(known.cifra, chave, octetsOf(childAt(scheme, 1, OCTETS)), dados)
}

function decryptPkcs12(oid: string, params: Der, dados: Buffer, senha: Buffer, spend: Esforco): Buffer {
  const known = pkcs12Ciphers[oid]
  if (known === undefined) throw cifraDesconhecida()
  const sal = octetsOf(childAt(params, 0, OCTETS))
  const semente = { senha, sal, iteracoes: integerOf(childAt(params, 1)), resumo: resumos.sha1 }
  const chave = derivePkcs12(semente, USO.chave, known.chave, spend)
  const iv = derivePkcs12(semente, USO.iv, 8, spend)
  return known.cifra === 'rc2' ? decipherRc2(chave, iv, dados) : decipher(known.cifra, chave, iv, dados)
}

const cifraDesconhecida = (): CertificadoError =>
  new CertificadoError(
    'ilegivel',
    'O arquivo do certificado usa uma cifra que não é aceita. Exporte o certificado de novo, com AES-256 ou TripleDES, e envie o novo arquivo.',
  )

function decipher(cifra: string, chave: Buffer, iv: Buffer, dados: Buffer): Buffer {
  const cipher = createDecipheriv(cifra, chave, iv)
  const parts = [cipher.update(dados), cipher.final()]
  const whole = Buffer.concat(parts)
  // The reader of a private key wipes the whole key. These parts would be left behind.
  for (const part of parts) part.fill(0)
  return whole
}

const require = createRequire(import.meta.url)

/** OpenSSL 3 lacks RC2, which most A1 files of Windows use. node-forge (11 MB) comes with the first. */
function decipherRc2(chave: Buffer, iv: Buffer, dados: Buffer): Buffer {
  const forge: typeof import('node-forge') = require('node-forge')
  const cipher = forge.rc2.createDecryptionCipher(chave.toString('latin1'), chave.length * 8)
  cipher.start(iv.toString('latin1'))
  cipher.update(forge.util.createBuffer(dados.toString('latin1')))
  if (!cipher.finish()) throw new Error('RC2: wrong padding')
  return Buffer.from(cipher.output.getBytes(), 'latin1')
}

export type Conteudo = { chaves: Buffer[]; certificados: Buffer[] }

const DATA = '1.2.840.113549.1.7.1'
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6'
const X509 = '1.2.840.113549.1.9.22.1'

const macs: Record<string, Resumo> = {
  '1.3.14.3.2.26': resumos.sha1,
  '2.16.840.1.101.3.4.2.4': resumos.sha224,
  '2.16.840.1.101.3.4.2.1': resumos.sha256,
  '2.16.840.1.101.3.4.2.2': resumos.sha384,
  '2.16.840.1.101.3.4.2.3': resumos.sha512,
}

/** PKCS#12 (RFC 7292); blocks the thread. Throws CertificadoError, any other Error if it is no such file. */
export function openPkcs12(pfx: Buffer, texto: string, rounds: number): Conteudo {
  const raiz = readDer(pfx)
  if (integerOf(childAt(raiz, 0)) !== 3) throw new Error('PKCS#12: not version 3')
  const safe = contentOf(childAt(raiz, 1, SEQUENCE), DATA)
  const dados = octetsOf(safe)
  const spend = createEsforco(rounds)
  const mac = raiz.filhos[2]
  const senha = mac ? checkMac(mac, dados, texto, spend) : onlySenha(texto)
  const conteudo: Conteudo = { chaves: [], certificados: [] }
  for (const info of readDer(dados).filhos) addSafe(conteudo, readSafe(info, senha, spend), senha, spend)
  return conteudo
}

function contentOf(info: Der, type: string): Der {
  if (oidOf(childAt(info, 0)) !== type) throw new Error('PKCS#12: another type of content')
  return childAt(childAt(info, 1), 0)
}

const terminated = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le').swap16()

const onlySenha = (texto: string): Senha => ({ utf16: terminated(texto), utf8: Buffer.from(texto) })

/**
 * The ways in which programs write one password. None may be the empty text or nothing at all, and OpenSSL
 * before 1.1.0 widened each byte of UTF-8 (its passphrase-encoding(7)).
 */
function senhasOf(texto: string): Senha[] {
  const first = onlySenha(texto)
  if (texto === '') return [first, { ...first, utf16: Buffer.alloc(0) }]
  const widened = terminated(first.utf8.toString('latin1'))
  return widened.equals(first.utf16) ? [first] : [first, { ...first, utf16: widened }]
}

function checkMac(mac: Der, dados: Buffer, texto: string, spend: Esforco): Senha {
  const info = childAt(mac, 0, SEQUENCE)
  const resumo = macs[oidOf(childAt(childAt(info, 0), 0))]
  if (resumo === undefined) throw macDesconhecido()
  const expected = octetsOf(childAt(info, 1, OCTETS))
  const sal = octetsOf(childAt(mac, 1, OCTETS))
  const iteracoes = mac.filhos[2] ? integerOf(mac.filhos[2]) : 1
  const found = senhasOf(texto).find(({ utf16 }) => {
    const key = derivePkcs12({ senha: utf16, sal, iteracoes, resumo }, USO.mac, resumo.bytes, spend)
    const actual = createHmac(resumo.nome, key).update(dados).digest()
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  })
  if (found === undefined) throw senhaErrada()
  return found
}

/** PBMAC1 (RFC 9579) is one, which OpenSSL 3.4 writes on request. */
const macDesconhecido = (): CertificadoError =>
  new CertificadoError(
    'ilegivel',
    'O arquivo do certificado usa uma verificação de integridade que não é aceita. Exporte o certificado de novo com as opções padrão e envie o novo arquivo.',
  )

const senhaErrada = (): CertificadoError =>
  new CertificadoError(
    'senha',
    'A senha não abre o certificado. Confira maiúsculas, acentos e espaços, e envie a senha criada quando o arquivo .pfx foi exportado.',
  )

function readSafe(info: Der, senha: Senha, spend: Esforco): Der {
  if (oidOf(childAt(info, 0)) !== ENCRYPTED_DATA) return readDer(octetsOf(contentOf(info, DATA)))
  const encrypted = childAt(contentOf(info, ENCRYPTED_DATA), 1, SEQUENCE)
  return openWith(childAt(encrypted, 1), octetsOf(childAt(encrypted, 2)), senha, spend)
}

/** A wrong password can also give bytes that are no DER: one in 256 of them ends in a right padding. */
function openWith(algoritmo: Der, dados: Buffer, senha: Senha, spend: Esforco): Der {
  try {
    return readDer(decrypt(algoritmo, dados, senha, spend))
  } catch (error) {
    throw error instanceof CertificadoError ? error : senhaErrada()
  }
}

/** SafeBags by the last arc of 1.2.840.113549.1.12.10.1.n: 1 key, 2 encrypted, 3 certificate, 6 nested. */
function addSafe(conteudo: Conteudo, safe: Der, senha: Senha, spend: Esforco): void {
  for (const bag of safe.filhos) {
    const value = childAt(childAt(bag, 1), 0)
    switch (oidOf(childAt(bag, 0))) {
      case '1.2.840.113549.1.12.10.1.1':
        conteudo.chaves.push(value.inteiro)
        break
      case '1.2.840.113549.1.12.10.1.2':
        conteudo.chaves.push(openWith(childAt(value, 0), octetsOf(childAt(value, 1)), senha, spend).inteiro)
        break
      case '1.2.840.113549.1.12.10.1.3':
        if (oidOf(childAt(value, 0)) === X509) {
          conteudo.certificados.push(octetsOf(childAt(childAt(value, 1), 0)))
        }
        break
      case '1.2.840.113549.1.12.10.1.6':
        addSafe(conteudo, value, senha, spend)
        break
    }
  }
}
