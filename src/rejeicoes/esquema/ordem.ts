import type { Elemento } from '../nota/nota-arvore.ts'
import type { Declarado } from './modelo.ts'

/** The place of each name in the order of the layout. */
const lugaresDe = (declarados: readonly Declarado[]): ReadonlyMap<string, number> =>
  new Map(declarados.map(({ nome }, lugar) => [nome, lugar] as const).toReversed())

/** A child that is out of order, and the names between which it belongs, of those that are there. */
export type ForaDeOrdem = { elemento: Elemento; depoisDe: string | undefined; antesDe: string | undefined }

/**
 * The children that are out of the order of the layout, the fewest that have to be moved, and all children in
 * order. Children that the layout does not know stay where they are.
 */
export function ordenar(
  filhos: readonly Elemento[],
  declarados: readonly Declarado[],
): { fora: ForaDeOrdem[]; ordem: Elemento[] } {
  const lugares = lugaresDe(declarados)
  const lugarDe = ({ nome }: Elemento): number => lugares.get(nome) ?? 0
  const conhecidos = filhos.filter(({ nome }) => lugares.has(nome))
  const ficam = new Set(maiorSubida(conhecidos.map(lugarDe)))
  const movidos = conhecidos.filter((_filho, i) => !ficam.has(i))
  if (movidos.length === 0) return { fora: [], ordem: [...filhos] }
  const vizinhos = vizinhosDe(conhecidos, declarados, lugares)
  return {
    fora: movidos.map((elemento) => ({ elemento, ...vizinhos(elemento.nome) })),
    ordem: intercalar(filhos, movidos, lugarDe),
  }
}

/** The indexes of the longest part that never goes down (patience sorting). */
function maiorSubida(valores: readonly number[]): number[] {
  const topos: number[] = []
  const anteriores: number[] = []
  valores.forEach((valor, i) => {
    const onde = primeiroMaior(topos, (topo) => (valores[topo] ?? 0) > valor)
    anteriores[i] = onde > 0 ? (topos[onde - 1] ?? -1) : -1
    topos[onde] = i
  })
  const subida: number[] = []
  for (let i = topos.at(-1) ?? -1; i >= 0; i = anteriores[i] ?? -1) subida.push(i)
  return subida
}

/** Where the first of a list is for which the test holds, and holds from there on; its length if for none. */
function primeiroMaior(lista: readonly number[], isMaior: (valor: number) => boolean): number {
  let [de, ate] = [0, lista.length]
  while (de < ate) {
    const meio = (de + ate) >>> 1
    if (isMaior(lista[meio] ?? 0)) ate = meio
    else de = meio + 1
  }
  return de
}

function vizinhosDe(
  conhecidos: readonly Elemento[],
  declarados: readonly Declarado[],
  lugares: ReadonlyMap<string, number>,
): (nome: string) => Pick<ForaDeOrdem, 'depoisDe' | 'antesDe'> {
  const presentes = new Set(conhecidos.map(({ nome }) => nome))
  const naOrdem = declarados.filter(({ nome }, lugar) => presentes.has(nome) && lugares.get(nome) === lugar)
  const posicoes = new Map(naOrdem.map(({ nome }, i) => [nome, i] as const))
  return (nome) => {
    const i = posicoes.get(nome) ?? 0
    return { depoisDe: naOrdem[i - 1]?.nome, antesDe: naOrdem[i + 1]?.nome }
  }
}

/** Puts each moved child before the first of the others that comes after it in the layout. */
function intercalar(
  filhos: readonly Elemento[],
  movidos: readonly Elemento[],
  lugarDe: (filho: Elemento) => number,
): Elemento[] {
  const fora = new Set(movidos)
  const espera = movidos.toSorted((a, b) => lugarDe(a) - lugarDe(b))
  const ordem: Elemento[] = []
  let proximo = 0
  const porAntesDe = (lugar: number): void => {
    for (let um = espera[proximo]; um && lugarDe(um) < lugar; um = espera[++proximo]) ordem.push(um)
  }
  for (const filho of filhos) {
    if (fora.has(filho)) continue
    porAntesDe(lugarDe(filho))
    ordem.push(filho)
  }
  porAntesDe(Number.POSITIVE_INFINITY)
  return ordem
}
