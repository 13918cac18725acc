import type { Inscricao } from '../../domain/inscricao.ts'
import type { Pergunta } from '../estado.ts'
import type { Portal } from '../portal.ts'
import { unknownPage } from './desconhecida.ts'
import { type Frase, findFrase, throwFrase } from './frase.ts'
import { toInscricao } from './inscricao.ts'
import { isCutShort, type Pagina } from './pagina.ts'
import { type Legenda, readRotulos, splitBlocos } from './rotulo.ts'
import { textosOf } from './textos.ts'

/** How a portal shows what it found. */
export type Resultado = {
  legenda: Legenda
  /** The state's own marks, before those of all states. */
  frases?: readonly Frase[]
  /** Where one page shows several registrations: the element (CSS) that holds each. */
  registro?: string
  /** Where one page shows several with nothing around each: all labels come again for each. */
  blocos?: true
  /** Where the page is a list: the links (CSS) to the page of each registration. */
  lista?: string
}

/** More registrations of one document than anybody has in a state; the rest of a longer list is not asked for. */
const MOST_PAGES = 60

/**
 * The registrations on a page of results, with the pages that it links to. A page that says that there are none gives
 * none; any other mark is thrown as what it means. Throws SourceError `parse` for a page that has neither.
 */
export async function readResultado(
  portal: Portal,
  pergunta: Pergunta,
  pagina: Pagina,
  resultado: Resultado,
): Promise<Inscricao[]> {
  const frase = findFrase(pagina, resultado.frases)
  if (frase) {
    throwFrase(frase, portal, pergunta)
    return []
  }
  const { lista } = resultado
  const links = lista ? linksOf(pagina, lista) : []
  if (links.length > MOST_PAGES) throw portal.failure('parse', `listou ${links.length} inscrições`)
  const { lista: _, ...alone } = resultado
  if (links.length > 0) {
    const found: Inscricao[] = []
    // One after the other, as a person would: they share a session.
    for (const link of links)
      found.push(...(await readResultado(portal, pergunta, await portal.get(link), alone)))
    return found
  }
  if (isCutShort(pagina)) throw portal.failure('parse', 'enviou uma página que termina no meio')
  const found = textosOfEach(pagina, resultado).map((textos) => readRotulos(textos, resultado.legenda))
  if (!found[0]?.inscricao_estadual) throw unknownPage(portal, pagina, 'falta o número da inscrição')
  return found.map((lidos) => toInscricao(lidos, portal, pergunta))
}

/** The texts of each registration on a page. */
function textosOfEach(pagina: Pagina, { registro, blocos, legenda }: Resultado): string[][] {
  const $ = pagina.html()
  if (registro)
    return $(registro)
      .map((_, block): string[][] => [textosOf({ toArray: () => [block] })])
      .get()
  const textos = textosOf($.root())
  return blocos ? splitBlocos(textos, legenda) : [textos]
}

function linksOf(pagina: Pagina, lista: string): string[] {
  const links = pagina
    .html()(lista)
    .map((_, link) => new URL(pagina.html()(link).attr('href') ?? '', pagina.url).href)
  return [...new Set(links.get())]
}
