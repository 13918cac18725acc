import type { Controle } from './controle.ts'
import { press } from './frameworks-webforms.ts'
import { isPdf, type Pagina } from './pagina.ts'
import type { Portal } from './portal.ts'
import { janelaOf } from './script.ts'

/** A page that lists the certificates and makes a new one (SC). All members are CSS. */
export type Grade = {
  /** The last day in a row, if the page says that the certificate is in force. */
  valida: string
  /** The download of the same row. */
  baixar: string
  /**
   * The button that makes a new certificate. The certificate comes as the answer, in a window to print, or as
   * a download.
   */
  gerar: string
  /** The download of a new certificate that did not come by itself. */
  pronta: string
}

/** Gives the certificate in force, or a new one, or the page that tells why there is none. */
export async function fetchFromGrade(portal: Portal, answer: Pagina, grade: Grade): Promise<Pagina> {
  const current = currentOf(portal, answer, grade)
  if (current) return press(portal, answer, current)
  const make = answer.html()(grade.gerar).first()
  if (make.length === 0) return answer
  const made = await press(portal, answer, make)
  if (isPdf(made)) return made
  const opened = janelaOf(portal, made)
  if (opened) return portal.get(new URL(opened, made.url).href)
  const ready = made.html()(grade.pronta).first()
  const download = ready.length > 0 ? ready : currentOf(portal, made, grade)
  return download ? press(portal, made, download) : made
}

/** The download of the first certificate in force today. A row may keep its mark after its last day. */
function currentOf(portal: Portal, pagina: Pagina, { valida, baixar }: Grade): Controle | undefined {
  const $ = pagina.html()
  // Brasília is three hours behind UTC, without summer time since 2019.
  const today = new Date(portal.meios.now().getTime() - 3 * 3_600_000).toISOString().slice(0, 10)
  for (const mark of $(valida).toArray()) {
    const [, day, month, year] = /(\d{2})\/(\d{2})\/(\d{4})/.exec($(mark).text()) ?? []
    const download = $(mark).closest('tr').find(baixar).first()
    if (year && `${year}-${month}-${day}` >= today && download.length > 0) return download
  }
  return undefined
}
