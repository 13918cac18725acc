import { type Html, html } from './web-html.ts'

/** A line of the chart: a value a day in seconds, undefined where there is none. */
export type Curva = { nome: string; classe: string; valores: readonly (number | undefined)[] }

const ALTURA = 100

/** Where the scale may end, in seconds. */
const TETOS = [0.2, 0.5, 1, 2, 5, 10, 20, 30]

/**
 * Draws lines over the same days, stretched to their place: the words of the axes are HTML beside it.
 * `texto` says the same in words, `dias` are the words under it.
 */
export function graficoDeTempos(
  linhas: readonly Curva[],
  { texto, dias }: { texto: string; dias: readonly string[] },
): Html {
  const known = linhas.flatMap(({ valores }) => valores.filter((one) => one !== undefined))
  const most = Math.max(...known, 0)
  const teto = TETOS.find((one) => one >= most) ?? most
  const days = Math.max(...linhas.map(({ valores }) => valores.length), 2)
  return html`<figure class="grafico"><ul class="legenda">${linhas.map(
    ({ nome, classe }) =>
      html`<li><svg viewBox="0 0 14 14" aria-hidden="true"><path class="linha ${classe}" d="M0 7h14"/></svg>${nome}</li>`,
  )}</ul><div class="quadro"><div class="eixo-y" aria-hidden="true">${[1, 0.5, 0].map(
    (share) => html`<span>${(teto * share).toLocaleString('pt-BR')} s</span>`,
  )}</div><svg viewBox="0 0 ${days - 1} ${ALTURA}" preserveAspectRatio="none" role="img" aria-label="${texto}"><path class="regua" d="M0 0h${days - 1}M0 ${ALTURA / 2}h${days - 1}M0 ${ALTURA}h${days - 1}"/>${linhas.map(
    ({ classe, valores }) => html`<path class="linha ${classe}" d="${tracar(valores, teto)}"/>`,
  )}</svg></div><div class="eixo-x" aria-hidden="true">${dias.map((dia) => html`<span>${dia}</span>`)}</div></figure>`
}

/** A day without a value breaks the line; one alone is a short stroke. */
function tracar(valores: readonly (number | undefined)[], teto: number): string {
  const at = (index: number): number | undefined => valores[index]
  return valores
    .map((value, index) => {
      if (value === undefined) return ''
      const y = Math.round((1 - value / teto) * ALTURA * 10) / 10
      if (at(index - 1) !== undefined) return `L${index} ${y}`
      return at(index + 1) === undefined ? `M${index} ${y}h.01` : `M${index} ${y}`
    })
    .join('')
}
