/** As much of a parsed page's node as is looked at here. */
type Node = {
  type: string
  data?: string
  name?: string
  attribs?: Record<string, string>
  children?: readonly Node[]
}

const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'title', 'option'])

/** Messages that wait for a script to show them: ASP.NET draws "CNPJ inválido" so on every page that has a validator. */
const HIDDEN = /display\s*:\s*none|visibility\s*:\s*hidden/i

/**
 * What a reader of the page sees, in order: each piece of text by itself, spaces collapsed, and the values of its text
 * fields, which some pages show results in.
 */
export function textosOf(selection: { toArray: () => readonly Node[] }): string[] {
  const texts: string[] = []
  const add = (text: string): void => {
    const tidy = text.replace(/[\s\u00a0]+/g, ' ').trim()
    if (tidy) texts.push(tidy)
  }
  const walk = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.type === 'text') add(node.data ?? '')
      else if (!isShown(node)) continue
      else if (node.name === 'input') add(node.attribs?.value ?? '')
      else walk(node.children ?? [])
    }
  }
  walk(selection.toArray())
  return texts
}

function isShown({ name = '', attribs: { hidden, style = '', type = 'text' } = {} }: Node): boolean {
  if (UNSEEN.has(name) || hidden !== undefined || HIDDEN.test(style)) return false
  return name !== 'input' || type.toLowerCase() === 'text'
}
