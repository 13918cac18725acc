import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Captcha, CaptchaDaPagina, CaptchaRespondido, CaptchaWidget, Widget } from './captcha.ts'
import type { Pagina } from './pagina.ts'
import type { Campos, Portal } from './visita.ts'

/** ALTCHA's proof of work, v1: the number that, after the salt, hashes to `challenge` (altcha.org). */
type Challenge = { challenge: string; salt: string; signature: string; maxnumber: number }

/** A million hashes take about half a second. A form is not worth more work. */
const MOST_WORK = 1_000_000
const LONGEST = 1_000
/** Hashes between two pauses for the rest of the process: some 8 ms. */
const BATCH = 20_000

/** Gives the payload for a challenge (JSON): JSON in base64, or undefined if there is no solution. */
export async function solveAltcha(json: string): Promise<string | undefined> {
  const challenge = parseChallenge(json)
  if (!challenge) return undefined
  const { maxnumber, ...rest } = challenge
  for (let number = 0; number <= maxnumber; number++) {
    if (hash('sha256', rest.salt + number) === rest.challenge) {
      const payload = { algorithm: 'SHA-256', ...rest, number }
      return Buffer.from(JSON.stringify(payload)).toString('base64')
    }
    if (number % BATCH === BATCH - 1) await setImmediate()
  }
  return undefined
}

function parseChallenge(json: string): Challenge | undefined {
  try {
    const { algorithm, challenge, salt, signature, maxnumber = MOST_WORK } = JSON.parse(json)
    const texts = [challenge, salt, signature].every(
      (one) => typeof one === 'string' && one.length <= LONGEST,
    )
    if (algorithm !== 'SHA-256' || !texts || !(maxnumber <= MOST_WORK)) return undefined
    return { challenge, salt, signature, maxnumber }
  } catch {
    return undefined
  }
}

const ELEMENT = '[data-sitekey]'

/** The page itself describes its widget, then the state's file. Undefined without a site key. */
function readWidget(
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

/** Undefined if the page does not say. A widget bound to a button is invisible (reCAPTCHA v2 guide). */
function isInvisible(size: string | undefined, isButton: boolean, script: string): boolean | undefined {
  if (size !== undefined) return size === 'invisible'
  return isButton || /\bsize['"]?\s*:\s*['"]invisible['"]/.test(script) ? true : undefined
}

function actionIn(script: string): string {
  if (!/\b(?:grecaptcha|turnstile|hcaptcha)\b/.test(script)) return ''
  return /\baction['"]?\s*:\s*['"]([\w/-]{1,100})['"]/.exec(script)?.[1] ?? ''
}

/** The share of the time left for solving: an answer sent too late makes the page look slow. */
const SOLVE_SHARE = 0.8

/** The captcha step of every protocol: the fields that answer it, none where nothing can be answered. */
export async function answerCaptcha(
  portal: Portal,
  pagina: Pagina,
  captcha: CaptchaDaPagina,
): Promise<Campos> {
  if (captcha === 'nenhum' || captcha.campo === undefined) return {}
  if (captcha.quando === 'desenhado') return { [captcha.campo]: '' }
  if ('onde' in captcha && !isDrawn(pagina, captcha.onde)) return {}
  const answer = await answerOf(portal, pagina, captcha)
  return Object.fromEntries([captcha.campo].flat().map((campo) => [campo, answer]))
}

const isDrawn = (pagina: Pagina, onde: string): boolean =>
  pagina.html()(`${onde} :is(.g-recaptcha, ${ELEMENT})`).length > 0

async function answerOf(portal: Portal, pagina: Pagina, captcha: CaptchaRespondido): Promise<string> {
  if (captcha.tipo === 'altcha') return solveProva(portal, challengeOf(portal, pagina))
  if (captcha.tipo !== 'imagem' && captcha.tipo !== 'palavras')
    return solveToken(portal, pagina, captcha.tipo)
  const text = await solveImagem(portal, imageOf(portal, pagina, captcha.imagem), captcha.tipo)
  if (captcha.letras === 'maiusculas') return text.toUpperCase()
  return captcha.letras === 'minusculas' ? text.toLowerCase() : text
}

function challengeOf(portal: Portal, pagina: Pagina): string {
  const address = pagina.html()('[challengeurl]').first().attr('challengeurl')
  if (!address) throw portal.failure('parse', 'mudou de página: falta o desafio ALTCHA')
  return new URL(address, pagina.url).href
}

function imageOf(portal: Portal, pagina: Pagina, imagem: { seletor: string } | { url: string }): string {
  const address = 'url' in imagem ? imagem.url : pagina.html()(imagem.seletor).first().attr('src')
  if (!address) throw portal.failure('parse', 'mudou de página: falta a imagem do captcha')
  return new URL(address, pagina.url).href
}

/** Solves the image at an address, in this visit. */
export async function solveImagem(
  portal: Portal,
  url: string,
  tipo: 'imagem' | 'palavras' = 'imagem',
): Promise<string> {
  const { uf, source, meios } = portal
  const { body, media } = await portal.get(url)
  if (!media.startsWith('image/'))
    throw portal.failure('parse', 'mudou de página: a imagem do captcha não é uma imagem')
  return meios.captcha.solve({ uf, source, tipo, imagem: body, media }, portal.leftMs() * SOLVE_SHARE)
}

/** Gets a token for the page's widget. `siteKey` is for pages that have it not in `data-sitekey`. */
export async function solveToken(
  portal: Portal,
  pagina: Pagina,
  tipo: CaptchaWidget,
  siteKey?: string,
): Promise<string> {
  const { uf, source, meios, captcha } = portal
  const widget = readWidget(pagina, tipo, captcha, siteKey)
  if (!widget) throw portal.failure('parse', 'mudou de página: falta a chave do captcha')
  // The token may be as old as the request for it.
  const since = meios.now()
  const token = await meios.captcha.solve({ uf, source, tipo, ...widget }, portal.leftMs() * SOLVE_SHARE)
  portal.holdToken(token, since)
  return token
}

async function solveProva(portal: Portal, url: string): Promise<string> {
  const { text } = await portal.get(url, { headers: { accept: 'application/json' } })
  const payload = await solveAltcha(text())
  if (!payload) throw portal.failure('parse', 'enviou um desafio ALTCHA que não se resolve')
  return payload
}
