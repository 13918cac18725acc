import { createDecipheriv } from 'node:crypto'
import { createRequire } from 'node:module'
import { CertificadoError } from './certificado.ts'
import { childAt, type Der, integerOf, OCTETS, OID, octetsOf, oidOf, SEQUENCE } from './der.ts'
import { derivePbkdf2, derivePkcs12, type Esforco, type Resumo, resumos, USO } from './derivacao.ts'

/** A password in both forms: UTF-16 with a terminator (PKCS#12) and UTF-8 (PBKDF2). */
export type Senha = { utf16: Buffer; utf8: Buffer }

const PBES2 = '1.2.840.113549.1.5.13'
const PBKDF2 = '1.2.840.113549.1.5.12'

/**
 * The algorithms of RFC 7292, appendix C: SHA-1 and the derivation of PKCS#12. Those with RC2 have the bits
 * of the key.
 */
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
export function decrypt(algoritmo: Der, dados: Buffer, senha: Senha, gasta: Esforco): Buffer {
  const oid = oidOf(childAt(algoritmo, 0))
  const params = childAt(algoritmo, 1, SEQUENCE)
  return oid === PBES2
    ? decryptPbes2(params, dados, senha.utf8, gasta)
    : decryptPkcs12(oid, params, dados, senha.utf16, gasta)
}

/** PBES2-params, PBKDF2-params (RFC 8018, appendix A). */
function decryptPbes2(params: Der, dados: Buffer, senha: Buffer, gasta: Esforco): Buffer {
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
  const chave = derivePbkdf2({ senha, sal, iteracoes, resumo }, known.chave, gasta)
  return decipher(known.cifra, chave, octetsOf(childAt(scheme, 1, OCTETS)), dados)
}

function decryptPkcs12(oid: string, params: Der, dados: Buffer, senha: Buffer, gasta: Esforco): Buffer {
  const known = pkcs12Ciphers[oid]
  if (known === undefined) throw cifraDesconhecida()
  const sal = octetsOf(childAt(params, 0, OCTETS))
  const semente = { senha, sal, iteracoes: integerOf(childAt(params, 1)), resumo: resumos.sha1 }
  const chave = derivePkcs12(semente, USO.chave, known.chave, gasta)
  const iv = derivePkcs12(semente, USO.iv, 8, gasta)
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

/**
 * OpenSSL 3 has RC2 only in its legacy provider, and most A1 files of Windows use it. node-forge takes 11 MB,
 * so the first such file loads it.
 */
function decipherRc2(chave: Buffer, iv: Buffer, dados: Buffer): Buffer {
  const forge: typeof import('node-forge') = require('node-forge')
  const cipher = forge.rc2.createDecryptionCipher(chave.toString('latin1'), chave.length * 8)
  cipher.start(iv.toString('latin1'))
  cipher.update(forge.util.createBuffer(dados.toString('latin1')))
  if (!cipher.finish()) throw new Error('RC2: wrong padding')
  return Buffer.from(cipher.output.getBytes(), 'latin1')
}
