import { normalize, type Pagina } from '../pagina/pagina.ts'
import type { Portal } from '../portal/portal.ts'

/** What the portal shows of a note: the summary itself, or the button that gives its file. */
const RESUMO = '.XSLTNFeResumida, [name$="btnDownload"]'

export const hasResumo = (pagina: Pagina): boolean => pagina.html()(RESUMO).length > 0

/** As many characters of a page's words as are told. */
const LONGEST = 300

/** The first piece of text that the pages before the question did not have and that reads so (compared as `normalize` gives it). */
export const findFrase = (portal: Portal, pagina: Pagina, pattern: RegExp): string | undefined =>
  portal
    .novidades(pagina)
    .find((frase) => pattern.test(normalize(frase)))
    ?.slice(0, LONGEST)

/** All that a page says that the pages before the question did not; empty where it says nothing. */
export const dizeresDe = (portal: Portal, pagina: Pagina): string =>
  portal.novidades(pagina).join(' ').slice(0, LONGEST)

/** Throws where the portal led to the page that it has for failures of its own. */
export function refuseErro(portal: Portal, { url }: Pagina): void {
  if (/\/erro\.aspx$/i.test(new URL(url).pathname))
    throw portal.failure('http', 'levou à sua página de erro. Tente de novo em alguns minutos', {
      codigo: 'erro.aspx',
      unavailable: true,
    })
}
