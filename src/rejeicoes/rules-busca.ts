import type { RejeicaoResumida } from './rules.ts'

/**
 * What people say, as a word or a few, and the words of the catalogue for it: any of them counts. What is
 * optional, such as "errado", ranks what is found and leaves nothing out.
 */
export type Sinonimos = ReadonlyMap<string, { vale: readonly string[]; isOpcional: boolean }>

/** The most words of what people say. */
const MAIS_PALAVRAS = 3

/** What stands for one thing that was asked: `dito` is what people said, `vale` the words that answer it. */
export type Grupo = { dito: string; vale: readonly string[]; isOpcional: boolean }

/** Words that nearly every entry has, or that join others. */
const SEM_PESO = new Set(
  'a as o os um uma de da das do dos e em no na nos nas ao aos com que se para por rejeicao erro codigo'.split(
    ' ',
  ),
)

/**
 * Puts the words of a question, folded, into groups: the longest saying that the synonyms know, else one word
 * that stands for itself. Words without weight are left out, unless there is nothing else.
 */
export function emGrupos(palavras: readonly string[], sinonimos: Sinonimos): Grupo[] {
  const grupos = agrupar(palavras, sinonimos)
  const comPeso = grupos.filter(({ dito }) => !SEM_PESO.has(dito))
  return comPeso.length > 0 ? comPeso : grupos
}

function agrupar(palavras: readonly string[], sinonimos: Sinonimos): Grupo[] {
  const grupos: Grupo[] = []
  for (let at = 0; at < palavras.length; ) {
    const saying = comSinonimo(palavras.slice(at, at + MAIS_PALAVRAS), sinonimos)
    const dito = saying ?? palavras[at] ?? ''
    const uma = saying?.includes(' ') ? [] : [dito]
    const sabido = sinonimos.get(dito)
    grupos.push({
      dito,
      vale: [...new Set([...uma, ...(sabido?.vale ?? [])])],
      isOpcional: sabido?.isOpcional ?? false,
    })
    at += dito.split(' ').length
  }
  return grupos
}

function comSinonimo(palavras: readonly string[], sinonimos: Sinonimos): string | undefined {
  for (let quantas = palavras.length; quantas > 0; quantas--) {
    const dito = palavras.slice(0, quantas).join(' ')
    if (sinonimos.has(dito)) return dito
  }
  return undefined
}

/** An entry with the text that a search looks at: its code and its reason, without accents, in lower case. */
export type Pesquisavel<R extends RejeicaoResumida> = { rejeicao: R; texto: string }

/** What a list may be narrowed by. */
export type Filtro = { q?: string | undefined; categoria?: string | undefined }

/** A text as the search compares it: without accents, in lower case. */
export const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Makes an entry ready for the search. */
export const paraPesquisa = <R extends RejeicaoResumida>(rejeicao: R): Pesquisavel<R> => ({
  rejeicao,
  texto: plain(`${rejeicao.codigo} ${rejeicao.motivo}`),
})

/** A search that two spellings share: its different words, as the search compares them. */
export const palavrasDe = (q = ''): string[] => [...new Set(plain(q).match(/\S+/g))]

/**
 * The entries, in their order, whose code or reason has every word of `q` somewhere, and whose category is
 * `categoria`. A blank `q` is no filter.
 */
export function filtrar<P extends Pesquisavel<RejeicaoResumida>>(
  entradas: readonly P[],
  { q, categoria }: Filtro,
): readonly P[] {
  const palavras = palavrasDe(q)
  return entradas.filter(
    ({ rejeicao, texto }) =>
      (categoria === undefined || rejeicao.categoria === categoria) &&
      palavras.every((palavra) => texto.includes(palavra)),
  )
}

/** The most things of a question that are looked for in everyday words. */
const MAIS_GRUPOS = 8

/**
 * The entries whose code or reason has each thing that `q` asks for: its word somewhere, or a whole word that
 * the synonyms give for it. For a question in everyday words, for which `filtrar` finds nothing.
 */
export function filtrarPorSinonimos<P extends Pesquisavel<RejeicaoResumida>>(
  entradas: readonly P[],
  { q, categoria }: Filtro,
  sinonimos: Sinonimos,
): readonly P[] {
  const ditas = palavrasDe(q).flatMap((palavra) => palavra.match(/[\p{L}\p{N}]+/gu) ?? [])
  const grupos = emGrupos(ditas, sinonimos)
    .filter(({ isOpcional }) => !isOpcional)
    .slice(0, MAIS_GRUPOS)
  if (grupos.length === 0) return []
  return entradas.filter(({ rejeicao, texto }) => {
    if (categoria !== undefined && rejeicao.categoria !== categoria) return false
    const palavras = new Set(texto.match(/[\p{L}\p{N}]+/gu))
    return grupos.every(({ dito, vale }) => texto.includes(dito) || vale.some((uma) => palavras.has(uma)))
  })
}
