import { hash } from 'node:crypto'
import { ParseOption, XmlDocument, XmlError, type XmlNode, XmlParseError } from 'libxml2-wasm'
import { diaDoInstante } from '../documento/dia.ts'
import { descend, type Elemento, escapeXml, readArvore } from './arvore.ts'
import { DiagnosticoRecusado } from './rules-laudo.ts'

/** An XML that is not well formed: where it breaks, from 1. */
export type Malformado = { linha: number; coluna: number }

/** A text is UTF-8 already, whatever it declares. */
const opcoes = { option: ParseOption.XML_PARSE_IGNORE_ENC | ParseOption.XML_PARSE_NO_XXE }

/** The document belongs to the caller. */
export function readDocumento(texto: string): XmlDocument | Malformado {
  try {
    // The library writes a text into its memory sign by sign, which takes half as long as to parse it.
    return texto.isWellFormed()
      ? XmlDocument.fromBuffer(Buffer.from(texto), opcoes)
      : XmlDocument.fromString(texto, opcoes)
  } catch (error) {
    if (!(error instanceof XmlParseError)) throw error
    const [primeiro] = error.details
    return { linha: primeiro?.line ?? 1, coluna: primeiro?.col ?? 1 }
  }
}

const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const NFE = 'http://www.portalfiscal.inf.br/nfe'

/** The canonical forms (C14N 1.0) that a signature is made of. Undefined where there is no such element. */
export type Canonicos = { infNFe: string | undefined; signedInfo: string | undefined }

/**
 * A part of a document takes five times as long as the whole: a note without prefixes is written whole and
 * cut.
 */
export function canonize(documento: XmlDocument, xml: string): Canonicos {
  const comInstrucao = xml.lastIndexOf('<?') > 0
  if (comInstrucao || xml.includes('xmlns:') || xml.includes('xml:')) return canonizePartes(documento)
  const inteiro = isCanonico(xml) ? xml : write(documento)
  if (inteiro === undefined) return { infNFe: undefined, signedInfo: undefined }
  return { infNFe: cut(inteiro, 'infNFe', NFE), signedInfo: cut(inteiro, 'SignedInfo', DSIG) }
}

/** Whether C14N would write it as it stands, as issuers sign and send it. False where it is not certain. */
function isCanonico(xml: string): boolean {
  const nota = xml.replace(/^<\?xml[^>]*\?>/, '')
  if (nota.includes('\r') || nota.includes('/>') || nota.includes('<!')) return false
  // A `>` that ends no tag, and whatever is escaped that need not be, or otherwise than C14N does.
  if (/>[^<>]*>/.test(nota) || (nota.includes('&') && /&(?!(?:amp|lt|gt);)/.test(nota))) return false
  for (const [etiqueta] of nota.matchAll(/<[^<>\s]+\s[^<>]*>/g))
    if (!isEtiquetaCanonica(etiqueta)) return false
  return true
}

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
export function canonizePartes(documento: XmlDocument): Canonicos {
  const parte = (nome: string): string | undefined => {
    const no = documento.get(`//*[local-name()='${nome}']`)
    return no ? write(no) : undefined
  }
  return { infNFe: parte('infNFe'), signedInfo: parte('SignedInfo') }
}

/** Undefined for what has no canonical form, as under a relative namespace (C14N 1.0, 1.3). */
function write(no: XmlDocument | XmlNode): string | undefined {
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
function cut(texto: string, nome: string, namespace: string): string | undefined {
  const inicio = texto.search(new RegExp(`<${nome}[ >]`))
  const fecho = `</${nome}>`
  const fim = inicio < 0 ? -1 : texto.indexOf(fecho, inicio)
  if (fim < 0) return undefined
  const elemento = texto.slice(inicio, fim + fecho.length)
  if (elemento.startsWith(`<${nome} xmlns=`)) return elemento
  return `<${nome} xmlns="${namespace}"${elemento.slice(nome.length + 1)}`
}

/**
 * Blanks alone in an element are what it says, and stay. A canonical text has no other `>` (C14N 1.0, 2.3).
 */
export const semEspacos = (xml: string): string =>
  xml.replace(/(<[^<>]*>)[ \t\r\n]+(?=<(\/?))/g, (tudo, etiqueta: string, fecho: string) =>
    fecho === '/' && !etiqueta.startsWith('</') && !etiqueta.endsWith('/>') ? tudo : etiqueta,
  )

/** What the protocol of an authorization says; a text is empty where it says nothing. `dia` is AAAA-MM-DD. */
export type Protocolo = { recebidaEm: string; dia: string; chave: string; digest: string }

/** Authorised in time, with an alert (NT 2026.002 v1.11), or late. */
const AUTORIZADA: ReadonlySet<string> = new Set(['100', '120', '150'])

/** The first in its `nfeProc` that says that the note was authorised, and on what day. */
function readProtocolo({ nome, filhos }: Elemento): Protocolo | undefined {
  if (nome !== 'nfeProc') return undefined
  for (const filho of filhos) {
    const lido = filho.nome === 'protNFe' ? readInfProt(descend(filho, 'infProt')) : undefined
    if (lido) return lido
  }
  return undefined
}

function readInfProt(infProt: Elemento | undefined): Protocolo | undefined {
  const read = (campo: string): string => descend(infProt, campo)?.texto.trim() ?? ''
  const recebidaEm = read('dhRecbto')
  const dia = diaDoInstante(recebidaEm)
  if (dia === undefined || !AUTORIZADA.has(read('cStat'))) return undefined
  return { recebidaEm, dia, chave: read('chNFe'), digest: read('digVal') }
}

export const isDestaChave = ({ chave }: Protocolo, { infNFe }: { infNFe: Elemento }): boolean =>
  infNFe.atributos.Id === `NFe${chave}`

/** `digVal` is optional in the schema: without the digest the key has to do. */
export const isDesteConteudo = (
  { digest }: Protocolo,
  { documento, xml }: { documento: XmlDocument; xml: string },
): boolean => digest === '' || digest === resumo(documento, xml) || digest === resumoSemEspacos(xml)

function resumoSemEspacos(xml: string): string {
  const juntos = semEspacos(xml)
  if (juntos === xml) return ''
  const documento = readDocumento(juntos)
  if (!(documento instanceof XmlDocument)) return ''
  try {
    return resumo(documento, juntos)
  } finally {
    documento.dispose()
  }
}

const resumo = (documento: XmlDocument, xml: string): string =>
  hash('sha1', canonize(documento, xml).infNFe ?? '', 'base64')

/** A note that can be read. Dispose of both documents; they may be the same. */
export type NotaAberta = {
  inteiro: XmlDocument
  /** `NFe` alone, as the schema wants it. */
  documento: XmlDocument
  /** `NFe`, whose places count in `xml`. */
  nfe: Elemento
  infNFe: Elemento
  envelope: string | undefined
  comProtocolo: boolean
  protocolo: Protocolo | undefined
  xml: string
}

/** Throws DiagnosticoRecusado where there is no note, or several. */
export function openNota(texto: string): NotaAberta | Malformado {
  const inteiro = readDocumento(texto)
  if (!(inteiro instanceof XmlDocument)) return inteiro
  try {
    return splitNota(texto, inteiro)
  } catch (error) {
    inteiro.dispose()
    throw error
  }
}

function splitNota(texto: string, inteiro: XmlDocument): NotaAberta {
  const [raiz] = readArvore(texto).filhos
  if (!raiz) throw new DiagnosticoRecusado('nao-e-nfe')
  const notas = raiz.nome === 'NFe' ? [raiz] : raiz.filhos.filter(({ nome }) => nome === 'NFe')
  const [nfe] = notas
  if (notas.length > 1) throw new DiagnosticoRecusado('mais-de-uma-nota')
  const infNFe = nfe?.filhos.find(({ nome }) => nome === 'infNFe')
  if (!nfe || !infNFe) throw new DiagnosticoRecusado('nao-e-nfe')
  const comProtocolo = raiz.filhos.some(({ nome }) => nome === 'protNFe')
  const daNota = { inteiro, comProtocolo, protocolo: readProtocolo(raiz) }
  if (nfe === raiz) return { ...daNota, documento: inteiro, nfe, infNFe, envelope: undefined, xml: texto }
  const xml = comNamespace(texto.slice(nfe.inicio, nfe.fim), nfe)
  const [soNfe] = readArvore(xml).filhos
  const soInf = soNfe?.filhos.find(({ nome }) => nome === 'infNFe')
  const documento = readDocumento(xml)
  if (!soNfe || !soInf || !(documento instanceof XmlDocument)) throw new DiagnosticoRecusado('nao-e-nfe')
  return { ...daNota, documento, nfe: soNfe, infNFe: soInf, envelope: raiz.nome, xml }
}

/** The namespaces that `NFe` inherits are declared in it. Its own declarations stay. */
function comNamespace(xml: string, nfe: Elemento): string {
  const seus = Object.keys(nfe.atributos)
  const herdados = new Map<string, string>()
  for (let acima = nfe.pai; acima; acima = acima.pai)
    for (const [nome, valor] of Object.entries(acima.atributos))
      if (/^xmlns(?::|$)/.test(nome) && !seus.includes(nome) && !herdados.has(nome)) herdados.set(nome, valor)
  // A prefix that only the envelope uses is no part of what the issuer signed.
  const usados = [...herdados].filter(([nome]) => nome === 'xmlns' || xml.includes(`${nome.slice(6)}:`))
  const declaracoes = usados.map(([nome, valor]) => ` ${nome}="${escapeXml(valor)}"`).join('')
  return xml.replace(/^<[^\s/>]+/, (abertura) => abertura + declaracoes)
}
