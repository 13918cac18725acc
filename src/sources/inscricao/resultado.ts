import type { Inscricao } from '../../domain/inscricao/inscricao.ts'
import type { Pergunta } from '../estado.ts'
import { isCutShort, type Pagina } from '../pagina/pagina.ts'
import { textosOf } from '../pagina/textos.ts'
import { failUnknown } from '../portal/desconhecida.ts'
import { type Frase, findFrase } from '../portal/frase.ts'
import type { Portal } from '../portal/portal.ts'
import { toInscricao } from './inscricao.ts'
import { readRegistros } from './registro.ts'
import { type Legenda, legendaOf, type Rotulos } from './rotulo.ts'
import { noteRotulos } from './rotulo-novo.ts'

/** How a portal shows what it found. */
export type FormaDoResultado = {
  legenda: Legenda
  /** The state's own marks, before those of all states. */
  frases?: readonly Frase[] | undefined
  /** Where the page is a list: the links (CSS) to the page of each registration. */
  lista?: string | undefined
}

/** What a state's file says of it. */
export type ResultadoOptions = { rotulos?: Rotulos } & Partial<Pick<FormaDoResultado, 'frases' | 'lista'>>

export const resultadoOf = ({ rotulos, frases, lista }: ResultadoOptions): FormaDoResultado => ({
  legenda: legendaOf(rotulos),
  frases,
  lista,
})

/** More registrations of one document than anybody has in a state; the rest of a longer list is not asked for. */
const MOST_PAGES = 60

/**
 * The registrations on a page of results, or on the pages that it links to. A page that shows none and says that there
 * are none gives none; any other mark is thrown as what it means. Throws SourceError `parse` for a page that has neither.
 */
export async function readResultado(
  portal: Portal,
  pergunta: Pergunta,
  pagina: Pagina,
  resultado: FormaDoResultado,
): Promise<Inscricao[]> {
  const links = resultado.lista ? linksOf(pagina, resultado.lista) : []
  if (links.length > MOST_PAGES) throw portal.failure('parse', `listou ${links.length} inscrições`)
  if (links.length === 0)
    return readShown(portal, pergunta, pagina, resultado) ?? readNone(portal, pergunta, pagina, resultado)
  const found: Inscricao[] = []
  // One after the other, as a person would: they share a session.
  for (const link of links) {
    const detalhe = await portal.get(link)
    const shown = readShown(portal, pergunta, detalhe, resultado)
    found.push(...(shown ?? failNotShown(portal, pergunta, detalhe, resultado)))
  }
  return found
}

/** The registrations that a page shows, whatever else it says; undefined where it shows none. */
function readShown(
  portal: Portal,
  pergunta: Pergunta,
  pagina: Pagina,
  { legenda }: FormaDoResultado,
): Inscricao[] | undefined {
  noteRotulos(portal, pagina, legenda)
  const found = readRegistros(textosOf(pagina.html().root()), legenda)
  if (!found.some(({ inscricao_estadual, razao_social }) => inscricao_estadual && razao_social))
    return undefined
  if (isCutShort(pagina)) throw portal.fail('cortada')
  return found.map((lidos) => toInscricao(lidos, portal, pergunta))
}

/** What a page without registrations says: that there are none, or why it tells of none. */
export function readNone(
  portal: Portal,
  pergunta: Pergunta,
  pagina: Pagina,
  { frases }: Pick<FormaDoResultado, 'frases'>,
): [] {
  const frase = findFrase(portal, pagina, frases)
  if (!frase && isCutShort(pagina)) throw portal.fail('cortada')
  if (!frase) failUnknown(portal, pagina, 'falta a inscrição', pergunta.tipo)
  if (frase.desfecho !== 'nao-encontrado') throw portal.fail(frase.desfecho, pergunta.tipo)
  return []
}

/** Throws why a registration that was listed is not on its page. */
function failNotShown(...page: Parameters<typeof readNone>): never {
  readNone(...page)
  throw page[0].failure('parse', 'listou uma inscrição e não a mostrou')
}

/** Each link once; those that only a script follows are none. */
function linksOf(pagina: Pagina, lista: string): string[] {
  const $ = pagina.html()
  const links = $(lista)
    .map((_, link): string[] => [$(link).attr('href') ?? ''])
    .get()
    .filter((href) => !/^(?:$|#|javascript:|mailto:)/i.test(href) && URL.canParse(href, pagina.url))
    .map((href) => new URL(href, pagina.url).href)
  return [...new Set(links)]
}
