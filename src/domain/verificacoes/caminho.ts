import type { Caminho } from '../rejeicoes/verificacao.ts'
import type { Cena } from './cena.ts'
import { criarPonto, type Ponto } from './ponto.ts'

type Lista = (ponto: Ponto, cena: Cena) => readonly Ponto[]

/** A path, ready to read. */
export type Leitor = {
  /** The elements at the path, in document order. A path to an attribute gives the elements that have it. */
  pontos: Lista
  /** The text of an element that `pontos` gave, or of its attribute. */
  texto: (ponto: Ponto) => string
  /** The text of the first; empty if there is none. */
  primeiro: (ponto: Ponto, cena: Cena) => string
}

/** Compiles paths. Equal paths, and equal beginnings of paths, are read once from each element. */
export type Caminhos = {
  ler: (caminho: Caminho) => Leitor
  /** The paths of conditions that are asked of each element at this path. */
  sob: (caminho: Caminho) => Caminhos
  /** A number that no other condition of the set has. */
  numerar: () => number
}

const NENHUM: readonly Ponto[] = []

const textoDe = ({ no }: Ponto): string => no.texto

/** What all paths of a set share. Paths are numbered apart for each kind of element that they start from. */
type Registro = { listas: Map<string, Lista>; contas: Map<string, { quantos: number }>; condicoes: number }

/** Makes a compiler of paths for one set of checks. */
export function criarCaminhos(): Caminhos {
  const listas = new Map<string, Lista>([
    ['', (_, { infNFe }) => [infNFe]],
    ['infNFeSupl', (_, { infNFeSupl }) => (infNFeSupl ? [infNFeSupl] : NENHUM)],
  ])
  return caminhosSob('', { listas, contas: new Map(), condicoes: 0 })
}

function caminhosSob(base: string, registro: Registro): Caminhos {
  return {
    ler: (caminho) => criarLeitor(caminho, listaDe(caminho, base, registro)),
    sob: (caminho) => {
      const [elemento = ''] = caminho.split(/\/?@/)
      return caminhosSob(elemento.startsWith('.') ? base + elemento.slice(1) : elemento, registro)
    },
    numerar: () => registro.condicoes++,
  }
}

function criarLeitor(caminho: Caminho, pontos: Lista): Leitor {
  const atributo = /@(.+)$/.exec(caminho)?.[1]
  const texto = atributo ? ({ no }: Ponto): string => no.atributos[atributo] ?? '' : textoDe
  return {
    pontos,
    texto,
    primeiro: (ponto, cena) => {
      const [achado] = pontos(ponto, cena)
      return achado ? texto(achado) : ''
    },
  }
}

function listaDe(caminho: string, base: string, registro: Registro): Lista {
  if (caminho === '.') return (ponto) => [ponto]
  if (base === '' && caminho.startsWith('./')) return listaDe(caminho.slice(2), base, registro)
  const isRelativo = caminho.startsWith('.')
  const chave = isRelativo ? `${base} ${caminho}` : caminho
  const pronta = registro.listas.get(chave)
  if (pronta) return pronta
  const corte = caminho.lastIndexOf('/')
  const passo = caminho.slice(corte + 1)
  const pais = listaDe(corte < 0 ? '' : caminho.slice(0, corte), base, registro)
  const conta = registro.contas.get(isRelativo ? base : '/') ?? { quantos: 0 }
  registro.contas.set(isRelativo ? base : '/', conta)
  const filtro = passo.startsWith('@') ? comAtributo(passo.slice(1)) : filhosDe(passo)
  const nova = guardar(pais, filtro, { numero: conta.quantos++, conta, isRelativo })
  registro.listas.set(chave, nova)
  return nova
}

/** Adds what it finds at an element to a list, which it makes if there is none. */
type Filtro = (pai: Ponto, achados: Ponto[] | undefined) => Ponto[] | undefined

const filhosDe =
  (nome: string): Filtro =>
  (pai, achados) => {
    let lista = achados
    for (const filho of pai.no.filhos) {
      if (nome !== '*' && filho.nome !== nome) continue
      lista ??= []
      lista.push(criarPonto(filho, pai))
    }
    return lista
  }

const comAtributo =
  (nome: string): Filtro =>
  (pai, achados) => {
    if (pai.no.atributos[nome] === undefined) return achados
    const lista = achados ?? []
    lista.push(pai)
    return lista
  }

/** Keeps what a path found at the element where it starts. */
const guardar =
  (
    pais: Lista,
    filtro: Filtro,
    { numero, conta, isRelativo }: { numero: number; conta: { quantos: number }; isRelativo: boolean },
  ): Lista =>
  (ponto, cena) => {
    const dono = isRelativo ? ponto : cena.infNFe
    dono.lidos ??= new Array(conta.quantos)
    const guardados = dono.lidos[numero]
    if (guardados) return guardados
    let achados: Ponto[] | undefined
    for (const pai of pais(ponto, cena)) achados = filtro(pai, achados)
    dono.lidos[numero] = achados ?? NENHUM
    return achados ?? NENHUM
  }
