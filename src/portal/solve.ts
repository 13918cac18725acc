import { solveAltcha } from './altcha.ts'
import type { Campos } from './campos.ts'
import type { Captcha, CaptchaTipo, CaptchaWidget } from './captcha-captcha.ts'
import type { Pagina } from './pagina.ts'
import type { Portal } from './portal.ts'
import { readWidget } from './widget.ts'

/**
 * The field, or fields, that take the answer to a page's captcha. `imagem` is where the image is: an element
 * (CSS) or an address.
 */
export type CampoDoCaptcha = {
  campo: string | readonly string[]
  imagem?: { seletor: string } | { url: string }
  /** The letters are sent small, as the page's own script writes them. */
  minusculas?: true
}

/**
 * The share of the time left that solving may take. An answer sent with no time left would make the page look
 * slow.
 */
const SOLVE_SHARE = 0.8

/**
 * Answers the captcha that a page asks for at each query, and gives the fields of its form. No fields if it
 * asks for none.
 */
export async function answerCaptcha(
  portal: Portal,
  pagina: Pagina,
  captcha: Captcha,
  resposta: CampoDoCaptcha | undefined,
): Promise<Campos> {
  if (captcha === 'nenhum' || captcha.quando !== 'sempre') return {}
  if (!resposta)
    throw new Error(`${portal.source.id}: its state's file names no field for the captcha (resposta)`)
  const answer = await solve(portal, pagina, captcha.tipo, resposta)
  return Object.fromEntries([resposta.campo].flat().map((campo) => [campo, answer]))
}

async function solve(
  portal: Portal,
  pagina: Pagina,
  tipo: CaptchaTipo,
  { imagem, minusculas }: CampoDoCaptcha,
): Promise<string> {
  if (tipo === 'altcha') return solveProva(portal, challengeOf(portal, pagina))
  if (tipo !== 'imagem' && tipo !== 'palavras') return solveToken(portal, pagina, tipo)
  const text = await solveImagem(portal, imageOf(portal, pagina, imagem), tipo)
  return minusculas ? text.toLowerCase() : text
}

/** The address of the challenge, from the widget of ALTCHA. */
function challengeOf(portal: Portal, pagina: Pagina): string {
  const address = pagina.html()('[challengeurl]').first().attr('challengeurl')
  if (!address) throw portal.failure('parse', 'mudou de página: falta o desafio ALTCHA')
  return new URL(address, pagina.url).href
}

function imageOf(portal: Portal, pagina: Pagina, imagem: CampoDoCaptcha['imagem']): string {
  const address = imagem && ('url' in imagem ? imagem.url : pagina.html()(imagem.seletor).first().attr('src'))
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

/**
 * Gets a token for the widget of a page, whose site key is in `data-sitekey` unless given. The portal does
 * not send a token that is too old.
 */
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

/** Solves the challenge of ALTCHA at an address, and gives the payload that the page wants. */
async function solveProva(portal: Portal, url: string): Promise<string> {
  const { text } = await portal.get(url, { headers: { accept: 'application/json' } })
  const payload = await solveAltcha(text())
  if (!payload) throw portal.failure('parse', 'enviou um desafio ALTCHA que não se resolve')
  return payload
}
