import { readFileSync } from 'node:fs'
import type { Situacao } from '../../domain/sefaz/classificacao.ts'
import { type Uf, ufs, unidades } from '../../domain/uf.ts'
import { type Html, html, url } from '../html.ts'

/** The outline of each state, and where its code stands: beside it for a small one (data/README.md). */
type Mapa = { viewBox: string; estados: Record<Uf, { x: number; y: number; fora?: true; contorno: string }> }

const mapa: Mapa = JSON.parse(
  readFileSync(new URL('../../../data/mapa-do-brasil.json', import.meta.url), 'utf8'),
)

/**
 * Draws Brazil with the class of each state. Colour is not the only sign: a failure is hatched, each state
 * has its code, and its link says the class in words.
 */
export const mapaDoBrasil = (situacoes: ReadonlyMap<Uf, Situacao>, enderecoDe: (uf: Uf) => string): Html =>
  html`<svg class="mapa" viewBox="${mapa.viewBox}" role="group" aria-label="Mapa do Brasil: a situação de cada estado">
<defs><pattern id="trama" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="trama" d="M0 0v7"/></pattern></defs>
${ufs.map((uf) => estado(uf, situacoes.get(uf), enderecoDe(uf)))}</svg>`

function estado(uf: Uf, situacao: Situacao | undefined, endereco: string): Html {
  const { x, y, fora, contorno } = mapa.estados[uf]
  const { status_code = 0, status = 'Sem leitura' } = situacao ?? {}
  const isFalha = status_code >= 4
  return html`<a href="${url(endereco)}"><title>${unidades[uf].nome}: ${status}</title><path class="f${status_code}" d="${contorno}"/>${
    isFalha && html`<path fill="url(#trama)" d="${contorno}"/>`
  }<text x="${x}" y="${y}" class="${fora ? 'fora' : ''}">${uf}</text></a>`
}
