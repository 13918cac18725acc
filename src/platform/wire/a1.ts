import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto'
import { type A1, CertificadoError } from './certificado.ts'
import { MAX_ROUNDS } from './derivacao.ts'
import { arquivoIlegivel } from './erro.ts'
import { openPkcs12 } from './pkcs12.ts'
import { findTitular } from './titular.ts'
import { impressaoOf, isIssuedBy, parseX509 } from './x509.ts'

/**
 * Reads an A1 file: its private key, the certificate of that key and the chain. It blocks the thread, so
 * `readPfx` reads clients' files; throws CertificadoError (`demorado` if the file needs more than `rounds`).
 */
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

/** Whether the file is a certificate alone, as a .cer is. */
const isCertificado = (file: Buffer): boolean => parseX509(file)?.raw.equals(file) ?? false

function readA1(pfx: Buffer, senha: string, rounds: number): A1 {
  const { chaves, certificados } = openPkcs12(pfx, senha, rounds)
  if (chaves.length === 0) throw semChave()
  const certs = readCerts(certificados)
  const pairs = pairsOf(chaves.map(readKey), certs)
  const [{ chave, folha }] = pairs
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
    maisTitulares: pairs.some(
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

/**
 * Reads each certificate once: a file made of several repeats their authorities. A certificate that OpenSSL
 * cannot read is left out.
 */
function readCerts(ders: readonly Buffer[]): X509Certificate[] {
  const certs = ders.flatMap((der) => parseX509(der) ?? [])
  return [...new Map(certs.map((cert) => [cert.fingerprint256, cert])).values()]
}

type Pair = { chave: KeyObject; folha: X509Certificate }

/**
 * The certificates that have a key in the file, the newest first. Some files list the authority's certificate
 * first.
 */
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

/** The PEM of the leaf and of its issuers in the file, in issuing order. */
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
