import type { Uf } from '../documento/uf.ts'
import { type Entrega, readEntrega } from './certidao.ts'
import type { RotaCnd } from './estado.ts'
import { hasForm, press } from './frameworks-webforms.ts'
import { isPdf, type Pagina } from './pagina.ts'
import type { Portal } from './portal.ts'
import { type DaCertidao, portalCnd } from './rota.ts'
import { alertasOf, janelaOf } from './script.ts'
import { askWebforms, type WebformsOptions } from './webforms.ts'
import { fetchFromGrade, type Grade } from './webforms-grade.ts'

/** The way from the answer to the certificate. */
type Caminho =
  /**
   * The answer opens a report at this address, which takes the certificate from the session. Otherwise a
   * dialog tells the reason (BA).
   */
  | { relatorio: string }
  /** The answer has a button (CSS) that prints the certificate. */
  | { botao: string }
  | { grade: Grade }

/** The options of certificates on ASP.NET WebForms in a state's file. */
export type WebformsCertidaoOptions = WebformsOptions &
  DaCertidao &
  Pick<RotaCnd, 'emHtml'> &
  Entrega & { caminho?: Caminho }

/** Certificates on ASP.NET WebForms. */
export const webformsCertidao = (uf: Uf, options: WebformsCertidaoOptions): RotaCnd =>
  portalCnd('webforms', uf, options, async (portal, pergunta) => {
    const answer = await askWebforms(portal, pergunta, options)
    return readEntrega(portal, pergunta, await follow(portal, answer, options), options)
  })

async function follow(portal: Portal, answer: Pagina, { caminho }: WebformsCertidaoOptions): Promise<Pagina> {
  if (!caminho || isPdf(answer)) return answer
  if ('grade' in caminho) return fetchFromGrade(portal, answer, caminho.grade)
  if ('botao' in caminho) {
    const button = answer.html()(caminho.botao).first()
    return button.length > 0 ? press(portal, answer, button) : answer
  }
  const opened = janelaOf(portal, answer)
  // A page that is not the form, and opens no report, tells the reason itself: it may be closed.
  if (!opened && (!hasForm(answer) || alertasOf(portal, answer).length > 0)) return answer
  const report = await portal.get(opened ?? caminho.relatorio)
  return isPdf(report) ? report : answer
}
