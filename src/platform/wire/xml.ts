import { createRequire } from 'node:module'
import { quoteOf } from '../texto.ts'
import type { ClientCertificate } from './dial.ts'
import { OUTAGE_S, type Source, SourceError } from './fonte.ts'
import { type Http, type Reply, retryAfterOf } from './http.ts'

// Its other form is forty files to find and read, as a command starts.
const { XMLParser }: typeof import('fast-xml-parser') = createRequire(import.meta.url)('fast-xml-parser')

/** By local names. A child is a text, an element, or an array of them if its name repeats. */
export type XmlNode = unknown

// Authorities use any prefix, and our readers need no attributes.
const parser = new XMLParser({
  removeNSPrefix: true,
  parseTagValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  htmlEntities: true,
})

/** The largest answer has a tenth of each limit. A larger one takes seconds and half a gigabyte. */
const MOST_TAGS = 10_000
const MOST_ATTRIBUTES = 2_000

/** Undefined if it is not well-formed, larger than any answer, or declares a DTD. */
export function parseXml(text: string): XmlNode | undefined {
  if (text.includes('<!DOCTYPE') || isExcessive(text)) return undefined
  try {
    return parser.parse(text.trimStart(), true)
  } catch {
    return undefined
  }
}

const isExcessive = (text: string): boolean =>
  holdsMore(text, /</g, MOST_TAGS) || holdsMore(text, /=\s*["']/g, MOST_ATTRIBUTES)

function holdsMore(text: string, piece: RegExp, most: number): boolean {
  let count = 0
  for (const _ of text.matchAll(piece)) if (++count > most) return true
  return false
}

export const child = (node: XmlNode, name: string): XmlNode =>
  typeof node === 'object' && node !== null && Object.hasOwn(node, name) ? Reflect.get(node, name) : undefined

export function children(node: XmlNode, name: string): XmlNode[] {
  const found = child(node, name)
  if (found === undefined) return []
  return Array.isArray(found) ? found : [found]
}

export function textOf(node: XmlNode, name: string): string {
  const found = child(node, name)
  return typeof found === 'string' ? found.trim() : ''
}

/** The first element with this local name at any depth. An outer element comes before an inner one. */
export function findElement(node: XmlNode, name: string): XmlNode {
  const queue = [node]
  for (const next of queue) {
    const found = child(next, name)
    if (found !== undefined) return Array.isArray(found) ? found[0] : found
    if (typeof next === 'object' && next !== null)
      for (const inside of Object.values(next)) queue.push(inside)
  }
  return undefined
}

export type Achados = ReadonlyMap<string, readonly string[]>

/** Its children, the attributes that are wanted there, and whether its text is. */
type No = { path: string; filhos: Map<string, No>; atributos: Map<string, string>; wanted: boolean }

type Aberto = { name: string; no: No | undefined; text: string }

/** From `<` on: a tag (end, name, attributes, empty), CDATA (its text), a comment or an instruction. */
const MARK =
  /<(?:(\/)?([^\s<>/!?"'=]+)((?:\s+[^\s<>/"'=]+\s*=\s*(?:"[^<"]*"|'[^<']*'))*)\s*(\/)?>|!\[CDATA\[(.*?)\]\]>|!--.*?-->|\?.*?\?>)/sy
const ATTRIBUTE = /([^\s="']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no room for them, and they are what is looked for.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/
/** An ampersand that begins no reference. Without a DTD, XML knows only these. */
const STRAY = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)/
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Makes a reader of some paths of a document (`nfeProc/NFe/infNFe/@Id`: local names from the root), in a
 * tenth of parseXml's time. It gives the trimmed text at each path; undefined if the document is not
 * well-formed or has a DTD.
 */
export function createPathReader(paths: readonly string[]): (xml: string) => Achados | undefined {
  const root = newNo('')
  for (const path of paths) {
    const [elements = '', attribute] = path.split('/@')
    const no = elements.split('/').reduce(childNo, root)
    if (attribute === undefined) no.wanted = true
    else no.atributos.set(attribute, path)
  }
  return (xml) => (FORBIDDEN.test(xml) ? undefined : readPaths(xml.trim(), root))
}

const newNo = (path: string): No => ({ path, filhos: new Map(), atributos: new Map(), wanted: false })

function childNo(parent: No, name: string): No {
  const found = parent.filhos.get(name) ?? newNo(parent.path ? `${parent.path}/${name}` : name)
  parent.filhos.set(name, found)
  return found
}

function readPaths(xml: string, root: No): Achados | undefined {
  const found = new Map<string, string[]>()
  const stack: Aberto[] = [{ name: '', no: root, text: '' }]
  let roots = 0
  for (let at = 0; at < xml.length; at = MARK.lastIndex) {
    const start = xml.indexOf('<', at)
    const text = xml.slice(at, start)
    const top = stack[stack.length - 1]
    if (!top || start < 0 || !fits(text, stack.length === 1)) return undefined
    MARK.lastIndex = start
    const mark = MARK.exec(xml)
    if (!mark) return undefined
    const [, end, name, attributes = '', empty, cdata = ''] = mark
    if (top.no?.wanted) top.text += unescapeXml(text) + cdata
    if (name === undefined) continue
    if (end !== undefined) {
      if (name !== top.name || attributes || empty) return undefined
      keepText(top, found)
      stack.pop()
      continue
    }
    if (stack.length === 1 && ++roots > 1) return undefined
    const opened = { name, no: top.no?.filhos.get(localOf(name)), text: '' }
    keepAttributes(opened, attributes, found)
    if (empty === undefined) stack.push(opened)
    else keepText(opened, found)
  }
  return stack.length === 1 && roots === 1 ? found : undefined
}

const fits = (text: string, outside: boolean): boolean =>
  outside ? text.trim() === '' : !(text.includes('&') && STRAY.test(text))

function keepText({ no, text }: Aberto, found: Map<string, string[]>): void {
  if (no?.wanted) keep(no.path, text, found)
}

function keepAttributes({ no }: Aberto, attributes: string, found: Map<string, string[]>): void {
  if (!no || no.atributos.size === 0) return
  for (const [, name = '', double, single] of attributes.matchAll(ATTRIBUTE)) {
    const path = no.atributos.get(localOf(name))
    if (path !== undefined) keep(path, unescapeXml(double ?? single ?? ''), found)
  }
}

function keep(path: string, text: string, found: Map<string, string[]>): void {
  const texts = found.get(path)
  if (texts) texts.push(text.trim())
  else found.set(path, [text.trim()])
}

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Replaces the references in a text. An unknown reference stays as it is. */
function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** One call of a SEFAZ web service (MOC 7.0, "Padrão de comunicação"; official WSDLs). */
export type SoapCall = {
  source: Source
  url: string
  namespace: string
  operation: string
  /** The content of the Body, with nothing between the tags: an authority refuses even a line break (588). */
  body: string
  answer: string | readonly string[]
  certificate?: ClientCertificate | undefined
  /** False for a call that registers something. It is then never sent twice. */
  repeatable?: boolean
  deadlineMs: number
}

const ENVELOPE = 'http://www.w3.org/2003/05/soap-envelope'

/**
 * Posts a SOAP 1.2 envelope and gives the answer's element, found by its local name. Throws SourceError:
 * `blocked` for a page with 403 or 429, `http` for other refusals and for faults, `parse` for anything else.
 */
export async function callSoap(
  http: Http,
  call: SoapCall,
): Promise<{ answer: XmlNode; elapsedMs: number; tempos: Reply['tempos']; text: () => string }> {
  const { source, url, namespace, operation, certificate, repeatable = true, deadlineMs } = call
  const action = `${namespace}/${operation}`
  const reply = await http.send({
    source,
    method: 'POST',
    url,
    headers: { 'content-type': `application/soap+xml; charset=utf-8; action="${action}"` },
    body: `<?xml version="1.0" encoding="utf-8"?><soap12:Envelope xmlns:soap12="${ENVELOPE}"><soap12:Body>${call.body}</soap12:Body></soap12:Envelope>`,
    deadlineMs,
    repeatable,
    certificate,
  })
  const { elapsedMs, tempos } = reply
  const document = readXml(reply)
  const answer = findFirst(document, [call.answer].flat())
  if (answer !== undefined && reply.status === 200) return { answer, elapsedMs, tempos, text: reply.text }
  const fault = findElement(document, 'Fault')
  throw fault === undefined ? notAnAnswer(reply, source) : refusedByFault(fault, reply, source)
}

function findFirst(document: XmlNode, names: readonly string[]): XmlNode {
  for (const name of names) {
    const found = findElement(document, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** An error status may come in any charset, and tells enough. */
function readXml({ status, headers, body, text }: Reply): XmlNode | undefined {
  if (String(headers['content-type'] ?? '').includes('html')) return undefined
  return parseXml(status === 200 ? text() : body.toString())
}

function isCut(text: string): boolean {
  const at = text.lastIndexOf('<')
  return (
    text.trim() === '' ||
    (/<[\w-]*:?Envelope[\s>]/.test(text) && !/^<\/[\w-]*:?Envelope/.test(text.slice(at)))
  )
}

function notAnAnswer(reply: Reply, source: Source): SourceError {
  const { status, elapsedMs } = reply
  const details = { source: source.id, elapsedMs, status, retryS: retryAfterOf(reply) }
  if (status === 403 || status === 429) {
    const message = `${source.nome} recusou a conexão (HTTP ${status}): o certificado apresentado ou o endereço de onde este serviço pergunta não foi aceito.`
    return new SourceError('blocked', message, details)
  }
  if (status === 200 && isCut(reply.text()))
    return new SourceError('parse', `${source.nome} enviou uma resposta que não chegou inteira.`, {
      ...details,
      retryS: OUTAGE_S,
    })
  if (status === 200)
    return new SourceError('parse', `${source.nome} respondeu algo que não é a resposta do serviço.`, details)
  return new SourceError('http', `${source.nome} respondeu com o erro HTTP ${status}.`, details)
}

const actionUnknown =
  /HTTP Header SOAPAction|without a valid action|ActionNotSupported|ContractFilter mismatch|action[^.]{0,40} not (?:recognized|supported)|EPR\) for the Operation not found/i

/** The service's own side failed: the same message may pass later (SOAP 1.2 Part 1, 5.4.6; 1.1, 4.4.1). */
const itsOwnSide = /(?:^|:)(?:Receiver|Server)(?:\.|$)/

/** The service's own answer: the same question helps only if the fault is not the sender's. */
function refusedByFault(fault: XmlNode, { elapsedMs, status }: Reply, source: Source): SourceError {
  const reason = textOf(findElement(fault, 'Reason'), 'Text') || textOf(fault, 'faultstring')
  const code = textOf(findElement(fault, 'Code'), 'Value') || textOf(fault, 'faultcode')
  const message = `${source.nome} não processou o pedido${reason && `: "${quoteOf(reason)}"`}.`
  const isAction = actionUnknown.test(reason)
  return new SourceError('http', message, {
    source: source.id,
    elapsedMs,
    status,
    unavailable: false,
    codigo: isAction ? 'soap-action' : undefined,
    retryS: itsOwnSide.test(code.trim()) && !isAction ? OUTAGE_S : null,
  })
}
