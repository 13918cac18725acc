import type { Captcha, CaptchaWidget, Widget } from './captcha-captcha.ts'
import type { Pagina } from './pagina.ts'

/** The element into which a captcha service's widget is drawn, unless the page's own script draws it. */
const ELEMENT = '[data-sitekey]'

/**
 * Describes the widget of a page by the page itself, then by the state's file; undefined without a site key.
 * `siteKey` is for pages that keep it elsewhere.
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
    // The query may hold the document, which the solver must not learn.
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
 * Undefined if the page does not say. A widget bound to a button is invisible (Google's reCAPTCHA v2 guide).
 */
function isInvisible(size: string | undefined, isButton: boolean, script: string): boolean | undefined {
  if (size !== undefined) return size === 'invisible'
  return isButton || /\bsize['"]?\s*:\s*['"]invisible['"]/.test(script) ? true : undefined
}

/** The action that the page's script tells the widget. */
function actionIn(script: string): string {
  if (!/\b(?:grecaptcha|turnstile|hcaptcha)\b/.test(script)) return ''
  return /\baction['"]?\s*:\s*['"]([\w/-]{1,100})['"]/.exec(script)?.[1] ?? ''
}
