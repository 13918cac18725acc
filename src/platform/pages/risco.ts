import { type Html, html } from './web-html.ts'

const LARGURA = 100
const ALTURA = 24
const BARRA = 4

/**
 * Draws values as a small line over a filled ground. It is decoration: the words above it say what counts.
 */
export function risco(valores: readonly number[]): Html {
  const most = Math.max(...valores, 1)
  const last = Math.max(valores.length - 1, 1)
  const points = valores.map((value, at) => {
    const y = ALTURA - 1 - (value / most) * (ALTURA - 3)
    return `${round((at / last) * LARGURA)} ${round(y)}`
  })
  const line = `M${points.join('L')}`
  return html`<svg class="risco" viewBox="0 0 ${LARGURA} ${ALTURA}" preserveAspectRatio="none" aria-hidden="true"><path class="chao" d="${line}V${ALTURA}H0z"/><path class="linha" d="${line}"/></svg>`
}

/** Draws a share from 0 to 1 as a bar that is so far full. The words beside it say the same. */
export function barraDeParte(share: number): Html {
  const full = round(Math.min(Math.max(share, 0), 1) * LARGURA)
  return html`<svg class="cheia" viewBox="0 0 ${LARGURA} ${BARRA}" preserveAspectRatio="none" aria-hidden="true"><rect class="fundo" width="${LARGURA}" height="${BARRA}" rx="1"/><rect class="parte" width="${full}" height="${BARRA}" rx="1"/></svg>`
}

const round = (value: number): number => Math.round(value * 10) / 10
