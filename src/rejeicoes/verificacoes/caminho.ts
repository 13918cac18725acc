import { diaDe } from '../../documento/dia.ts'
import type { Caminho, No, Regencia } from '../rules.ts'
import type { TabelaDeCodigos } from '../rules-tabela.ts'

/** By the number of the path. One alone stands without a list: a large note has 30,000 of them. */
export type LidosDoElemento = (No | No[] | undefined)[]

/** What was read from the elements of one kind. Most questions are about the same element as the last. */
type Leitura = { ultimo: No; lidos: LidosDoElemento; todos: Map<No, LidosDoElemento> }

type FundoDaCena = {
  infNFe: No
  infNFeSupl: No | undefined
  /** What was read so far, by the number of the kind of element that paths start from. */
  leituras: (Leitura | undefined)[]
}

type Galho = {
  /** Undefined if no path ends here. */
  numero: number | undefined
  filhos: Map<string, Galho>
  qualquer: Galho | undefined
  atributos: Map<string, number>
}

/** All paths that start at one kind of element, so that one walk below it finds what each of them finds. */
export type Tronco = {
  indice: number
  raiz: Galho
  /** The paths below the sibling of `infNFe`; only the paths that start at the note have some. */
  suplemento: Galho | undefined
  quantos: number
}

const novoGalho = (): Galho => ({
  numero: undefined,
  filhos: new Map(),
  qualquer: undefined,
  atributos: new Map(),
})

const createTronco = (de: 'nota' | 'elemento', indice: number): Tronco => ({
  indice,
  raiz: novoGalho(),
  suplemento: de === 'nota' ? novoGalho() : undefined,
  quantos: 0,
})

/** The number of a path, as `prod/NCM` or `@nItem`; empty for the element itself. */
function numberCaminho(tronco: Tronco, caminho: string): number {
  const passos = caminho.split('/').filter((passo) => passo !== '')
  if (tronco.suplemento && passos[0] === 'infNFeSupl')
    return descend(tronco, tronco.suplemento, passos.slice(1))
  return descend(tronco, tronco.raiz, passos)
}

function descend(tronco: Tronco, galho: Galho, [passo, ...outros]: readonly string[]): number {
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
  return descend(tronco, seguinte, outros)
}

/** What the paths find at an element. It is read with the first of them, and again if there are more now. */
function lidosDe(dono: No, tronco: Tronco, quadro: FundoDaCena): LidosDoElemento {
  const leitura = quadro.leituras[tronco.indice]
  if (leitura?.ultimo === dono && leitura.lidos.length === tronco.quantos) return leitura.lidos
  const todos = leitura?.todos ?? new Map<No, LidosDoElemento>()
  const guardados = todos.get(dono)
  const lidos = guardados?.length === tronco.quantos ? guardados : readTudo(dono, tronco, quadro)
  todos.set(dono, lidos)
  quadro.leituras[tronco.indice] = { ultimo: dono, lidos, todos }
  return lidos
}

function readTudo(
  dono: No,
  { raiz, suplemento, quantos }: Tronco,
  { infNFeSupl }: FundoDaCena,
): LidosDoElemento {
  const lidos: LidosDoElemento = new Array(quantos)
  gather(dono, raiz, lidos)
  if (suplemento && infNFeSupl) gather(infNFeSupl, suplemento, lidos)
  return lidos
}

function gather(no: No, galho: Galho, lidos: LidosDoElemento): void {
  if (galho.numero !== undefined) keep(no, galho.numero, lidos)
  for (const [nome, numero] of galho.atributos) if (no.atributos[nome] !== undefined) keep(no, numero, lidos)
  if (galho.filhos.size === 0 && !galho.qualquer) return
  for (const filho of no.filhos) {
    const seu = galho.filhos.get(filho.nome)
    if (seu) gather(filho, seu, lidos)
    if (galho.qualquer) gather(filho, galho.qualquer, lidos)
  }
}

function keep(no: No, numero: number, lidos: LidosDoElemento): void {
  const achados = lidos[numero]
  if (achados === undefined) lidos[numero] = no
  else if (Array.isArray(achados)) achados.push(no)
  else lidos[numero] = [achados, no]
}

export type Contexto = {
  /** ISO 8601 with its offset. */
  agora: string
  /** By which rules the note is judged; the day of `agora` in production if left out. */
  regencia?: Regencia
  /** A table of codes of the authorities; undefined if there is none of that name at hand. */
  codigos: (nome: string) => TabelaDeCodigos | undefined
  /** Whether a list of the circumstances holds a value; undefined if the list is not at hand. */
  tabela: (nome: string, valor: string) => boolean | undefined
  valor: (nome: string) => string | undefined
}

export type Cena = FundoDaCena & {
  contexto: Contexto
  regencia: Regencia
  /** Conditions that are the same at every place of the note, by their number; null where unknown. */
  iguais: (boolean | null | undefined)[]
}

function find(no: No, nome: string): No | undefined {
  if (no.nome === nome) return no
  if (no.nome === 'infNFe') return undefined
  for (const filho of no.filhos) {
    const achado = find(filho, nome)
    if (achado) return achado
  }
  return undefined
}

/** `raiz` is `infNFe`, or what holds it. Throws if there is none. */
export function createCena(raiz: No, contexto: Contexto): Cena {
  const infNFe = find(raiz, 'infNFe')
  if (!infNFe) throw new Error(`${raiz.nome} holds no infNFe`)
  const { regencia = { dia: diaDe(Date.parse(contexto.agora)), ambiente: '1' } } = contexto
  const infNFeSupl = find(raiz, 'infNFeSupl')
  return { infNFe, infNFeSupl, contexto, regencia, leituras: [], iguais: [] }
}

export type Leitor = {
  /** The elements at the path, in document order. A path to an attribute gives the elements that have it. */
  pontos: (ponto: No, cena: Cena) => readonly No[]
  existe: (ponto: No, cena: Cena) => boolean
  texto: (ponto: No) => string
  find: (ponto: No, cena: Cena) => No | undefined
  /** The text of the first; empty if there is none. */
  primeiro: (ponto: No, cena: Cena) => string
}

/** Compiles paths. All that start at one kind of element are read from it at once. */
export type Caminhos = {
  read: (caminho: Caminho) => Leitor
  /** The paths of conditions that are asked of each element at this path. */
  sob: (caminho: Caminho) => Caminhos
  isDaNota: boolean
  daNota: Caminhos
  /** What an element has by now, by the numbers of its paths. */
  lidos: (ponto: No, cena: Cena) => LidosDoElemento
  /** The number of a path in `lidos`; undefined for one that does not start at the element. */
  numeroDe: (caminho: Caminho) => number | undefined
  /** A number that equal conditions of the set share. */
  numberCondicao: (condicao: string) => number
}

const NENHUM: readonly No[] = []

type Registro = { troncos: Map<string, Tronco>; condicoes: Map<string, number> }

export const createCaminhos = (): Caminhos =>
  caminhosSob('', { troncos: new Map([['', createTronco('nota', 0)]]), condicoes: new Map() })

function caminhosSob(base: string, registro: Registro): Caminhos {
  const tronco = troncoDe(base, registro)
  const daNota = troncoDe('', registro)
  const isDaNota = base === ''
  return {
    isDaNota,
    get daNota() {
      return isDaNota ? this : caminhosSob('', registro)
    },
    read: (caminho) => {
      const atributo = /@(.+)$/.exec(caminho)?.[1]
      if (!isDaNota && isRelativo(caminho))
        return createLeitor(doElemento(tronco, numberCaminho(tronco, semPonto(caminho))), atributo)
      return createLeitor(daRaiz(daNota, numberCaminho(daNota, semPonto(caminho))), atributo)
    },
    sob: (caminho) => {
      const [elemento = ''] = caminho.split(/\/?@/)
      return caminhosSob(elemento.startsWith('.') ? base + elemento.slice(1) : elemento, registro)
    },
    lidos: (ponto, cena) => lidosDe(ponto, tronco, cena),
    numeroDe: (caminho) =>
      isDaNota || isRelativo(caminho) ? numberCaminho(tronco, semPonto(caminho)) : undefined,
    numberCondicao: (condicao) => {
      const numero = registro.condicoes.get(condicao) ?? registro.condicoes.size
      registro.condicoes.set(condicao, numero)
      return numero
    },
  }
}

function troncoDe(base: string, { troncos }: Registro): Tronco {
  const tronco = troncos.get(base) ?? createTronco('elemento', troncos.size)
  troncos.set(base, tronco)
  return tronco
}

const isRelativo = (caminho: Caminho): boolean => caminho.startsWith('.')

const semPonto = (caminho: Caminho): string => caminho.replace(/^\.\/?/, '')

type Achados = (ponto: No, cena: Cena) => LidosDoElemento[number]

const daRaiz =
  (tronco: Tronco, numero: number): Achados =>
  (_, cena) =>
    lidosDe(cena.infNFe, tronco, cena)[numero]

const doElemento =
  (tronco: Tronco, numero: number): Achados =>
  (ponto, cena) =>
    lidosDe(ponto, tronco, cena)[numero]

function createLeitor(achados: Achados, atributo: string | undefined): Leitor {
  const find = (ponto: No, cena: Cena): No | undefined => {
    const lidos = achados(ponto, cena)
    return Array.isArray(lidos) ? lidos[0] : lidos
  }
  const texto = (no: No): string => (atributo === undefined ? no.texto : (no.atributos[atributo] ?? ''))
  return {
    pontos: (ponto, cena) => {
      const lidos = achados(ponto, cena)
      if (lidos === undefined) return NENHUM
      return Array.isArray(lidos) ? lidos : [lidos]
    },
    existe: (ponto, cena) => achados(ponto, cena) !== undefined,
    texto,
    find,
    primeiro: (ponto, cena) => {
      const achado = find(ponto, cena)
      return achado ? texto(achado) : ''
    },
  }
}
