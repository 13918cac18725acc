import { unzipSync } from 'fflate'
import { childAt, oidOf, readDer } from './der.ts'

/** A certificate of a file, as DER. `onde` names the file, and the entry of a zip. */
export type CertificadoAchado = { onde: string; der: Buffer }

/**
 * The authority's zip of all its CAs has about 1 MB, and each certificate is far smaller than the limit of an
 * entry.
 */
const MAX_ENTRY_BYTES = 1 << 20
const MAX_ZIP_BYTES = 64 << 20

const SIGNED_DATA = '1.2.840.113549.1.7.2'
const CERTIFICATES = 0xa0

/**
 * Finds the certificates in a file: PEM (any number), DER, PKCS#7 (`.p7b`) in either form, or a zip of those.
 * Throws Error if it is none of them, and reports a broken entry of a zip to `onBroken`.
 */
export function findCertificados(
  onde: string,
  dados: Buffer,
  onBroken: (onde: string) => void,
): CertificadoAchado[] {
  if (dados.subarray(0, 4).toString('latin1') !== 'PK\x03\x04') {
    return unpack(dados).map((der) => ({ onde, der }))
  }
  return Object.entries(unzip(dados)).flatMap(([name, bytes]) => {
    const entry = `${onde}: ${name}`
    try {
      return unpack(Buffer.from(bytes)).map((der) => ({ onde: entry, der }))
    } catch {
      onBroken(entry)
      return []
    }
  })
}

function unzip(dados: Buffer): Record<string, Uint8Array> {
  let total = 0
  return unzipSync(dados, {
    filter: ({ name, originalSize }) => {
      if (!/\.(crt|cer|der|pem|p7b|p7c)$/i.test(name)) return false
      total += originalSize
      if (originalSize > MAX_ENTRY_BYTES || total > MAX_ZIP_BYTES) throw new Error('zip: too large')
      return true
    },
  })
}

function unpack(dados: Buffer): Buffer[] {
  const text = dados.toString('latin1')
  if (!text.includes('-----BEGIN ')) return unpackDer(dados)
  const blocks = text.matchAll(/-----BEGIN (CERTIFICATE|PKCS7)-----([A-Za-z0-9+/=\s]+)-----END \1-----/g)
  return [...blocks].flatMap(([, , base64 = '']) => unpackDer(Buffer.from(base64, 'base64')))
}

function unpackDer(dados: Buffer): Buffer[] {
  const element = readDer(dados)
  const first = childAt(element, 0)
  // A certificate starts with a SEQUENCE; PKCS#7 starts with the type of its content.
  if (first.filhos.length > 0) return [element.inteiro]
  if (oidOf(first) !== SIGNED_DATA) throw new Error('PKCS#7: holds no certificates')
  const signedData = childAt(childAt(element, 1), 0)
  return signedData.filhos.filter(({ tag }) => tag === CERTIFICATES).flatMap(certificatesOf)
}

const certificatesOf = ({ filhos }: ReturnType<typeof readDer>): Buffer[] =>
  filhos.map(({ inteiro }) => inteiro)
