import type { Campos } from './campos.ts'
import type { Controle } from './controle.ts'
import { filledBy } from './form.ts'
import { normalize, type Pagina } from './pagina.ts'

/**
 * The effect of a click: it follows a link, or sends a form with the button's own field and those that its
 * script fills.
 */
export type Botao = { href: string } | { form: string; campo: Campos }

/**
 * Finds the option of a list, or the radio, that reads `texto`, and gives its field; undefined if there is
 * none. States change the codes of such lists, but seldom their words.
 */
export function findOpcao(pagina: Pagina, form: string, texto: string): Campos | undefined {
  const $ = pagina.html()
  const wanted = normalize(texto)
  for (const option of $(form).first().find('select[name] option').toArray())
    if (normalize($(option).text()).startsWith(wanted))
      return fieldOf($(option).closest('select').attr('name'), $(option).attr('value') ?? $(option).text())
  for (const radio of $(form).first().find('input[type=radio][name]').toArray()) {
    const next = radio.next?.type === 'text' ? radio.next.data : ''
    const label =
      $(`label[for="${radio.attribs.id ?? ''}"]`).text() || $(radio).closest('label').text() || next
    if (normalize(label).startsWith(wanted)) return fieldOf(radio.attribs.name, radio.attribs.value ?? 'on')
  }
  return undefined
}

/** A text field (CSS). Old pages leave its type out. */
export const TEXTO = 'input:is([type=text], :not([type]))'

/** The name of the first text field (CSS) of a page. Undefined if there is none. */
export const findCampo = (pagina: Pagina, seletor: string): string | undefined =>
  pagina.html()(seletor).first().attr('name')

/**
 * Finds the first button or link whose words, or whose image's words, contain `texto`. `perto` must match the
 * row around it; undefined if there is none.
 */
export function findBotao(pagina: Pagina, texto: string, perto?: RegExp): Botao | undefined {
  const $ = pagina.html()
  const wanted = normalize(texto)
  const all = $('a[href], button, input[type=submit], input[type=button], input[type=image]')
    .toArray()
    .map((one) => $(one))
    .filter((one) => normalize(wordsOn(one)).includes(wanted))
  const near = all.filter((one) => !perto || perto.test(normalize(one.closest('tr, li, p, div').text())))
  const found = near[0] ?? (all.length === 1 ? all[0] : undefined)
  return found && botaoOf(pagina, found)
}

/** Finds the first button or link by a selector (CSS). Undefined if there is none. */
export function findBotaoEm(pagina: Pagina, seletor: string): Botao | undefined {
  const found = pagina.html()(seletor).first()
  return found.length > 0 ? botaoOf(pagina, found) : undefined
}

const wordsOn = (control: Controle): string =>
  [control.text(), control.attr('value') ?? control.attr('alt'), control.attr('title')]
    .concat(control.find('img').attr('alt'), control.find('img').attr('title'))
    .join(' ')

function botaoOf(pagina: Pagina, found: Controle): Botao {
  const href = found.attr('href') ?? ''
  if (href && !/^(#|javascript:)/i.test(href)) return { href: new URL(href, pagina.url).href }
  const forms = pagina.html()('form')
  const at = Math.max(0, forms.index(found.closest('form')))
  const own = fieldOf(found.attr('name'), found.attr('value') ?? '')
  return { form: `form:eq(${at})`, campo: { ...own, ...filledBy(pagina, found) } }
}

const fieldOf = (name: string | undefined, value: string): Campos => (name ? { [name]: value } : {})
