import type { SourceError } from '../../domain/source-error.ts'
import type { Portal } from '../portal.ts'
import type { Pagina } from './pagina.ts'

/** What the captchas of any site leave on a page. */
const CAPTCHA =
  '[data-sitekey], .g-recaptcha, .cf-turnstile, [component=captcha], input[name*=captcha i], img[src*=captcha i]'

/**
 * A page that is none of those that are known: a captcha that came up where there is none at each query, or a portal that
 * changed; `falta` says what is missing.
 */
export function unknownPage({ captcha, failure }: Portal, pagina: Pagina, falta: string): SourceError {
  const usual = captcha !== 'nenhum' && captcha.quando === 'sempre'
  if (!usual && pagina.html()(CAPTCHA).length > 0)
    return failure('blocked', 'pediu um captcha desta vez', { codigo: 'captcha' })
  return failure('parse', `mudou de página: ${falta}`)
}
