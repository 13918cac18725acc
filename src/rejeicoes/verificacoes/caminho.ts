import type { No } from '../no.ts'

/**
 * What an element found of each path, by the path's number. One alone stands without a list: most are alone,
 * and a large note has 30,000 of them.
 */
export type LidosDoElemento = (No | No[] | undefined)[]

/** What was read from the elements of one kind. Most questions are about the same element as the last. */
type Leitura = { ultimo: No; lidos: LidosDoElemento; todos: Map<No, LidosDoElemento> }

/** What paths are read from in one run. */
export type FundoDaCena = {
  infNFe: No
  infNFeSupl: No | undefined
  /** What was read so far, by the number of the kind of element that paths start from. */
  leituras: (Leitura | undefined)[]
}

/** A step of paths that begin alike. */
type Galho = {
  /** Undefined if no path ends here. */
  numero: number | undefined
  filhos: Map<string, Galho>
  /** The step to any child, `*`. */
  qualquer: Galho | undefined
  /** The numbers of the paths to attributes, by name. */
  atributos: Map<string, number>
}

/** All paths that start at one kind of element, so that one walk below it finds what each of them finds. */
export type Tronco = {
  /** Its own number. */
  indice: number
  raiz: Galho
  /** The paths below the sibling of `infNFe`; only the paths that start at the note have some. */
  suplemento: Galho | undefined
  /** How many paths have a number. */
  quantos: number
}

const novoGalho = (): Galho => ({
  numero: undefined,
  filhos: new Map(),
  qualquer: undefined,
  atributos: new Map(),
})

/** Begins with the paths of the note, from `infNFe`, or with those of one of its elements. */
export const criarTronco = (de: 'nota' | 'elemento', indice: number): Tronco => ({
  indice,
  raiz: novoGalho(),
  suplemento: de === 'nota' ? novoGalho() : undefined,
  quantos: 0,
})

/** The number of a path, as `prod/NCM` or `@nItem`; empty for the element itself. */
export function numerar(tronco: Tronco, caminho: string): number {
  const passos = caminho.split('/').filter((passo) => passo !== '')
  if (tronco.suplemento && passos[0] === 'infNFeSupl')
    return descer(tronco, tronco.suplemento, passos.slice(1))
  return descer(tronco, tronco.raiz, passos)
}

function descer(tronco: Tronco, galho: Galho, [passo, ...outros]: readonly string[]): number {
  if (passo === undefined) {
    galho.numero ??= tronco.quantos++
    return galho.numero
  }
  if (passo.startsWith('@')) {
    const nome = passo.slice(1)
    const numero = galho.atributos.get(nome) ?? tronco.quantos++
    galho.atributos.set(nome, numero)
    return numero
  }
  const seguinte = (passo === '*' ? galho.qualquer : galho.filhos.get(passo)) ?? novoGalho()
  if (passo === '*') galho.qualquer = seguinte
  else galho.filhos.set(passo, seguinte)
  return descer(tronco, seguinte, outros)
}

/** What the paths find at an element. It is read with the first of them, and again if there are more now. */
export function lidosDe(dono: No, tronco: Tronco, quadro: FundoDaCena): LidosDoElemento {
  const leitura = quadro.leituras[tronco.indice]
  if (leitura?.ultimo === dono && leitura.lidos.length === tronco.quantos) return leitura.lidos
  const todos = leitura?.todos ?? new Map<No, LidosDoElemento>()
  const guardados = todos.get(dono)
  const lidos = guardados?.length === tronco.quantos ? guardados : lerTudo(dono, tronco, quadro)
  todos.set(dono, lidos)
  quadro.leituras[tronco.indice] = { ultimo: dono, lidos, todos }
  return lidos
}

function lerTudo(
  dono: No,
  { raiz, suplemento, quantos }: Tronco,
  { infNFeSupl }: FundoDaCena,
): LidosDoElemento {
  const lidos: LidosDoElemento = new Array(quantos)
  colher(dono, raiz, lidos)
  if (suplemento && infNFeSupl) colher(infNFeSupl, suplemento, lidos)
  return lidos
}

function colher(no: No, galho: Galho, lidos: LidosDoElemento): void {
  if (galho.numero !== undefined) guardar(no, galho.numero, lidos)
  for (const [nome, numero] of galho.atributos)
    if (no.atributos[nome] !== undefined) guardar(no, numero, lidos)
  if (galho.filhos.size === 0 && !galho.qualquer) return
  for (const filho of no.filhos) {
    const seu = galho.filhos.get(filho.nome)
    if (seu) colher(filho, seu, lidos)
    if (galho.qualquer) colher(filho, galho.qualquer, lidos)
  }
}

function guardar(no: No, numero: number, lidos: LidosDoElemento): void {
  const achados = lidos[numero]
  if (achados === undefined) lidos[numero] = no
  else if (Array.isArray(achados)) achados.push(no)
  else lidos[numero] = [achados, no]
}
