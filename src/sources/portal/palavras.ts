import { parseHtml } from './html.ts'
import { isPdf, normalize, type Pagina } from './pagina.ts'
import { textosOf } from './textos.ts'

/**
 * The words of a page as a reader sees it, as `normalize` gives them. Of JSON, all of it; of a JSF
 * `partial-response`, the pieces of page in it, which a parser of HTML takes for a comment; of a PDF none.
 */
export function wordsOf(pagina: Pagina): string {
  if (isPdf(pagina)) return ''
  const text = pagina.text()
  if (/^\s*[[{]/.test(text)) return normalize(text)
  if (!text.includes('<![CDATA[')) return pagina.words()
  return normalize(textosOf(parseHtml(text.replace(/<!\[CDATA\[|\]\]>/g, '')).root()).join(' '))
}
