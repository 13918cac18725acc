import { X509Certificate } from 'node:crypto'

/** Whether `issuer` issued the certificate, by its name and its signature. */
export const isIssuedBy = (cert: X509Certificate, issuer: X509Certificate): boolean =>
  cert.checkIssued(issuer) && cert.verify(issuer.publicKey)

/** SHA-256 of a certificate, 64 lower-case hex digits. */
export const impressaoOf = ({ fingerprint256 }: X509Certificate): string =>
  fingerprint256.replaceAll(':', '').toLowerCase()

/** Parses a certificate in DER. Undefined if OpenSSL does not accept it. */
export function parseX509(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der)
  } catch {
    return undefined
  }
}
