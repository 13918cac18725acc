import { XMLParser } from 'fast-xml-parser'

/**
 * An element, by the local names of its children. A child is a text, an element, or an array of them if its
 * name repeats.
 */
export type XmlNode = unknown

// Authorities use any prefix, and our readers need no attributes.
const parser = new XMLParser({
  removeNSPrefix: true,
  parseTagValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  htmlEntities: true,
})

/**
 * The largest answer, of forty registrations, has a tenth of each limit. A larger document takes seconds and
 * half a gigabyte.
 */
const MOST_TAGS = 10_000
const MOST_ATTRIBUTES = 2_000

/**
 * Parses a document. Undefined if it is not well-formed, has more tags or attributes than any answer, or
 * declares a DTD, which no authority does.
 */
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

/** The child with this local name. */
export const child = (node: XmlNode, name: string): XmlNode =>
  typeof node === 'object' && node !== null && Object.hasOwn(node, name) ? Reflect.get(node, name) : undefined

/** The children with this local name: none, one or many. */
export function children(node: XmlNode, name: string): XmlNode[] {
  const found = child(node, name)
  if (found === undefined) return []
  return Array.isArray(found) ? found : [found]
}

/** The trimmed text of the child with this name. Empty if there is none. */
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
