import { type Html, html } from './html.ts'

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
  aviso: icone('M12 3 1.5 21h21zm-1 7h2v5h-2zm0 7h2v2h-2z'),
  recusa: icone(
    'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 2.2a7.8 7.8 0 1 1 0 15.6 7.8 7.8 0 0 1 0-15.6zM8.9 7.5 7.5 8.9l3.1 3.1-3.1 3.1 1.4 1.4 3.1-3.1 3.1 3.1 1.4-1.4-3.1-3.1 3.1-3.1-1.4-1.4-3.1 3.1z',
  ),
} as const
