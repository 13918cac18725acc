import { failUnknown } from './desconhecida.ts'
import type { Pergunta } from './estado.ts'
import { type Frase, findFrase } from './frase.ts'
import { textosOf } from './html.ts'
import { toInscricao } from './inscricao.ts'
import { camposDe, type Legenda, legendaOf, type Rotulos } from './inscricao-rotulo.ts'
import { isCutShort, type Pagina } from './pagina.ts'
import type { Portal } from './portal.ts'
import { countValores, readRegistros } from './registro.ts'
import { noteRotulos } from './rotulo-novo.ts'
import type { Inscricao } from './rules-inscricao.ts'

/** How a portal shows registrations. */
export type FormaDoResultado = {
  legenda: Legenda
  /** The state's own marks, which come before those of all states. */
  frases?: readonly Frase[] | undefined
  /** On a page with a list: the links (CSS) to the page of each registration. */
  lista?: string | undefined
}

/** The options of a portal's results in a state's file. */
export type ResultadoOptions = { rotulos?: Rotulos } & Partial<Pick<FormaDoResultado, 'frases' | 'lista'>>

export const resultadoOf = ({ rotulos, frases, lista }: ResultadoOptions): FormaDoResultado => ({
  legenda: legendaOf(rotulos),
  frases,
  lista,
})

/** Nobody has more registrations in a state. A longer list is a failure. */
const MOST_PAGES = 60

/**
 * Reads the registrations of a page, or of the pages that it links to; none if the page says that there are
 * none. Throws the failure of any other mark, and SourceError `parse` for an unknown page.
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
    return readShown(portal, pergunta, pagina, resultado) ?? readEmpty(portal, pergunta, pagina, resultado)
  const found: Inscricao[] = []
  // One page after the other, as a person would: they share a session.
  for (const link of links) {
    const detalhe = await portal.get(link)
    const shown = readShown(portal, pergunta, detalhe, resultado)
    found.push(...(shown ?? failNotShown(portal, pergunta, detalhe, resultado)))
  }
  return found
}

/** Reads the registrations that a page shows. Undefined if it shows none. */
function readShown(
  portal: Portal,
  pergunta: Pergunta,
  pagina: Pagina,
  resultado: FormaDoResultado,
): Inscricao[] | undefined {
  const legenda = noteRotulos(portal, pagina, resultado.legenda)
  const found = readRegistros(textosOf(pagina.html().root()), legenda)
  if (!found.some(({ inscricao_estadual, razao_social }) => inscricao_estadual && razao_social))
    return undefined
  if (isCutShort(pagina)) throw portal.fail('cortada')
  for (const lidos of found) portal.meios.relato?.campos(camposDe(lidos))
  return found.map((lidos) => toInscricao(lidos, portal, pergunta))
}

/** A form that is shown again may repeat what was asked. More values are of a registration. */
const MOST_OF_A_FORM = 4

/**
 * Reads a page without registrations as readNone does. A firm may be called `Nenhum resultado encontrado`, so
 * these words are not believed beside the fields of one.
 */
function readEmpty(portal: Portal, pergunta: Pergunta, pagina: Pagina, resultado: FormaDoResultado): [] {
  const none = readNone(portal, pergunta, pagina, resultado)
  if (countValores(textosOf(pagina.html().root()), resultado.legenda) > MOST_OF_A_FORM)
    failUnknown(portal, pagina, 'falta a inscrição', pergunta.tipo)
  return none
}

/** Reads a page without registrations: it gives none if the page says so. Throws the reason otherwise. */
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

/** Throws the reason why a listed registration is not on its page. */
function failNotShown(...page: Parameters<typeof readNone>): never {
  readNone(...page)
  throw page[0].failure('parse', 'listou uma inscrição e não a mostrou')
}

/** Gives each link once. Links that only a script follows are left out. */
function linksOf(pagina: Pagina, lista: string): string[] {
  const $ = pagina.html()
  const links = $(lista)
    .map((_, link): string[] => [$(link).attr('href') ?? ''])
    .get()
    .filter((href) => !/^(?:$|#|javascript:|mailto:)/i.test(href) && URL.canParse(href, pagina.url))
    .map((href) => new URL(href, pagina.url).href)
  return [...new Set(links)]
}
