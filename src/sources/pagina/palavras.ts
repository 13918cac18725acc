import { parseHtml } from './html.ts'
import { isPdf, normalize, type Pagina } from './pagina.ts'
import { textosOf } from './textos.ts'

/**
 * The words of a page as a reader sees them, as `normalize` gives them. Of JSON all; of a JSF
 * `partial-response` its pieces of page, which an HTML parser takes for comments; of a PDF none.
 */
export function wordsOf(pagina: Pagina): string {
  if (isPdf(pagina)) return ''
  const text = pagina.text()
  if (/^\s*[[{]/.test(text)) return normalize(text)
  if (!text.includes('<![CDATA[')) return pagina.words()
  return normalize(textosOf(parseHtml(text.replace(/<!\[CDATA\[|\]\]>/g, '')).root()).join(' '))
}
