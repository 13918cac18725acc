/** A line of an XML that is written with one element a line. */
export type LinhaDeXml = {
  nivel: number
  texto: string
  /** The names from the root, joined by `/`; empty for a line that begins no element. */
  caminho: string
}

/** The line that stands for those that the catalogue leaves out. */
export const OMITIDO = '…'

/** A tag, or what stands between two; what is no element, such as a comment, is a piece of its own. */
const PARTE = /<!\[CDATA\[.*?\]\]>|<!--.*?-->|<\?.*?\?>|<[^>]*>|[^<]+/gs

/** Writes an XML of the catalogue with one element a line. Elements with a text stay on one line. */
export function emLinhas(xml: string): LinhaDeXml[] {
  const parts = (xml.match(PARTE) ?? []).map((part) => part.trim()).filter((part) => part !== '')
  const linhas: LinhaDeXml[] = []
  const open: string[] = []
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ''
    const name = /^<([^\s/>?!]+)/.exec(part)?.[1]
    if (name === undefined) {
      const isEnd = /^<\//.test(part)
      if (isEnd) open.pop()
      linhas.push({ nivel: open.length, texto: part, caminho: '' })
      continue
    }
    const caminho = [...open, name].join('/')
    const whole = inteiro(parts, at, name)
    linhas.push({ nivel: open.length, texto: whole.texto, caminho })
    if (whole.isOpen) open.push(name)
    at += whole.mais
  }
  return linhas
}

/** An element of one line takes up to two parts more. */
function inteiro(
  parts: readonly string[],
  at: number,
  name: string,
): { texto: string; mais: number; isOpen: boolean } {
  const [start = '', first = '', second = ''] = parts.slice(at, at + 3)
  const end = new RegExp(`^</${RegExp.escape(name)}\\s*>$`)
  if (start.endsWith('/>')) return { texto: start, mais: 0, isOpen: false }
  if (end.test(first)) return { texto: start + first, mais: 1, isOpen: false }
  if (!first.startsWith('<') && first !== OMITIDO && end.test(second))
    return { texto: start + first + second, mais: 2, isOpen: false }
  return { texto: start, mais: 0, isOpen: true }
}
