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
  /** A number that no other condition of the set has. */
  numerar: () => number
}

const NENHUM: readonly Ponto[] = []

const textoDe = ({ no }: Ponto): string => no.texto

/** Makes a compiler of paths for one set of checks. */
export function criarCaminhos(): Caminhos {
  const listas = new Map<string, Lista>([
    ['.', (ponto) => [ponto]],
    ['', (_, { infNFe }) => [infNFe]],
    ['infNFeSupl', (_, { infNFeSupl }) => (infNFeSupl ? [infNFeSupl] : NENHUM)],
  ])
  let relativos = 0
  let absolutos = 0
  let condicoes = 0

  function lista(caminho: string): Lista {
    const pronta = listas.get(caminho)
    if (pronta) return pronta
    const corte = caminho.lastIndexOf('/')
    const passo = caminho.slice(corte + 1)
    const pais = lista(corte < 0 ? '' : caminho.slice(0, corte))
    const filtro = passo.startsWith('@') ? comAtributo(passo.slice(1)) : filhosDe(passo)
    const nova = caminho.startsWith('.')
      ? guardar(pais, filtro, relativos++, (ponto) => ponto)
      : guardar(pais, filtro, absolutos++, (_, { infNFe }) => infNFe)
    listas.set(caminho, nova)
    return nova
  }

  function ler(caminho: Caminho): Leitor {
    const pontos = lista(caminho)
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

  return { ler, numerar: () => condicoes++ }
}

type Filtro = (pai: Ponto, achados: Ponto[]) => void

const filhosDe =
  (nome: string): Filtro =>
  (pai, achados) => {
    for (const filho of pai.no.filhos)
      if (nome === '*' || filho.nome === nome) achados.push(criarPonto(filho, pai))
  }

const comAtributo =
  (nome: string): Filtro =>
  (pai, achados) => {
    if (pai.no.atributos[nome] !== undefined) achados.push(pai)
  }

/** Keeps what a path found at the element where it starts. */
const guardar =
  (pais: Lista, filtro: Filtro, numero: number, dono: (ponto: Ponto, cena: Cena) => Ponto): Lista =>
  (ponto, cena) => {
    const { lidos } = dono(ponto, cena)
    const guardados = lidos[numero]
    if (guardados) return guardados
    const achados: Ponto[] = []
    for (const pai of pais(ponto, cena)) filtro(pai, achados)
    lidos[numero] = achados.length > 0 ? achados : NENHUM
    return achados.length > 0 ? achados : NENHUM
  }
