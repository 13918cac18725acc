import { type Html, html } from './web-html.ts'

/** A day of the strip: the share of good readings from 0 to 1; undefined where there is none. */
export type Dia = { dia: string; parte: number | undefined }

const LARGURA = 4
const ALTURA = 20

/** From this share on a day is green: 14 minutes of failures make it yellow, 72 red. */
export const BOM = 0.99
const RUIM = 0.95

/**
 * Draws days as bars, the oldest first; `texto` says the same in words. A worse day is lower as well as of
 * another colour.
 */
export const faixaDeDias = (dias: readonly Dia[], texto: string): Html =>
  html`<svg class="faixa" viewBox="0 0 ${dias.length * LARGURA - 1} ${ALTURA}" preserveAspectRatio="none" role="img" aria-label="${texto}">${(
    [0, 1, 2, 4] as const
  ).map((classe) => barras(dias, classe))}</svg>`

/** All days of a class are one path, so that a year of strips stays a light page. */
function barras(dias: readonly Dia[], classe: 0 | 1 | 2 | 4): Html | false {
  const d = dias
    .flatMap(({ parte }, at) => {
      if (classOf(parte) !== classe) return []
      const altura = classe === 4 ? 9 : classe === 2 ? 15 : ALTURA
      return [`M${at * LARGURA} ${ALTURA - altura}h3v${altura}h-3z`]
    })
    .join('')
  return d !== '' && html`<path class="f${classe}" d="${d}"/>`
}

function classOf(parte: number | undefined): 0 | 1 | 2 | 4 {
  if (parte === undefined) return 0
  if (parte >= BOM) return 1
  return parte >= RUIM ? 2 : 4
}
