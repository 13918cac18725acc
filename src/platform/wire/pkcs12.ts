import { createHmac, timingSafeEqual } from 'node:crypto'
import { CertificadoError } from './certificado.ts'
import { decrypt, type Senha } from './cifra.ts'
import { childAt, type Der, integerOf, OCTETS, octetsOf, oidOf, readDer, SEQUENCE } from './der.ts'
import { createEsforco, derivePkcs12, type Esforco, type Resumo, resumos, USO } from './derivacao.ts'

/** The content of a PKCS#12 file: private keys (PKCS#8) and certificates, as DER and in the file's order. */
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

/**
 * Opens a PKCS#12 file (RFC 7292) in password mode, and blocks the thread for the derivations. Throws
 * CertificadoError (`senha`, or `ilegivel` if it is not accepted), any other Error if it is no PKCS#12.
 */
export function openPkcs12(pfx: Buffer, texto: string, rounds: number): Conteudo {
  const raiz = readDer(pfx)
  if (integerOf(childAt(raiz, 0)) !== 3) throw new Error('PKCS#12: not version 3')
  const safe = contentOf(childAt(raiz, 1, SEQUENCE), DATA)
  const dados = octetsOf(safe)
  const gasta = createEsforco(rounds)
  const mac = raiz.filhos[2]
  const senha = mac ? checkMac(mac, dados, texto, gasta) : onlySenha(texto)
  const conteudo: Conteudo = { chaves: [], certificados: [] }
  for (const info of readDer(dados).filhos) addSafe(conteudo, readSafe(info, senha, gasta), senha, gasta)
  return conteudo
}

/** Gives the content of a ContentInfo, which must have this type. */
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

/** Checks MacData, and gives the password in the way that fits. */
function checkMac(mac: Der, dados: Buffer, texto: string, gasta: Esforco): Senha {
  const info = childAt(mac, 0, SEQUENCE)
  const resumo = macs[oidOf(childAt(childAt(info, 0), 0))]
  if (resumo === undefined) throw macDesconhecido()
  const expected = octetsOf(childAt(info, 1, OCTETS))
  const sal = octetsOf(childAt(mac, 1, OCTETS))
  const iteracoes = mac.filhos[2] ? integerOf(mac.filhos[2]) : 1
  const found = senhasOf(texto).find(({ utf16 }) => {
    const key = derivePkcs12({ senha: utf16, sal, iteracoes, resumo }, USO.mac, resumo.bytes, gasta)
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

/** Gives the SafeContents of a ContentInfo, decrypted if need be. */
function readSafe(info: Der, senha: Senha, gasta: Esforco): Der {
  if (oidOf(childAt(info, 0)) !== ENCRYPTED_DATA) return readDer(octetsOf(contentOf(info, DATA)))
  const encrypted = childAt(contentOf(info, ENCRYPTED_DATA), 1, SEQUENCE)
  return openWith(childAt(encrypted, 1), octetsOf(childAt(encrypted, 2)), senha, gasta)
}

/** A wrong password can also give bytes that are no DER: one in 256 of them ends in a right padding. */
function openWith(algoritmo: Der, dados: Buffer, senha: Senha, gasta: Esforco): Der {
  try {
    return readDer(decrypt(algoritmo, dados, senha, gasta))
  } catch (error) {
    throw error instanceof CertificadoError ? error : senhaErrada()
  }
}

/**
 * SafeBags, by the last arc of their type 1.2.840.113549.1.12.10.1.n: 1 key, 2 encrypted key, 3 certificate,
 * 6 nested.
 */
function addSafe(conteudo: Conteudo, safe: Der, senha: Senha, gasta: Esforco): void {
  for (const bag of safe.filhos) {
    const value = childAt(childAt(bag, 1), 0)
    switch (oidOf(childAt(bag, 0))) {
      case '1.2.840.113549.1.12.10.1.1':
        conteudo.chaves.push(value.inteiro)
        break
      case '1.2.840.113549.1.12.10.1.2':
        conteudo.chaves.push(openWith(childAt(value, 0), octetsOf(childAt(value, 1)), senha, gasta).inteiro)
        break
      case '1.2.840.113549.1.12.10.1.3':
        if (oidOf(childAt(value, 0)) === X509) {
          conteudo.certificados.push(octetsOf(childAt(childAt(value, 1), 0)))
        }
        break
      case '1.2.840.113549.1.12.10.1.6':
        addSafe(conteudo, value, senha, gasta)
        break
    }
  }
}
