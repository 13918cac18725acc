import type { Cena } from './cena.ts'
import { criarPonto, type Ponto } from './ponto.ts'

/** What an element found of each path, by the path's number; a path that found nothing has no list. */
export type Lidos = (Ponto[] | undefined)[]

/** A step of paths that begin alike. */
type Galho = {
  numero: number
  filhos: Map<string, Galho>
  /** The step to any child, `*`. */
  qualquer: Galho | undefined
  /** The numbers of the paths to attributes, by name. */
  atributos: Map<string, number>
}

/** All paths that start at one kind of element, so that one walk below it finds what each of them finds. */
export type Tronco = {
  raiz: Galho
  /** The paths below the sibling of `infNFe`; only the paths that start at the note have some. */
  suplemento: Galho | undefined
  quantos: number
}

const novoGalho = (numero: number): Galho => ({
  numero,
  filhos: new Map(),
  qualquer: undefined,
  atributos: new Map(),
})

/** Begins with the paths of the note, from `infNFe`, or with those of one of its elements. */
export const criarTronco = (de: 'nota' | 'elemento'): Tronco => ({
  raiz: novoGalho(0),
  suplemento: de === 'nota' ? novoGalho(1) : undefined,
  quantos: de === 'nota' ? 2 : 1,
})

/** The number of a path, as `prod/NCM` or `@nItem`; empty for the element itself. */
export function numerar(tronco: Tronco, caminho: string): number {
  const [primeiro = '', ...outros] = caminho.split('/')
  if (primeiro === '') return tronco.raiz.numero
  if (tronco.suplemento && primeiro === 'infNFeSupl') return descer(tronco, tronco.suplemento, outros)
  return descer(tronco, tronco.raiz, [primeiro, ...outros])
}

function descer(tronco: Tronco, galho: Galho, [passo, ...outros]: readonly string[]): number {
  if (passo === undefined) return galho.numero
  if (passo.startsWith('@')) {
    const nome = passo.slice(1)
    const numero = galho.atributos.get(nome) ?? tronco.quantos++
    galho.atributos.set(nome, numero)
    return numero
  }
  const seguinte = (passo === '*' ? galho.qualquer : galho.filhos.get(passo)) ?? novoGalho(tronco.quantos++)
  if (passo === '*') galho.qualquer = seguinte
  else galho.filhos.set(passo, seguinte)
  return descer(tronco, seguinte, outros)
}

/** What the paths find at an element. It is read with the first of them, and again if there are more by then. */
export function lidosDe(dono: Ponto, tronco: Tronco, cena: Cena): Lidos {
  const { lidos } = dono
  if (lidos !== undefined && lidos.length === tronco.quantos) return lidos
  const novos: Lidos = new Array(tronco.quantos)
  dono.lidos = novos
  colher(dono, tronco.raiz, novos)
  if (tronco.suplemento && cena.infNFeSupl) colher(cena.infNFeSupl, tronco.suplemento, novos)
  return novos
}

function colher(ponto: Ponto, galho: Galho, lidos: Lidos): void {
  guardar(ponto, galho.numero, lidos)
  const { atributos, filhos } = ponto.no
  for (const [nome, numero] of galho.atributos)
    if (atributos[nome] !== undefined) guardar(ponto, numero, lidos)
  if (galho.filhos.size === 0 && !galho.qualquer) return
  for (const filho of filhos) {
    const seu = galho.filhos.get(filho.nome)
    if (seu) colher(criarPonto(filho, ponto), seu, lidos)
    if (galho.qualquer) colher(criarPonto(filho, ponto), galho.qualquer, lidos)
  }
}

function guardar(ponto: Ponto, numero: number, lidos: Lidos): void {
  const achados = lidos[numero]
  if (achados) achados.push(ponto)
  else lidos[numero] = [ponto]
}
