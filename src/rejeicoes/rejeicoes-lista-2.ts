import { type Html, html, url } from '../platform/pages/html.ts'
import type { Rejeicao } from './rejeicao.ts'

/** The codes that one page of a list has. */
const POR_PAGINA = 100

/** Codes with their titles, each a link, and with their category if wanted. */
export const listaDeRejeicoes = (
  rejeicoes: readonly Pick<Rejeicao, 'codigo' | 'titulo' | 'url_blog' | 'categoria'>[],
  prefixo: string,
  { comCategoria = false }: { comCategoria?: boolean } = {},
): Html =>
  html`<ul class="rejeicoes">${rejeicoes.map(
    ({ codigo, titulo, url_blog, categoria }) =>
      html`<li><a href="${url(prefixo + url_blog)}"><b>${codigo}</b> <span>${titulo}</span></a>${
        comCategoria && categoria !== null && html` <span class="suave">${categoria}</span>`
      }</li>`,
  )}</ul>`

/** A part of a list: the page that was asked for, or undefined where there is none. */
export type ParteDaLista = { pagina: number; paginas: number; rejeicoes: readonly Rejeicao[] }

/** Cuts a list. `pagina` is as the client sent it. */
export function parteDe(rejeicoes: readonly Rejeicao[], pagina: unknown): ParteDaLista | undefined {
  const paginas = Math.max(1, Math.ceil(rejeicoes.length / POR_PAGINA))
  const asked = pagina === undefined ? '1' : String(pagina)
  const number = /^[1-9]\d{0,3}$/.test(asked) ? Number(asked) : 0
  if (number === 0 || number > paginas) return undefined
  const from = (number - 1) * POR_PAGINA
  return { pagina: number, paginas, rejeicoes: rejeicoes.slice(from, from + POR_PAGINA) }
}

/** Links to all pages of a list, where it has more than one. */
export const paginacao = (
  { pagina, paginas }: ParteDaLista,
  enderecoDe: (pagina: number) => string,
): Html | false =>
  paginas > 1 &&
  html`<nav class="paginas sem-papel" aria-label="Páginas da lista"><ul>${Array.from(
    { length: paginas },
    (_, at) =>
      html`<li><a href="${url(enderecoDe(at + 1))}" aria-current="${at + 1 === pagina ? 'page' : 'false'}"><span class="so-leitor">Página </span>${at + 1}</a></li>`,
  )}</ul></nav>`
