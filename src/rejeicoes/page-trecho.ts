import type { LinhaDeXml } from './linhas.ts'

/** A line of one text beside its line of the other; undefined where it has none there. */
export type Lado = { um: number | undefined; outro: number | undefined; igual: boolean }

/**
 * Puts two texts side by side: the longest common sequence of lines stays together, and between them a line
 * stands beside the one of the same element.
 */
export function alinhar(um: readonly LinhaDeXml[], outro: readonly LinhaDeXml[]): Lado[] {
  const { de, ate, comum } = comuns(um, outro)
  const lados: Lado[] = []
  let [i, j] = [0, 0]
  for (const [nextI, nextJ] of [
    ...range(0, de, 0),
    ...comum,
    ...range(ate.um, um.length, ate.outro - ate.um),
  ]) {
    lados.push(...juntar(um, outro, { i, j, nextI, nextJ }), { um: nextI, outro: nextJ, igual: true })
    ;[i, j] = [nextI + 1, nextJ + 1]
  }
  return [...lados, ...juntar(um, outro, { i, j, nextI: um.length, nextJ: outro.length })]
}

/** The lines between two common ones. */
function juntar(
  um: readonly LinhaDeXml[],
  outro: readonly LinhaDeXml[],
  { i, j, nextI, nextJ }: { i: number; j: number; nextI: number; nextJ: number },
): Lado[] {
  const left = Array.from({ length: nextI - i }, (_, at) => i + at)
  const right = Array.from({ length: nextJ - j }, (_, at) => j + at)
  const lados: Lado[] = []
  for (const at of left) {
    const beside = right.findIndex((one) => isSame(um[at], outro[one]))
    for (const one of right.splice(0, Math.max(beside, 0)))
      lados.push({ um: undefined, outro: one, igual: false })
    lados.push({ um: at, outro: beside < 0 ? undefined : right.shift(), igual: false })
  }
  return [...lados, ...right.map((one) => ({ um: undefined, outro: one, igual: false }))]
}

const isSame = (one: LinhaDeXml | undefined, other: LinhaDeXml | undefined): boolean =>
  one !== undefined && one.caminho !== '' && one.caminho === other?.caminho

const range = (from: number, to: number, shift: number): [number, number][] =>
  Array.from({ length: to - from }, (_, at) => [from + at, from + at + shift])

type Comuns = { de: number; ate: { um: number; outro: number }; comum: [number, number][] }

/** The lines that both have: all before `de`, all from `ate` on, and the longest sequence in between. */
function comuns(um: readonly LinhaDeXml[], outro: readonly LinhaDeXml[]): Comuns {
  const equal = (i: number, j: number): boolean =>
    um[i]?.texto === outro[j]?.texto && um[i]?.nivel === outro[j]?.nivel
  const least = Math.min(um.length, outro.length)
  let de = 0
  while (de < least && equal(de, de)) de++
  let tail = 0
  while (tail < least - de && equal(um.length - 1 - tail, outro.length - 1 - tail)) tail++
  const ate = { um: um.length - tail, outro: outro.length - tail }
  const length = Array.from({ length: ate.um - de + 1 }, () => new Uint16Array(ate.outro - de + 1))
  const at = (i: number, j: number): number => length[i - de]?.[j - de] ?? 0
  for (let i = ate.um - 1; i >= de; i--)
    for (let j = ate.outro - 1; j >= de; j--)
      length[i - de]?.fill(
        equal(i, j) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1)),
        j - de,
        j - de + 1,
      )
  const comum: [number, number][] = []
  for (let [i, j] = [de, de]; i < ate.um && j < ate.outro; ) {
    if (equal(i, j)) comum.push([i++, j++])
    else if (at(i + 1, j) >= at(i, j + 1)) i++
    else j++
  }
  return { de, ate, comum }
}
