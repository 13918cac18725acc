import type { Campos } from './campos.ts'
import { type Controle, pressOf } from './controle.ts'
import type { Pagina } from './pagina.ts'
import type { Modo, Portal } from './portal.ts'
import { actionOf, harvest } from './portal-form.ts'

/** The one form of a page of WebForms. It carries the state. */
const FORM = 'form:has([name="__VIEWSTATE"])'

/** Whether a page has that form. */
export const hasForm = (pagina: Pagina): boolean => pagina.html()(FORM).length > 0

/** Posts a page's form (CSS) back: its hidden fields as they came, and the fields of this step. */
export function postBack(
  portal: Portal,
  pagina: Pagina,
  campos: Campos,
  { form = FORM, ...modo }: Modo & { form?: string | undefined } = {},
): Promise<Pagina> {
  const hidden = harvest(portal, pagina, form)
  return portal.post(actionOf(pagina, form), { ...hidden, ...campos }, modo)
}

/** Presses a button or follows a link of a page. */
export function press(portal: Portal, pagina: Pagina, control: Controle): Promise<Pagina> {
  const campos = pressOf(control)
  if (campos) return postBack(portal, pagina, campos)
  return portal.get(new URL(control.attr('href') ?? '', pagina.url).href)
}
