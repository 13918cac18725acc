import { scaleLinear } from 'd3-scale'
import { type Html, html } from './web-html.ts'

/** A part of the bars: its name, and its height in each of them. */
export type Serie = { nome: string; valores: readonly number[] }

/** A bar: what stands under it, and what is said of it. */
export type Barra = { rotulo: string; dito: string }

const ALTURA = 200
/** A bar with the gap after it. */
const PASSO = 10
const LARGURA = 8

/** How many series have a colour of their own. */
export const CORES = 5

/**
 * Draws bars of several parts, stretched to their place: the words of the axes are HTML beside them. `texto`
 * says in words what is drawn; at most as many series as there are colours.
 */
export function barrasEmpilhadas(
  series: readonly Serie[],
  { barras, texto }: { barras: readonly Barra[]; texto: string },
): Html {
  const bases = series.map((_, at) =>
    barras.map((_, bar) => series.slice(0, at).reduce((sum, { valores }) => sum + (valores[bar] ?? 0), 0)),
  )
  const totals = barras.map((_, bar) => series.reduce((sum, { valores }) => sum + (valores[bar] ?? 0), 0))
  const scale = scaleLinear()
    .domain([0, Math.max(...totals, 1)])
    .range([ALTURA, 0])
    .nice(4)
  const ticks = scale.ticks(4).filter(Number.isInteger)
  const y = (value: number): number => Math.round(scale(value) * 10) / 10
  const width = barras.length * PASSO
  return html`<figure class="grafico barras"><ul class="legenda">${series.map(
    ({ nome }, at) =>
      html`<li><svg viewBox="0 0 14 14" aria-hidden="true"><rect width="14" height="14" rx="3" class="s${at + 1}"/></svg>${nome}</li>`,
  )}</ul><div class="quadro"><div class="eixo-y" aria-hidden="true">${ticks
    .toReversed()
    .map(
      (tick) => html`<span>${tick.toLocaleString('pt-BR')}</span>`,
    )}</div><svg viewBox="0 0 ${width} ${ALTURA}" preserveAspectRatio="none" role="img" aria-label="${texto}"><path class="regua" d="${ticks.map((tick) => `M0 ${y(tick)}h${width}`).join('')}"/>${series.map(
    ({ valores }, at) =>
      html`<path class="s${at + 1}" d="${valores
        .map((value, bar) => {
          if (value === 0) return ''
          const base = bases[at]?.[bar] ?? 0
          const [foot, top] = [y(base), y(base + value)]
          return `M${bar * PASSO + 1} ${top}h${LARGURA}v${round(foot - top)}h-${LARGURA}z`
        })
        .join('')}"/>`,
  )}${barras.map(
    ({ dito }, bar) =>
      html`<rect class="alvo" x="${bar * PASSO}" width="${PASSO}" height="${ALTURA}"><title>${dito}</title></rect>`,
  )}</svg><div class="eixo-x" aria-hidden="true">${barras.map(({ rotulo }) => html`<span>${rotulo}</span>`)}</div></div></figure>`
}

const round = (value: number): number => Math.round(value * 10) / 10
