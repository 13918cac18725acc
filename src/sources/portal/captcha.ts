import type { Portal } from '../portal.ts'
import { solveAltcha } from './altcha.ts'
import type { Pagina } from './pagina.ts'

/** The text of the image at an address, bound to this visit. */
export async function solveImagem(
  portal: Portal,
  url: string,
  tipo: 'imagem' | 'palavras' = 'imagem',
): Promise<string> {
  const { uf, source, meios } = portal
  const { body, media } = await portal.get(url)
  if (!media.startsWith('image/'))
    throw portal.failure('parse', 'mudou de página: a imagem do captcha não é uma imagem')
  return meios.captcha.solve({ uf, source, tipo, imagem: body, media }, portal.leftMs())
}

/** A token for the widget on a page; its site key stands in `data-sitekey` unless it is given. */
export async function solveToken(
  portal: Portal,
  pagina: Pagina,
  tipo: 'recaptcha-v2' | 'recaptcha-enterprise' | 'turnstile',
  siteKey = pagina.html()('[data-sitekey]').first().attr('data-sitekey'),
): Promise<string> {
  const { uf, source, meios } = portal
  if (!siteKey) throw portal.failure('parse', 'mudou de página: falta a chave do captcha')
  return meios.captcha.solve({ uf, source, tipo, siteKey, pagina: pagina.url }, portal.leftMs())
}

/** The payload that a page with ALTCHA wants; the challenge is asked of `url`. */
export async function solveProva(portal: Portal, url: string): Promise<string> {
  const { text } = await portal.get(url, { headers: { accept: 'application/json' } })
  const payload = await solveAltcha(text())
  if (!payload) throw portal.failure('parse', 'enviou um desafio ALTCHA que não se resolve')
  return payload
}
