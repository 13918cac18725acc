import { type Html, html } from './web-html.ts'

/** An icon of 24 by 24. It is decoration: the words beside it say the same. */
const icone = (contorno: string): Html =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${contorno}"/></svg>`

/** The icons of the pages, drawn by us. */
export const icones = {
  marca: icone('M5 2h9l5 5v15H5zm9 1.5V8h4.5zM8 11v2h8v-2zm0 4v2h8v-2z'),
  lugar: icone(
    'M12 2a7 7 0 0 0-7 7c0 5 7 13 7 13s7-8 7-13a7 7 0 0 0-7-7zm0 4.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z',
  ),
  linhas: icone('M4 5h16v2H4zm0 6h16v2H4zm0 6h10v2H4z'),
  livro: icone('M3 4h7l2 1.5L14 4h7v15h-7l-2 1.5L10 19H3zm8 3.2L9.4 6H5v11h5l1 .7zm2 0v10.5l1-.7h5V6h-4.4z'),
  aviso: icone('M12 3 1.5 21h21zm-1 7h2v5h-2zm0 7h2v2h-2z'),
  recusa: icone(
    'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 2.2a7.8 7.8 0 1 1 0 15.6 7.8 7.8 0 0 1 0-15.6zM8.9 7.5 7.5 8.9l3.1 3.1-3.1 3.1 1.4 1.4 3.1-3.1 3.1 3.1 1.4-1.4-3.1-3.1 3.1-3.1-1.4-1.4-3.1 3.1z',
  ),
  pessoa: icone('M12 3a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM3.5 21c0-4.4 3.8-7 8.5-7s8.5 2.6 8.5 7z'),
  casa: icone('M12 3 2.5 11H5v9h5v-6h4v6h5v-9h2.5z'),
  barras: icone('M4 12h4v8H4zm6-8h4v16h-4zm6 5h4v11h-4z'),
  seta: icone('M7 4v16l13-8z'),
  folha: icone('M5 2h14v20l-3.5-2-3.5 2-3.5-2L5 22zm3 5v2h8V7zm0 4v2h8v-2zm0 4v2h5v-2z'),
  antena: icone(
    'M12 4a8 8 0 0 1 8 8h-2.3A5.7 5.7 0 0 0 12 6.3zm0 4.3a3.7 3.7 0 0 1 3.7 3.7H12zM4 9l11 11a8 8 0 0 1-11-11z',
  ),
  chave: icone('M8 7a5 5 0 0 1 4.9 4H22v4h-3v3h-4v-3h-2.1A5 5 0 1 1 8 7zm0 3a2 2 0 1 0 0 4 2 2 0 0 0 0-4z'),
} as const
