import type { Captcha, CaptchaWidget, Widget } from '../captcha.ts'
import type { Pagina } from './pagina.ts'

/**
 * Somebody else's widget on a page: the element that it is drawn into, if the page's own script does not draw
 * it.
 */
const ELEMENT = '[data-sitekey]'

/**
 * What a page says of the widget that it draws, then what the state's file says; undefined where there is no
 * site key. `siteKey` is for pages that keep it elsewhere. The path of the page is told, and nothing that
 * comes after it.
 */
export function readWidget(
  pagina: Pagina,
  tipo: CaptchaWidget,
  captcha: Captcha,
  siteKey = pagina.html()(ELEMENT).first().attr('data-sitekey'),
): Widget | undefined {
  if (!siteKey) return undefined
  const $ = pagina.html()
  const element = $(ELEMENT).first()
  const scripts = $('script')
  const addresses = scripts.map((_, script) => $(script).attr('src') ?? '').get()
  const text = scripts.text()
  const known = captcha === 'nenhum' ? {} : (captcha.widget ?? {})
  const { origin, pathname, host } = new URL(pagina.url)
  return {
    siteKey,
    // What comes after the path may have the document, which is nothing that the solver should know.
    pagina: `${origin}${pathname}`,
    host,
    invisivel:
      isInvisible(element.attr('data-size'), element.is('button, input'), text) ?? known.invisivel ?? false,
    enterprise:
      tipo === 'recaptcha-enterprise' ||
      addresses.some((address) => address.includes('/recaptcha/enterprise')) ||
      /\bgrecaptcha\.enterprise\b/.test(text),
    acao: element.attr('data-action') || actionIn(text) || (known.acao ?? ''),
    pontuacaoMinima: known.pontuacaoMinima,
  }
}

/**
 * Undefined where the page does not say. A widget bound to a button is invisible (Google's reCAPTCHA v2
 * guide).
 */
function isInvisible(size: string | undefined, isButton: boolean, script: string): boolean | undefined {
  if (size !== undefined) return size === 'invisible'
  return isButton || /\bsize['"]?\s*:\s*['"]invisible['"]/.test(script) ? true : undefined
}

/** The action that the page's script names to the widget. */
function actionIn(script: string): string {
  if (!/\b(?:grecaptcha|turnstile|hcaptcha)\b/.test(script)) return ''
  return /\baction['"]?\s*:\s*['"]([\w/-]{1,100})['"]/.exec(script)?.[1] ?? ''
}
