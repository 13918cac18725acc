import { X509Certificate } from 'node:crypto'
import { DSIG } from '../platform/area.ts'
import type { Chamador } from '../platform/autoridade.ts'
import { lerTitular } from '../platform/icp/titular.ts'
import { type Elemento, percorrer } from '../platform/xml.ts'
import type { EventoPedido } from './evento.ts'

const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'

/** The context of a signature: its message, the trusted certificates, and the time. */
export type Juizo = { area: string; cadeia: readonly X509Certificate[]; agora: Date }

// 290 to 293 judge the certificate, 213 and 227 its holder. 298: another form than the only one allowed
// (xmldsig-core-schema_v1.01.xsd); 297: digest or signature do not match the message.
/**
 * The rules of the signature in the order of NT 2020.001 v1.50, 6.3.7. A signature that holds no certificate
 * is 298 at once.
 */
export async function conferirAssinatura(evento: EventoPedido, juizo: Juizo): Promise<number | undefined> {
  const { assinatura, autor, id } = evento
  const base64 = percorrer(assinatura).find(({ nome }) => nome === 'X509Certificate')?.texto
  if (!base64) return 298
  const certificado = abrir(base64)
  if (!certificado) return 290
  const recusa = conferirCertificado(certificado, juizo) ?? conferirAutor(autor, lerTitular(certificado))
  if (recusa) return recusa
  if (esqueleto(assinatura) !== forma(id)) return 298
  return (await confere(assinatura, certificado, juizo.area)) ? undefined : 297
}

function abrir(base64: string): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}

/**
 * No list of revoked certificates is simulated (294, 296), nor a chain that is not ICP-Brasil's and still
 * known (295).
 */
function conferirCertificado(certificado: X509Certificate, { cadeia, agora }: Juizo): number | undefined {
  if (certificado.ca) return 290
  if (agora < certificado.validFromDate || agora > certificado.validToDate) return 291
  if (!lerTitular(certificado)) return 292
  const assinado = cadeia.some((ca) => certificado.checkIssued(ca) && certificado.verify(ca.publicKey))
  return assinado ? undefined : 293
}

function conferirAutor(autor: EventoPedido['autor'], titular: Chamador | undefined): number | undefined {
  const { tipo, documento } = autor
  if (tipo === 'cpf') return titular?.documento === documento ? undefined : 227
  const mesmaBase = titular?.tipo === 'cnpj' && titular.documento.slice(0, 8) === documento.slice(0, 8)
  return mesmaBase ? undefined : 213
}

/** The one form that a signature may have, over the element of that Id. */
function forma(id: string): string {
  return (
    `Signature(SignedInfo(CanonicalizationMethod Algorithm=${C14N}()SignatureMethod Algorithm=${DSIG}rsa-sha1()` +
    `Reference URI=#${id}(Transforms(Transform Algorithm=${DSIG}enveloped-signature()Transform Algorithm=${C14N}())` +
    `DigestMethod Algorithm=${DSIG}sha1()DigestValue(#)))SignatureValue(#)KeyInfo(X509Data(X509Certificate(#))))`
  )
}

/** Names, attributes and order of elements; `#` where there is text. */
function esqueleto({ nome, atributos, filhos, texto }: Elemento): string {
  const seus = Object.entries(atributos).filter(([atributo]) => atributo !== 'xmlns')
  const conteudo = (texto.trim() && '#') + filhos.map(esqueleto).join('')
  return `${nome}${seus.map(([atributo, valor]) => ` ${atributo}=${valor}`).join('')}(${conteudo})`
}

/**
 * Checks digest and signature in the message taken out of its envelope: inclusive canonicalization would take
 * in the envelope's prefixes.
 */
async function confere(
  { inicio, fim }: Elemento,
  certificado: X509Certificate,
  area: string,
): Promise<boolean> {
  const { SignedXml } = await import('xml-crypto')
  const verificador = new SignedXml({ publicCert: certificado.toString() })
  try {
    verificador.loadSignature(area.slice(inicio, fim))
    return verificador.checkSignature(area)
  } catch {
    return false
  }
}
