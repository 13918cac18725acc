import type { Desfecho } from './desfecho.ts'
import { normalize, type Pagina } from './pagina.ts'
import type { Portal } from './portal.ts'

/**
 * A mark of a page: words (compared as `normalize` gives them), a part of its address, or a selector. If it
 * has several, all must match.
 */
export type Frase = { desfecho: Desfecho } & Marcas &
  ({ texto: string } | { url: string } | { seletor: string })

type Marcas = { texto?: string; url?: string; seletor?: string }

/** Words that the registries of all states use. `findRecusa` knows why a page gives no answer at all. */
const comuns: readonly Frase[] = [
  { desfecho: 'nao-encontrado', texto: 'Nenhum resultado encontrado' },
  { desfecho: 'nao-encontrado', texto: 'Nenhum registro encontrado' },
]

/** The first of the marks that the page carries: the state's own, then those of all. */
export const findFrase = (
  portal: Portal,
  pagina: Pagina,
  proprias: readonly Frase[] = [],
): Frase | undefined => [...proprias, ...comuns].find((frase) => carries(portal, pagina, frase))

const carries = (portal: Portal, pagina: Pagina, { texto, url, seletor }: Frase): boolean =>
  (texto === undefined || normalize(portal.novidades(pagina).join(' ')).includes(normalize(texto))) &&
  (url === undefined || `${pagina.url} ${pagina.location}`.includes(url)) &&
  (seletor === undefined || pagina.html()(seletor).length > 0)
