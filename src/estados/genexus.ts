import type { Campos } from '../portal/campos.ts'
import { parseJson, textAt } from '../portal/json.ts'
import { isPdf, type Pagina } from '../portal/pagina.ts'
import type { Portal } from '../portal/portal.ts'
import { actionOf, harvest } from '../portal/portal-form.ts'
import { janelaOf, saltoOf } from '../portal/script.ts'
import { solveToken } from '../portal/solve.ts'

/**
 * The state of a GeneXus page. Its script keeps it as JSON in a hidden field and sends it with each event.
 */
type GxState = Readonly<Record<string, unknown>>

const FORM = 'form'
const FIELD = 'GXState'

/** Whether a page has a state. A page that turns us away has none. */
export const hasGxState = (pagina: Pagina): boolean => pagina.html()(`input[name="${FIELD}"]`).length > 0

/** Reads the state of a page. Throws SourceError `parse` if there is none. */
export function readGxState(portal: Portal, pagina: Pagina): GxState {
  const text = pagina.html()(`input[name="${FIELD}"]`).first().attr('value') ?? ''
  try {
    const state: unknown = JSON.parse(text)
    if (typeof state === 'object' && state !== null) return { ...state }
  } catch {
    // The failure below covers both: no text, or no JSON.
  }
  throw portal.failure('parse', 'mudou de página: falta o estado da página (GXState)')
}

/** A text or a number of the state. Empty if there is none. */
export function textIn(state: GxState, name: string): string {
  const value = state[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

/** Sends an event of the page, with the script's additions to the state and to the form. */
export function sendEvent(
  portal: Portal,
  pagina: Pagina,
  evento: string,
  { estado = {}, campos = {} }: { estado?: Campos; campos?: Campos },
): Promise<Pagina> {
  const state = { ...readGxState(portal, pagina), ...estado, _EventName: evento }
  const fields = {
    ...harvest(portal, pagina, FORM),
    ...campos,
    [FIELD]: JSON.stringify(state),
  }
  // GeneXus' own script sends the second header.
  const headers = { 'x-requested-with': 'XMLHttpRequest', gxajaxrequest: '1' }
  return portal.post(actionOf(pagina, FORM), fields, { headers })
}

/**
 * The address that the answer to an event leads to, by a command of its JSON or by its scripts. Undefined if
 * the answer is the page itself.
 */
export function destinoOf(portal: Portal, pagina: Pagina): string | undefined {
  if (isPdf(pagina)) return undefined
  const json = parseJson(pagina)
  if (json === undefined) return janelaOf(portal, pagina) ?? saltoOf(portal, pagina)
  const paths = ['redirect.url', 'redirect', 'popup.url', 'popup.0', 'popup'].map(
    (end) => `gxCommands.0.${end}`,
  )
  return paths.map((path) => textAt(json, path)).find(Boolean)
}

/** The event that a control (by id) sends: gx.evt.execEvt('',false,"E'CNPJ'.",this). */
export function eventOf(portal: Portal, pagina: Pagina, id: string): string {
  const script = pagina.html()(`#${id}`).first().attr('onclick') ?? ''
  const event = /"(E[^"]+\.)"/.exec(script)?.[1]
  if (!event) throw portal.failure('parse', `mudou de página: falta o botão ${id}`)
  return event
}

/** Solves the reCAPTCHA whose key is in the state, and gives the field for the answer. */
export async function recaptchaOf(portal: Portal, pagina: Pagina): Promise<Campos> {
  const key = textIn(readGxState(portal, pagina), 'GPXRECAPTCHA1_Sitekey')
  const token = await solveToken(portal, pagina, 'recaptcha-v2', key)
  return { GPXRECAPTCHA1_Response: token }
}
