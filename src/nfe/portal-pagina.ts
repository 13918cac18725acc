import { normalize, type Pagina } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'

/** What the portal shows of a note: the summary, or the button to its file. */
const RESUMO = '.XSLTNFeResumida, [name$="btnDownload"]'

export const hasResumo = (pagina: Pagina): boolean => pagina.html()(RESUMO).length > 0

/** The most characters of a page that are told to the client. */
const LONGEST = 300

/**
 * Finds the first new text of a page that matches, as `normalize` gives it. New: no page before the question
 * had it.
 */
export const findFrase = (portal: Portal, pagina: Pagina, pattern: RegExp): string | undefined =>
  portal
    .novidades(pagina)
    .find((frase) => pattern.test(normalize(frase)))
    ?.slice(0, LONGEST)

/** All new texts of a page. Empty if there are none. */
export const dizeresDe = (portal: Portal, pagina: Pagina): string =>
  portal.novidades(pagina).join(' ').slice(0, LONGEST)

/** Throws if the portal led to its own page of failures. */
export function refuseErro(portal: Portal, { url }: Pagina): void {
  if (/\/erro\.aspx$/i.test(new URL(url).pathname))
    throw portal.failure('http', 'levou à sua página de erro', {
      codigo: 'erro.aspx',
      unavailable: true,
    })
}
