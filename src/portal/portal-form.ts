import type { Campos } from './campos.ts'
import { failUnknown } from './desconhecida.ts'
import type { Pagina } from './pagina.ts'
import type { Portal } from './portal.ts'

/**
 * Gives every hidden field of a form (CSS) as it came: all portals keep their session so. Throws as
 * failUnknown does if the page has no such form.
 */
export function harvest(portal: Portal, pagina: Pagina, form: string): Campos {
  const $ = pagina.html()
  const found = $(form).first()
  if (found.length === 0) failUnknown(portal, pagina, `falta o formulário (${form})`)
  const entries = found.find('input[type=hidden][name]').map((_, input): [[string, string]] => {
    const field = $(input)
    return [[field.attr('name') ?? '', field.attr('value') ?? '']]
  })
  return Object.fromEntries(entries.get())
}

/** The address that a form (CSS) is sent to: its `action`, resolved, else the page itself. */
export function actionOf(pagina: Pagina, form: string): string {
  const action = pagina.html()(form).first().attr('action') ?? ''
  return URL.canParse(action, pagina.url) ? new URL(action, pagina.url).href : pagina.url
}
