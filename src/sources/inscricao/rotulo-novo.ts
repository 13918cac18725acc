import type { Pagina } from '../pagina/pagina.ts'
import { type TextoDaPagina, trechosOf } from '../pagina/textos.ts'
import type { Portal } from '../portal/portal.ts'
import { type Campo, type Legenda, labelOf } from './rotulo.ts'

/** A label has letters. Numbers, hours, addresses and sentences have other characters too. */
const LABEL = /^\p{L}[\p{L} ./()º°ª'-]{2,58}\s*:?$/u

/** Fields whose labels a search form has too. Alone they do not make a page of results. */
const DA_BUSCA: ReadonlySet<Campo> = new Set(['cpf_cnpj', 'inscricao_estadual'] as const)

/**
 * Reports unknown labels of a page of results: a text with a colon at its end, or one that stands where only
 * known labels stand. It never reports a value, nor a text of the pages before the question.
 */
export function noteRotulos(portal: Portal, pagina: Pagina, legenda: Legenda): void {
  const { novos, campos } = lookAt(trechosOf(pagina.html().root()), legenda)
  const novidades = new Set(novos.length > 0 ? portal.novidades(pagina) : [])
  const told = novos.filter((label) => novidades.has(label)).map((label) => label.replace(/\s*:$/, ''))
  portal.meios.relato?.rotulos(told, campos)
}

/** Finds the unknown labels, and counts the known labels of fields for each registration. */
function lookAt(trechos: readonly TextoDaPagina[], legenda: Legenda): { novos: string[]; campos: number } {
  const campoOf = ({ texto }: TextoDaPagina): Campo | undefined => legenda.get(labelOf(texto))
  const known = trechos.flatMap((trecho, at) => (campoOf(trecho) ? [at] : []))
  const campos = known.flatMap((at) => campoOf(trechos[at] ?? { texto: '', lugar: '' }) ?? [])
  const registros = Math.max(1, campos.filter((campo) => campo === 'inscricao_estadual').length)
  const each = Math.floor(campos.filter((campo) => campo !== 'ignorado').length / registros)
  const [first, last] = [known.at(0), known.at(-1)]
  const found = new Set(campos.filter((campo) => !DA_BUSCA.has(campo)))
  if (first === undefined || last === undefined || found.size < 2) return { novos: [], campos: each }
  const places = placesOf(trechos, known, legenda)
  const shouts = known.every((at) => isLoud(trechos[at]?.texto ?? ''))
  // One label before the first known one, and one after the value of the last.
  const novos = trechos
    .slice(Math.max(0, first - 2), last + 3)
    .filter((trecho) => !campoOf(trecho) && LABEL.test(trecho.texto))
    .filter(({ texto, lugar }) => texto.endsWith(':') || (places.has(lugar) && (shouts || !isLoud(texto))))
    .map(({ texto }) => texto)
  return { novos, campos: each }
}

/** The places of known labels, without the places where values follow them. */
function placesOf(
  trechos: readonly TextoDaPagina[],
  known: readonly number[],
  legenda: Legenda,
): Set<string> {
  const places = new Set(known.map((at) => trechos[at]?.lugar ?? ''))
  for (const at of known) {
    const next = trechos[at + 1]
    if (next && !legenda.has(labelOf(next.texto))) places.delete(next.lugar)
  }
  return places
}

/** Whether a text is in capitals. Values often are, labels seldom. */
const isLoud = (text: string): boolean => text === text.toUpperCase()
