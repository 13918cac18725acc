import type { Pagina } from '../pagina/pagina.ts'
import { failUnknown } from './desconhecida.ts'
import type { Portal } from './portal.ts'

/** Fields of a form: a later one of the same name takes the place of an earlier one. */
export type Campos = Readonly<Record<string, string>>

/** A form as a browser sends it, in the charset of its page. */
export function encodeForm(campos: Campos, charset = 'utf-8'): string {
  return Object.entries(campos)
    .map(([name, value]) => `${encodeText(name, charset)}=${encodeText(value, charset)}`)
    .join('&')
}

function encodeText(text: string, charset: string): string {
  if (charset === 'utf-8') return encodeURIComponent(text).replaceAll('%20', '+')
  return [...Buffer.from(text, 'latin1')].map(encodeByte).join('')
}

/** application/x-www-form-urlencoded, WHATWG URL, 5.2. */
function encodeByte(byte: number): string {
  const char = String.fromCharCode(byte)
  if (/[A-Za-z0-9*._-]/.test(char)) return char
  return char === ' ' ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

/**
 * The one rule of all sessions: every hidden field of the form goes back as it came. `form` is a CSS selector. Throws what
 * the page says instead, SourceError `parse` where it says nothing that is known.
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

/** Where a form is sent: its `action`, resolved; the page itself where it has none. */
export function actionOf(pagina: Pagina, form: string): string {
  const action = pagina.html()(form).first().attr('action') ?? ''
  return URL.canParse(action, pagina.url) ? new URL(action, pagina.url).href : pagina.url
}
