import type { CheerioAPI } from 'cheerio/slim'
import { PaginaExcessiva, parseHtml } from '../portal/html.ts'

/** A parsed node, as far as it is read here. */
type Node = { type: string; name?: string; attribs?: Record<string, string>; children?: readonly Node[] }

/**
 * How often the elements whose texts we read may stand in one another. Each is read whole, so that 500 of
 * them around a text of 1 MB would hold the process for half a minute (measured 2026-11).
 */
const DEEPEST: Readonly<Record<Leitura, number>> = { titulo: 2, marca: 2, quadro: 2, celula: 8 }

type Leitura = 'titulo' | 'marca' | 'quadro' | 'celula'

/** Parses a page of SIGEF. Throws PaginaExcessiva as `parseHtml` does, and for what is nested too often. */
export function parseDocumento(text: string): CheerioAPI {
  const $ = parseHtml(text)
  refuseNested($.root().toArray(), { titulo: 0, marca: 0, quadro: 0, celula: 0 })
  return $
}

function refuseNested(nodes: readonly Node[], around: Record<Leitura, number>): void {
  for (const node of nodes) {
    const leitura = leituraOf(node)
    const inside = leitura ? { ...around, [leitura]: around[leitura] + 1 } : around
    if (leitura && inside[leitura] > DEEPEST[leitura])
      throw new PaginaExcessiva('enviou uma página aninhada demais')
    refuseNested(node.children ?? [], inside)
  }
}

function leituraOf({ name = '', attribs }: Node): Leitura | undefined {
  if (/^h[1-6]$/.test(name)) return 'titulo'
  if (name === 'strong') return 'marca'
  if (name === 'td' || name === 'th') return 'celula'
  return attribs?.class?.includes('panel-header') ? 'quadro' : undefined
}
