import { findRecusa, type Situacao } from '../../domain/cnd/cnd.ts'
import type { TipoDocumento } from '../estado.ts'
import type { Pagina } from '../pagina/pagina.ts'
import { type Desfecho, throwDesfecho } from './frase.ts'
import type { Portal } from './portal.ts'

/** What the captchas of any site leave on a page. */
const CAPTCHA =
  '[data-sitekey], .g-recaptcha, .cf-turnstile, [component=captcha], input[name*=captcha i], img[src*=captcha i]'

/** The refusals that any page may have; a document is refused only by a page that was asked about one. */
const recusas: readonly Situacao[] = [
  'bloqueado',
  'captcha',
  'captcha-errado',
  'documento-invalido',
  'fechado',
  'indisponivel',
  'sessao-expirada',
] satisfies Desfecho[]

const isRecusa = (situacao: Situacao): situacao is Situacao & Desfecho => recusas.includes(situacao)

/**
 * Throws what a page means that is none of those expected: why it turned us away, in the words that the pages of all
 * states share; a captcha that came up where there is none at each query; or else SourceError `parse`: the portal changed,
 * and `falta` says what is missing. `tipo` is of the document, where the page was asked about one.
 */
export function failUnknown(portal: Portal, pagina: Pagina, falta: string, tipo?: TipoDocumento): never {
  throwRecusa(portal, pagina, tipo)
  const { captcha, failure } = portal
  const usual = captcha !== 'nenhum' && captcha.quando === 'sempre'
  if (!usual && pagina.html()(CAPTCHA).length > 0)
    throw failure('blocked', 'pediu um captcha desta vez', { codigo: 'captcha' })
  throw failure('parse', `mudou de página: ${falta}`)
}

/** Throws why a page turned us away, if it says so. */
export const throwRecusa = (portal: Portal, pagina: Pagina, tipo?: TipoDocumento): void =>
  throwDito(portal, portal.novidades(pagina).join(' '), tipo)

/** Throws why we are turned away, if these words say so. */
export function throwDito(portal: Portal, words: string, tipo?: TipoDocumento): void {
  const said = findRecusa(words)
  if (said && isRecusa(said) && (tipo || said !== 'documento-invalido'))
    throwDesfecho(said, portal, tipo ?? 'cnpj')
}
