import { createRequire } from 'node:module'
import type { CheerioAPI } from 'cheerio/slim'
import { type ChildNode, DomHandler } from 'domhandler'
import { Parser } from 'htmlparser2'

const require = createRequire(import.meta.url)

/** A text is larger than any page of a portal. The Portuguese message follows the authority's name. */
export class PaginaExcessiva extends Error {
  override readonly name = 'PaginaExcessiva'
}

/** A page of sixty registrations has a tenth of each of these. */
const MOST_CHARACTERS = 1024 * 1024
const MOST_NODES = 30_000
const MOST_ATTRIBUTES = 30_000
/** A piece of text ends at a `<` and at an entity. */
const MOST_PIECES = 60_000

/**
 * The time of a selector grows with the square of this. A list of the 853 municipalities of MG has 1,700
 * nodes with the texts between.
 */
const MOST_SIBLINGS = 4_000

/** Old pages leave tags open and so become deep. The reader calls itself once for each level. */
const DEEPEST = 512

/** Counts while the parser runs, so that nothing is built of a page that is too large. */
class Limites extends DomHandler {
  #nodes = 0
  #attributes = 0
  #pieces = 0

  protected override addNode(node: ChildNode): void {
    const siblings = this.tagStack.at(-1)?.children.length ?? 0
    if (++this.#nodes > MOST_NODES || siblings >= MOST_SIBLINGS)
      throw new PaginaExcessiva('enviou uma página com elementos demais')
    if (this.tagStack.length > DEEPEST) throw new PaginaExcessiva('enviou uma página aninhada demais')
    super.addNode(node)
  }

  override ontext(data: string): void {
    if (++this.#pieces > MOST_PIECES) throw new PaginaExcessiva('enviou uma página com textos demais')
    super.ontext(data)
  }

  onattribute(): void {
    if (++this.#attributes > MOST_ATTRIBUTES)
      throw new PaginaExcessiva('enviou uma página com atributos demais')
  }
}

/**
 * Parses a page or pieces of one; throws PaginaExcessiva before a large page costs memory or time. A form
 * inside a table keeps its fields, which HTML 5 would move out.
 */
export function parseHtml(text: string): CheerioAPI {
  if (text.length > MOST_CHARACTERS) throw new PaginaExcessiva('enviou uma página grande demais')
  const limites = new Limites()
  new Parser(limites).end(text)
  return cheerio().load(limites.root)
}

/** The reader takes some 4 MB, so the first page loads it. */
const cheerio = (): typeof import('cheerio/slim') => require('cheerio/slim')
