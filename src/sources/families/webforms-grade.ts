import { isPdf, type Pagina } from '../pagina/pagina.ts'
import type { Controle } from '../portal/controle.ts'
import type { Portal } from '../portal/portal.ts'
import { janelaOf } from '../portal/script.ts'
import { press } from './webforms-pedido.ts'

/** A page that lists the certificates there are, and makes another (SC); all CSS. */
export type Grade = {
  /** A row's last day, where the page says that its certificate is in force. */
  valida: string
  /** What downloads it, in the same row. */
  baixar: string
  /** How a new certificate is made: it comes by itself, in a window to print, or as a download. */
  gerar: string
  /** What downloads a new one that did not come by itself. */
  pronta: string
}

/** The certificate in force of a list, or a new one; or the page that says why there is none. */
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

/** What downloads the first certificate that is in force today: a row may keep its mark when its day is past. */
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
