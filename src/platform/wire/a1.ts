import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isCnpj, isCpf } from '../../documento/documento.ts'
import { findUf } from '../../documento/uf.ts'
import {
  type A1,
  arquivoIlegivel,
  CertificadoError,
  describeRead,
  impressaoOf,
  isIssuedBy,
  parseX509,
  type Titular,
} from './certificado.ts'
import { childAt, type Der, OID, octetsOf, oidOf, readDer, SEQUENCE, textOf } from './der.ts'
import { MAX_ROUNDS, openPkcs12 } from './pkcs12.ts'

const SUBJECT_ALT_NAME = '2.5.29.17'
const COMMON_NAME = '2.5.4.3'
const STATE = '2.5.4.8'
const CNPJ = '2.16.76.1.3.3'
/** It holds the birth date (8), the CPF (11), and more. */
const PESSOA_FISICA = '2.16.76.1.3.1'

const OTHER_NAME = 0xa0
const EXTENSIONS = 0xa3
const VERSION = 0xa0

/**
 * Finds the holder of a certificate (DER): by the otherName entries of ICP-Brasil (DOC-ICP-04), else by the
 * end of its CN (`EMPRESA LTDA:11222333000181`); undefined if there is none. The entry 2.16.76.1.3.4 is not
 * read, because it names the company's representative.
 */
export function findTitular(certificado: Buffer): Titular | undefined {
  const tbs = childAt(readDer(certificado), 0, SEQUENCE)
  const cn = readAttribute(tbs, COMMON_NAME)
  const names = otherNamesOf(tbs.filhos.find(({ tag }) => tag === EXTENSIONS))
  const inCn = /^(.*):([A-Z0-9]{12}\d{2}|\d{11})$/.exec(cn.trim())
  const nome = (inCn?.[1] ?? cn).trim()
  const uf = findUf(readAttribute(tbs, STATE).trim())
  const known = { nome, ...(uf && { uf }) }
  const candidates = [names.get(CNPJ)?.trim(), names.get(PESSOA_FISICA)?.slice(8, 19), inCn?.[2]]
  for (const documento of candidates) {
    if (documento === undefined) continue
    if (isCnpj(documento)) return { tipo: 'cnpj', documento, ...known }
    if (isCpf(documento)) return { tipo: 'cpf', documento, ...known }
  }
  return undefined
}

export const readNome = (certificado: Buffer): string =>
  readAttribute(childAt(readDer(certificado), 0, SEQUENCE), COMMON_NAME)

function readAttribute(tbs: Der, wanted: string): string {
  // Version 1 leaves the version out.
  const subject = childAt(tbs, childAt(tbs, 0).tag === VERSION ? 5 : 4)
  const attributes = subject.filhos.flatMap(({ filhos }) => filhos)
  const found = attributes.findLast(({ filhos: [type] }) => type?.tag === OID && oidOf(type) === wanted)
  return found ? textOf(childAt(found, 1)) : ''
}

function otherNamesOf(extensions: Der | undefined): Map<string, string> {
  const found = new Map<string, string>()
  if (extensions === undefined) return found
  for (const extension of childAt(extensions, 0, SEQUENCE).filhos) {
    if (oidOf(childAt(extension, 0)) !== SUBJECT_ALT_NAME) continue
    const value = octetsOf(childAt(extension, extension.filhos.length - 1))
    for (const name of readDer(value).filhos) {
      if (name.tag !== OTHER_NAME) continue
      const type = oidOf(childAt(name, 0))
      // Authorities write the value as OCTET STRING, PrintableString or UTF8String, some padded with blanks.
      if (!found.has(type)) found.set(type, textOf(childAt(childAt(name, 1), 0)))
    }
  }
  return found
}

/** Blocks the thread: see `readPfx`. Throws CertificadoError (`demorado` beyond `rounds`). */
export function parseA1(pfx: Buffer, senha: string, rounds = MAX_ROUNDS): A1 {
  try {
    return readA1(pfx, senha, rounds)
  } catch (error) {
    if (error instanceof CertificadoError) throw error
    // The errors of DER and OpenSSL about foreign bytes do not help the client.
    throw isCertificado(pfx) ? semChave() : arquivoIlegivel()
  }
}

const semChave = (): CertificadoError =>
  new CertificadoError(
    'sem-chave',
    'O arquivo não tem a chave privada. Exporte o certificado de novo com a opção "exportar a chave privada" e envie o novo arquivo, .pfx ou .p12.',
  )

const isCertificado = (file: Buffer): boolean => parseX509(file)?.raw.equals(file) ?? false

function readA1(pfx: Buffer, senha: string, rounds: number): A1 {
  const { chaves, certificados } = openPkcs12(pfx, senha, rounds)
  if (chaves.length === 0) throw semChave()
  const certs = readCerts(certificados)
  const pairs = pairsOf(chaves.map(readKey), certs)
  const [{ chave, folha }, ...others] = pairs
  const titular = findTitular(folha.raw)
  if (titular === undefined) {
    throw new CertificadoError(
      'sem-titular',
      'O certificado não diz o CNPJ nem o CPF do titular. Envie um certificado e-CNPJ ou e-CPF da ICP-Brasil.',
    )
  }
  return {
    key: pemOf(chave),
    cert: chainOf(folha, certs).join(''),
    titular,
    maisTitulares: others.some(
      (other) => (findTitular(other.folha.raw) ?? titular).documento !== titular.documento,
    ),
    inicio: new Date(folha.validFrom),
    fim: new Date(folha.validTo),
    chave: describeKey(chave),
    impressao: impressaoOf(folha),
  }
}

function readKey(der: Buffer): KeyObject {
  const chave = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  der.fill(0)
  return chave
}

/** A file made of several repeats their authorities. What OpenSSL cannot read is left out. */
function readCerts(ders: readonly Buffer[]): X509Certificate[] {
  const certs = ders.flatMap((der) => parseX509(der) ?? [])
  return [...new Map(certs.map((cert) => [cert.fingerprint256, cert])).values()]
}

type Pair = { chave: KeyObject; folha: X509Certificate }

/** The newest first. Some files list the authority's certificate first. */
function pairsOf(chaves: KeyObject[], certs: X509Certificate[]): [Pair, ...Pair[]] {
  const pairs = chaves.flatMap((chave) =>
    certs.filter((cert) => cert.checkPrivateKey(chave)).map((folha) => ({ chave, folha })),
  )
  const [newest, ...others] = pairs.sort((a, b) => Date.parse(b.folha.validTo) - Date.parse(a.folha.validTo))
  if (newest) return [newest, ...others]
  throw new CertificadoError(
    'sem-certificado',
    'O arquivo tem a chave privada, mas não o certificado dela. Exporte os dois juntos e envie o novo arquivo.',
  )
}

function chainOf(folha: X509Certificate, certs: readonly X509Certificate[]): string[] {
  const chain = [folha]
  for (let last: X509Certificate | undefined = folha; last !== undefined; ) {
    const subject: X509Certificate = last
    last = certs.find((issuer) => !chain.includes(issuer) && isIssuedBy(subject, issuer))
    if (last) chain.push(last)
  }
  return chain.map(String)
}

/** Allocates its own memory, not Buffer's pool: the key moves to another thread, and is wiped. */
function pemOf(chave: KeyObject): Buffer {
  const pem = chave.export({ type: 'pkcs8', format: 'pem' }).toString()
  const own = Buffer.alloc(pem.length)
  own.write(pem, 'latin1')
  return own
}

const curves: Record<string, string> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }

/** Describes the key. An NF-e event is signed with RSA, and a key for PSS alone cannot do that. */
function describeKey({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): string {
  const { modulusLength, namedCurve } = asymmetricKeyDetails
  if (asymmetricKeyType === 'rsa') return `RSA ${modulusLength}`
  if (namedCurve !== undefined) return `EC ${curves[namedCurve] ?? namedCurve}`
  return String(asymmetricKeyType).replace('rsa-', '').toUpperCase()
}

/**
 * Reads the operator's own certificate at the start of the process; undefined if `A1_FILE` is not set; one
 * that is not in force is given all the same (see avisoDeValidade). Throws CertificadoError, which names the
 * settings.
 */
export async function loadOperador({
  A1_FILE,
  A1_PASSWORD,
}: {
  A1_FILE: string | undefined
  A1_PASSWORD: string | undefined
}): Promise<A1 | undefined> {
  if (A1_FILE === undefined) return undefined
  const pfx = await readArquivo(A1_FILE)
  try {
    return parseA1(pfx, A1_PASSWORD ?? '')
  } catch (error) {
    if (!(error instanceof CertificadoError)) throw error
    const setting = error.motivo === 'senha' ? `A1_PASSWORD, para ${A1_FILE}` : `A1_FILE, em ${A1_FILE}`
    throw new CertificadoError(error.motivo, `Certificado do operador (${setting}): ${error.message}`)
  }
}

async function readArquivo(arquivo: string): Promise<Buffer> {
  try {
    return await readFile(arquivo)
  } catch (error) {
    throw new CertificadoError(
      'ilegivel',
      `Certificado do operador (A1_FILE, em ${arquivo}): ${describeRead(error)}. Corrija A1_FILE ou copie o .pfx para lá.`,
    )
  }
}
