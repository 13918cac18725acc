import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto'

/** An element to be signed, and its signer. */
export type Assinavel = {
  /** The canonical form (C14N 1.0) of the element, as if it began its document: with its namespace. */
  canonico: string
  /** Its `Id`. */
  id: string
  /** PEM (PKCS#8) of an RSA key. */
  key: Buffer
  /** PEM. Only the first certificate, the leaf, goes into the signature. */
  cert: string
}

const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'

/**
 * Makes the `Signature` that follows an element (xmldsig-core-schema_v1.01.xsd: RSA-SHA1, enveloped, C14N
 * 1.0). It writes the canonical form, so that what is signed is what is sent; throws Error for a key that is
 * not RSA.
 */
export function assinar({ canonico, id, key, cert }: Assinavel): string {
  const privada = createPrivateKey(key)
  if (privada.asymmetricKeyType !== 'rsa') throw new Error('only an RSA key can sign an NF-e event')
  const info = signedInfo(id, createHash('sha1').update(canonico, 'utf8').digest('base64'))
  const assinado = sign('sha1', Buffer.from(`<SignedInfo xmlns="${DSIG}">${info}</SignedInfo>`), privada)
  const folha = new X509Certificate(cert).raw.toString('base64')
  const dados = element('X509Data', element('X509Certificate', folha))
  return `<Signature xmlns="${DSIG}">${element('SignedInfo', info)}${element('SignatureValue', assinado.toString('base64'))}${element('KeyInfo', dados)}</Signature>`
}

const element = (name: string, content: string): string => `<${name}>${content}</${name}>`

/** An algorithm of the signature. C14N writes no empty tags. */
const method = (name: string, algorithm: string): string => `<${name} Algorithm="${algorithm}"></${name}>`

function signedInfo(id: string, digest: string): string {
  const transforms = method('Transform', `${DSIG}enveloped-signature`) + method('Transform', C14N)
  const reference =
    element('Transforms', transforms) + method('DigestMethod', `${DSIG}sha1`) + element('DigestValue', digest)
  return (
    method('CanonicalizationMethod', C14N) +
    method('SignatureMethod', `${DSIG}rsa-sha1`) +
    `<Reference URI="#${id}">${reference}</Reference>`
  )
}

/** Writes a text between tags as C14N does (Canonical XML 1.0, 2.3). */
export const escapeText = (text: string): string => text.replace(/[&<>\r]/g, (char) => ESCAPED[char] ?? char)

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' }
