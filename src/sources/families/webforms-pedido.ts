import type { Pergunta, TipoDocumento } from '../estado.ts'
import { answerCaptcha, type Resposta } from '../portal/captcha.ts'
import { type Controle, choiceOf, controleOf, nameOf, pressOf } from '../portal/controle.ts'
import { actionOf, type Campos, harvest } from '../portal/form.ts'
import type { Frase } from '../portal/frase.ts'
import type { Pagina } from '../portal/pagina.ts'
import { type PortalOptions, writeDocumento } from '../portal/rota.ts'
import type { Portal } from '../portal.ts'

/** What a state's file says of a page of ASP.NET WebForms; controls are CSS, their names are read from the page. */
export type WebformsOptions = PortalOptions & {
  /** The control that takes the document: one for all kinds, or one for each, of which the others go empty. */
  campo: string | Partial<Record<TipoDocumento, string>>
  forma: 'digitos' | 'mascara'
  /** The list or the radio buttons of the kind of document, where `documentos` has their codes; `recarrega`: choosing posts back. */
  tipo?: { seletor: string; recarrega?: true }
  /** What is pressed: a control, or the target of the postback where the page does not tell. */
  botao: string | { alvo: string }
  resposta?: Resposta
}

/** The one form of a page of WebForms, which carries its state. */
const FORM = 'form:has([name="__VIEWSTATE"])'

export const hasForm = (pagina: Pagina): boolean => pagina.html()(FORM).length > 0

/** What ASP.NET says of a state that it did not hand out in this session. */
export const EXPIRADA: Frase = { desfecho: 'sessao-expirada', texto: 'state information is invalid' }

/** Posts a page's form back: its hidden fields as they came, and the fields of this step. */
function postBack(portal: Portal, pagina: Pagina, campos: Campos): Promise<Pagina> {
  const hidden = harvest(pagina, FORM, (why) => portal.failure('parse', why))
  return portal.post(actionOf(pagina, FORM), { ...hidden, ...campos })
}

/** Presses a button or follows a link of a page. */
export function press(portal: Portal, pagina: Pagina, control: Controle): Promise<Pagina> {
  const campos = pressOf(control)
  if (campos) return postBack(portal, pagina, campos)
  return portal.get(new URL(control.attr('href') ?? '', pagina.url).href)
}

/** Asks a page of WebForms: the form's page, the choice of the kind of document, then the question. */
export async function askWebforms(
  portal: Portal,
  pergunta: Pergunta,
  options: WebformsOptions,
): Promise<Pagina> {
  const { url, botao, captcha, resposta, tipo, documentos } = options
  const missing = (why: string): Error => portal.failure('parse', why)
  let pagina = await portal.get(url)
  let choice: Campos = {}
  if (tipo) {
    const { name, value, escolhido } = choiceOf(
      pagina,
      tipo.seletor,
      documentos[pergunta.tipo] ?? '',
      missing,
    )
    choice = { [name]: value }
    if (tipo.recarrega && !escolhido)
      pagina = await postBack(portal, pagina, { ...choice, __EVENTTARGET: name, __EVENTARGUMENT: '' })
  }
  const pressed =
    typeof botao === 'string'
      ? pressOf(controleOf(pagina, botao, missing))
      : { __EVENTTARGET: botao.alvo, __EVENTARGUMENT: '' }
  const campos = { ...choice, ...fieldsOf(pagina, pergunta, options, missing), ...pressed }
  const solved = await answerCaptcha(portal, pagina, captcha, resposta)
  return postBack(portal, pagina, { ...campos, ...solved })
}

/** The document in its field, the fields of the other kinds empty. */
function fieldsOf(
  pagina: Pagina,
  pergunta: Pergunta,
  { campo, forma }: WebformsOptions,
  missing: (why: string) => Error,
): Campos {
  const controls = Object.entries(typeof campo === 'string' ? { [pergunta.tipo]: campo } : campo)
  const documento = writeDocumento(pergunta, forma)
  return Object.fromEntries(
    controls.map(([tipo, seletor]) => [
      nameOf(pagina, seletor, missing),
      tipo === pergunta.tipo ? documento : '',
    ]),
  )
}
