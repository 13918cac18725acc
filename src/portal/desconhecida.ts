import type { TipoDocumento } from '../documento/documento.ts'
import { findRecusa } from './cnd.ts'
import type { Pagina } from './pagina.ts'
import type { Portal } from './portal.ts'

/** What the captchas of any site leave on a page. */
const CAPTCHA =
  '[data-sitekey], .g-recaptcha, .cf-turnstile, [component=captcha], input[name*=captcha i], img[src*=captcha i]'

/** The refusals that any page may have. A page refuses a document only if it was asked about one. */
const recusas = [
  'bloqueado',
  'captcha',
  'captcha-errado',
  'documento-invalido',
  'fechado',
  'indisponivel',
  'sessao-expirada',
] as const

/**
 * Throws the failure that an unexpected page means: a refusal that any state may show, an unusual captcha, or
 * else SourceError `parse`, where `falta` says what is missing. `tipo` is of the document that was asked
 * about.
 */
export function failUnknown(portal: Portal, pagina: Pagina, falta: string, tipo?: TipoDocumento): never {
  throwRecusa(portal, pagina, tipo)
  const { captcha, failure } = portal
  const usual = captcha !== 'nenhum' && captcha.quando === 'sempre'
  if (!usual && pagina.html()(CAPTCHA).length > 0) throw portal.fail('captcha')
  throw failure('parse', `mudou de página: ${falta}`)
}

/** Throws the refusal of a page, if it shows one. */
export const throwRecusa = (portal: Portal, pagina: Pagina, tipo?: TipoDocumento): void =>
  throwDito(portal, portal.novidades(pagina).join(' '), tipo)

/** Throws the refusal that these words say, if they say one. */
export function throwDito(portal: Portal, words: string, tipo?: TipoDocumento): void {
  const said = findRecusa(words)
  const recusa = recusas.find((one) => one === said)
  if (recusa && (tipo || recusa !== 'documento-invalido')) throw portal.fail(recusa, tipo)
}
