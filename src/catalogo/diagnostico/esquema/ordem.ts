import type { Elemento } from '../nota/arvore.ts'
import type { Declarado } from './modelo.ts'

/** The place of each name in the order of the layout. */
export const lugaresDe = (declarados: readonly Declarado[]): ReadonlyMap<string, number> =>
  new Map(declarados.map(({ nome }, lugar) => [nome, lugar] as const).toReversed())

/**
 * The children that are out of the order of the layout: the fewest that have to be moved. Children that the
 * layout does not know are left out.
 */
export function foraDeOrdem(filhos: readonly Elemento[], declarados: readonly Declarado[]): Elemento[] {
  const lugares = lugaresDe(declarados)
  const conhecidos = filhos.filter(({ nome }) => lugares.has(nome))
  const ficam = new Set(maiorSubida(conhecidos.map(({ nome }) => lugares.get(nome) ?? 0)))
  return conhecidos.filter((_filho, i) => !ficam.has(i))
}

/** The indexes of the longest part that never goes down (patience sorting). */
function maiorSubida(valores: readonly number[]): number[] {
  const topos: number[] = []
  const anteriores: number[] = []
  valores.forEach((valor, i) => {
    const pilha = topos.findIndex((topo) => (valores[topo] ?? 0) > valor)
    const onde = pilha < 0 ? topos.length : pilha
    anteriores[i] = onde > 0 ? (topos[onde - 1] ?? -1) : -1
    topos[onde] = i
  })
  const subida: number[] = []
  for (let i = topos.at(-1) ?? -1; i >= 0; i = anteriores[i] ?? -1) subida.push(i)
  return subida
}

/** The names between which a child belongs, of those that are there. */
export function vizinhosDe(
  elemento: Elemento,
  filhos: readonly Elemento[],
  declarados: readonly Declarado[],
): { depoisDe: string | undefined; antesDe: string | undefined } {
  const lugares = lugaresDe(declarados)
  const seu = lugares.get(elemento.nome) ?? 0
  const outros = filhos
    .filter(({ nome }) => nome !== elemento.nome && lugares.has(nome))
    .map(({ nome }) => ({ nome, lugar: lugares.get(nome) ?? 0 }))
    .sort((a, b) => a.lugar - b.lugar)
  return {
    depoisDe: outros.findLast(({ lugar }) => lugar < seu)?.nome,
    antesDe: outros.find(({ lugar }) => lugar > seu)?.nome,
  }
}
