import type { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { unzipSync } from 'fflate'
import { readNome } from './a1.ts'
import { CertificadoError, describeRead, impressaoOf, isIssuedBy, parseX509 } from './certificado.ts'
import { childAt, oidOf, readDer } from './der.ts'

type CertificadoAchado = { onde: string; der: Buffer }

/** The authority's zip of all its CAs has about 1 MB, and each certificate is far smaller. */
const MAX_ENTRY_BYTES = 1 << 20
const MAX_ZIP_BYTES = 64 << 20

const SIGNED_DATA = '1.2.840.113549.1.7.2'
const CERTIFICATES = 0xa0

/** PEM, DER, PKCS#7 or a zip of those, else throws Error. `onBroken` hears of a broken entry. */
function findCertificados(
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
  if (first.filhos.length > 0) return [element.inteiro]
  if (oidOf(first) !== SIGNED_DATA) throw new Error('PKCS#7: holds no certificates')
  const signedData = childAt(childAt(element, 1), 0)
  return signedData.filhos.filter(({ tag }) => tag === CERTIFICATES).flatMap(certificatesOf)
}

const certificatesOf = ({ filhos }: ReturnType<typeof readDer>): Buffer[] =>
  filhos.map(({ inteiro }) => inteiro)

type AutoridadeCertificadora = {
  nome: string
  fim: Date
  impressao: string
  tipo: 'raiz' | 'intermediaria'
  /** An intermediate whose issuer is not in the bundle. By itself it makes nothing trusted. */
  orfa: boolean
  pem: string
}

export type Cadeia = {
  autoridades: AutoridadeCertificadora[]
  recusados: { onde: string; motivo: string }[]
}

/** Each once, without what is no CA or not in force. Throws CertificadoError, which names the file. */
export function readCadeia(arquivos: readonly string[], now: Date): Cadeia {
  const recusados: Cadeia['recusados'] = []
  const found = new Map<string, X509Certificate>()
  const onBroken = (onde: string): void => void recusados.push({ onde, motivo: 'ilegível' })
  for (const { onde, der } of arquivos.flatMap((arquivo) => readArquivo(arquivo, onBroken))) {
    const cert = parseX509(der)
    const motivo = cert ? whyNot(cert, now) : 'ilegível'
    if (cert && motivo === undefined) found.set(cert.fingerprint256, cert)
    else recusados.push({ onde: cert ? `${onde} (${readNome(cert.raw)})` : onde, motivo: motivo ?? '' })
  }
  const autoridades = describe([...found.values()])
  return { autoridades, recusados }
}

function readArquivo(arquivo: string, onBroken: (onde: string) => void): CertificadoAchado[] {
  const dados = readDados(arquivo)
  try {
    const achados = findCertificados(basename(arquivo), dados, onBroken)
    if (achados.length > 0) return achados
  } catch {}
  throw new CertificadoError(
    'ilegivel',
    `${arquivo} não contém certificados de autoridades. Envie arquivos .crt, .cer, .pem, .p7b ou um .zip deles.`,
  )
}

function readDados(arquivo: string): Buffer {
  try {
    return readFileSync(arquivo)
  } catch (error) {
    throw new CertificadoError('ilegivel', `Autoridades da ICP-Brasil em ${arquivo}: ${describeRead(error)}.`)
  }
}

function whyNot(cert: X509Certificate, now: Date): string | undefined {
  if (!cert.ca) return 'não é de autoridade certificadora'
  if (now > new Date(cert.validTo)) return 'vencido'
  if (now < new Date(cert.validFrom)) return 'ainda não vale'
  return undefined
}

function describe(certs: readonly X509Certificate[]): AutoridadeCertificadora[] {
  const bySubject = Map.groupBy(certs, ({ subject }) => subject)
  const autoridades = certs.map((cert): AutoridadeCertificadora => {
    const raiz = isIssuedBy(cert, cert)
    return {
      nome: readNome(cert.raw),
      fim: new Date(cert.validTo),
      impressao: impressaoOf(cert),
      tipo: raiz ? 'raiz' : 'intermediaria',
      orfa: !(bySubject.get(cert.issuer) ?? []).some((issuer) => isIssuedBy(cert, issuer)),
      pem: cert.toString(),
    }
  })
  return autoridades.sort((a, b) => b.tipo.localeCompare(a.tipo) || a.nome.localeCompare(b.nome, 'pt-BR'))
}

type Lugar = { ICP_BRASIL_CA_FILE: string | undefined; DATA_DIR: string }

/** The file of the bundle: the setting's, else `icp-brasil.pem` in the data folder. */
export const cadeiaFile = ({ ICP_BRASIL_CA_FILE, DATA_DIR }: Lugar): string =>
  ICP_BRASIL_CA_FILE ?? join(DATA_DIR, 'icp-brasil.pem')

export function loadCadeia(arquivo: string): string[] {
  const onBroken = (): void => undefined
  return readArquivo(arquivo, onBroken).flatMap(({ der }) => parseX509(der)?.toString() ?? [])
}

export function findCadeia(lugar: Lugar): string[] {
  const arquivo = cadeiaFile(lugar)
  return lugar.ICP_BRASIL_CA_FILE === undefined && !existsSync(arquivo) ? [] : loadCadeia(arquivo)
}
