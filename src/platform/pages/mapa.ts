import { readFileSync } from 'node:fs'
import { type Uf, ufs, unidades } from '../../documento/uf.ts'
import { type Html, html, url } from './html.ts'

/** The outline of each state, and where its code stands: beside it for a small one (data/README.md). */
type Mapa = { viewBox: string; estados: Record<Uf, { x: number; y: number; fora?: true; contorno: string }> }

const mapa: Mapa = JSON.parse(
  readFileSync(new URL('../../../data/mapa-do-brasil.json', import.meta.url), 'utf8'),
)

/** The Federal District lies inside Goiás, which would cover it. */
const desenhados = ufs.toSorted((a, b) => Number(a === 'DF') - Number(b === 'DF'))

export type NoMapa = { status_code: number; status: string }

/** Colour is not the only sign: a failure is hatched, and each link says the class in words. */
export const mapaDoBrasil = (
  situacaoDe: (uf: Uf) => NoMapa,
  enderecoDe: (uf: Uf) => string,
  nome = 'Mapa do Brasil: a situação de cada estado',
): Html =>
  html`<svg class="mapa" viewBox="${mapa.viewBox}" role="group" aria-label="${nome}">
<defs><pattern id="trama" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="trama" d="M0 0v7"/></pattern></defs>
${desenhados.map((uf) => estado(uf, situacaoDe(uf), enderecoDe(uf)))}</svg>`

function estado(uf: Uf, { status_code, status }: NoMapa, endereco: string): Html {
  const { x, y, fora, contorno } = mapa.estados[uf]
  const isFalha = status_code >= 4
  return html`<a href="${url(endereco)}" data-uf="${uf}"><title>${unidades[uf].nome}: ${status}</title><path class="f${status_code}" d="${contorno}"/>${
    isFalha && html`<path fill="url(#trama)" d="${contorno}"/>`
  }<text x="${x}" y="${y}" class="${fora ? 'fora' : ''}">${uf}</text></a>`
}

const ordem = [1, 2, 3, 4, 5, 0] as const

export const legendaDasClasses = (
  classes: Readonly<Record<(typeof ordem)[number], string>>,
  contagem: readonly number[],
): Html =>
  html`<ul class="legenda">${ordem.map(
    (code) =>
      html`<li data-classe="${code}"><svg viewBox="0 0 14 14" aria-hidden="true"><rect width="14" height="14" rx="3" class="f${code}"/>${
        code >= 4 && html`<path class="trama" d="M-2 9 9-2M2 16 16 2"/>`
      }</svg><span>${classes[code]}</span> <b>${contagem[code] ?? 0}</b></li>`,
  )}</ul>`

const cores = ['', 'bom', 'lento', 'lento', 'ruim', 'ruim'] as const

export const seloDaSituacao = ({ status_code, status }: NoMapa): Html =>
  html`<span class="selo ${cores[status_code]}">${status}</span>`
