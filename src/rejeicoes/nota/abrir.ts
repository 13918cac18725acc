import { type XmlDocument, XmlError, type XmlNode } from 'libxml2-wasm'

const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const NFE = 'http://www.portalfiscal.inf.br/nfe'

/** The canonical forms (C14N 1.0) that a signature is made of. Undefined where there is no such element. */
export type Canonicos = { infNFe: string | undefined; signedInfo: string | undefined }

/**
 * Writes the canonical forms of a note. That of a part of a document takes five times as long as that of the
 * whole one, so a note without prefixes is written whole and cut; one that is canonical is cut as it stands.
 */
export function canonizar(documento: XmlDocument, xml: string): Canonicos {
  const comInstrucao = xml.lastIndexOf('<?') > 0
  if (comInstrucao || xml.includes('xmlns:') || xml.includes('xml:')) return canonizarPartes(documento)
  const inteiro = isCanonico(xml) ? xml : escrever(documento)
  if (inteiro === undefined) return { infNFe: undefined, signedInfo: undefined }
  return {
    infNFe: cortar(inteiro, 'infNFe', NFE),
    signedInfo: cortar(inteiro, 'SignedInfo', DSIG),
  }
}

/**
 * Whether a note without prefixes and instructions is written as C14N writes it, as issuers sign and send it.
 * False where it is not certain.
 */
function isCanonico(xml: string): boolean {
  const nota = xml.replace(/^<\?xml[^>]*\?>/, '')
  if (nota.includes('\r') || nota.includes('/>') || nota.includes('<!')) return false
  // A `>` that ends no tag, and whatever is escaped that need not be, or otherwise than C14N does.
  if (/>[^<>]*>/.test(nota) || (nota.includes('&') && /&(?!(?:amp|lt|gt);)/.test(nota))) return false
  for (const [etiqueta] of nota.matchAll(/<[^<>\s]+\s[^<>]*>/g))
    if (!isEtiquetaCanonica(etiqueta)) return false
  return true
}

/** Whether a tag with attributes has them as C14N orders and writes them. */
function isEtiquetaCanonica(etiqueta: string): boolean {
  if (!/^<\w+(?: \w+="[^"&\t\n]*")+>$/.test(etiqueta)) return false
  const nomes = Array.from(etiqueta.matchAll(/ (\w+)="[^"]*"/g), ([, nome = '']) => nome)
  const [primeiro = ''] = nomes
  // A namespace comes first, and not where what is above has declared it.
  const atributos = primeiro === 'xmlns' ? nomes.slice(1) : nomes
  if (primeiro === 'xmlns' && !/^<(?:NFe|Signature) /.test(etiqueta)) return false
  return (
    !atributos.includes('xmlns') && atributos.every((nome, i) => i === 0 || (atributos[i - 1] ?? '') < nome)
  )
}

/** The same, for any note, in the namespaces that surround it. */
export function canonizarPartes(documento: XmlDocument): Canonicos {
  const parte = (nome: string): string | undefined => {
    const no = documento.get(`//*[local-name()='${nome}']`)
    return no ? escrever(no) : undefined
  }
  return { infNFe: parte('infNFe'), signedInfo: parte('SignedInfo') }
}

/** Undefined for what has no canonical form, as under a relative namespace (C14N 1.0, 1.3). */
function escrever(no: XmlDocument | XmlNode): string | undefined {
  const partes: Buffer[] = []
  try {
    no.canonicalize({
      // The memory is the library's, and is used again.
      write: (bytes: Uint8Array) => partes.push(Buffer.from(bytes)) && bytes.byteLength,
      close: () => true,
    })
  } catch (error) {
    if (error instanceof XmlError) return undefined
    throw error
  }
  return Buffer.concat(partes).toString('utf8')
}

/** An element of a canonical text, with the namespace that it inherits. */
function cortar(texto: string, nome: string, namespace: string): string | undefined {
  const inicio = texto.search(new RegExp(`<${nome}[ >]`))
  const fecho = `</${nome}>`
  const fim = inicio < 0 ? -1 : texto.indexOf(fecho, inicio)
  if (fim < 0) return undefined
  const elemento = texto.slice(inicio, fim + fecho.length)
  if (elemento.startsWith(`<${nome} xmlns=`)) return elemento
  return `<${nome} xmlns="${namespace}"${elemento.slice(nome.length + 1)}`
}

/**
 * An XML without the blanks between its elements; those of an element that has nothing else are what it says,
 * and stay. A canonical text has no `>` in its contents (C14N 1.0, 2.3).
 */
export const semEspacos = (xml: string): string =>
  xml.replace(/(<[^<>]*>)[ \t\r\n]+(?=<(\/?))/g, (tudo, etiqueta: string, fecho: string) =>
    fecho === '/' && !etiqueta.startsWith('</') && !etiqueta.endsWith('/>') ? tudo : etiqueta,
  )
