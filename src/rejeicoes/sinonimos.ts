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
