import { type TextoDaPagina, trechosOf } from './html.ts'
import { type Campo, type Legenda, labelOf } from './inscricao-rotulo.ts'
import type { Pagina } from './pagina.ts'
import type { Portal } from './portal.ts'

/** A label has letters. Numbers, hours, addresses and sentences have other characters too. */
const LABEL = /^\p{L}[\p{L} ./()º°ª'-]{2,58}\s*:?$/u

/** Fields whose labels a search form has too. Alone they do not make a page of results. */
const DA_BUSCA: ReadonlySet<Campo> = new Set(['cpf_cnpj', 'inscricao_estadual'] as const)

/**
 * Reports unknown labels of a page of results: a text with a colon at its end, or one that stands where
 * only known labels stand, but never a value, nor a text of the pages before the question. Gives the
 * legend with these labels in it, so that none of them is read as a value.
 */
export function noteRotulos(portal: Portal, pagina: Pagina, legenda: Legenda): Legenda {
  const novos = findNovos(trechosOf(pagina.html().root()), legenda)
  const novidades = new Set(novos.length > 0 ? portal.novidades(pagina) : [])
  const told = novos.filter((label) => novidades.has(label)).map((label) => label.replace(/\s*:$/, ''))
  portal.meios.relato?.rotulos(told)
  if (told.length === 0) return legenda
  return new Map([...told.map((label) => [labelOf(label), 'ignorado'] as const), ...legenda])
}

function findNovos(trechos: readonly TextoDaPagina[], legenda: Legenda): string[] {
  const campoOf = ({ texto }: TextoDaPagina): Campo | undefined => legenda.get(labelOf(texto))
  const known = trechos.flatMap((trecho, at) => (campoOf(trecho) ? [at] : []))
  const campos = new Set(known.flatMap((at) => campoOf(trechos[at] ?? { texto: '', lugar: '' }) ?? []))
  const [first, last] = [known.at(0), known.at(-1)]
  const results = [...campos].filter((campo) => !DA_BUSCA.has(campo))
  if (first === undefined || last === undefined || results.length < 2) return []
  const places = placesOf(trechos, known, legenda)
  const shouts = known.every((at) => isLoud(trechos[at]?.texto ?? ''))
  // One label before the first known one, and one after the value of the last.
  return trechos
    .slice(Math.max(0, first - 2), last + 3)
    .filter((trecho) => !campoOf(trecho) && LABEL.test(trecho.texto))
    .filter(({ texto, lugar }) => texto.endsWith(':') || (places.has(lugar) && (shouts || !isLoud(texto))))
    .map(({ texto }) => texto)
}

/** So many unknown labels may follow empty ones. A registration has more values than this. */
const MOST_RENAMED = 2

/** The places of known labels, without the places where values follow them. */
function placesOf(
  trechos: readonly TextoDaPagina[],
  known: readonly number[],
  legenda: Legenda,
): Set<string> {
  const places = new Set(known.map((at) => trechos[at]?.lugar ?? ''))
  const values = new Map<string, number>()
  for (const at of known) {
    const next = trechos[at + 1]
    if (next && !legenda.has(labelOf(next.texto))) values.set(next.lugar, (values.get(next.lugar) ?? 0) + 1)
  }
  for (const [place, many] of values) if (many > MOST_RENAMED) places.delete(place)
  return places
}

/** Whether a text is in capitals. Values often are, labels seldom. */
const isLoud = (text: string): boolean => text === text.toUpperCase()
