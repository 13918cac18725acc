/** As much of a parsed page's node as is looked at here. */
type Node = {
  type: string
  data?: string
  name?: string
  attribs?: Record<string, string>
  children?: readonly Node[]
}

const UNSEEN = new Set(['script', 'style', 'noscript', 'title', 'option'])

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
      else if (node.name === 'input' && isShown(node.attribs?.type)) add(node.attribs?.value ?? '')
      else if (!UNSEEN.has(node.name ?? '')) walk(node.children ?? [])
    }
  }
  walk(selection.toArray())
  return texts
}

const isShown = (type = 'text'): boolean => type.toLowerCase() === 'text'
