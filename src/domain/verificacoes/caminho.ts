import type { Caminho } from '../rejeicoes/verificacao.ts'
import type { Cena } from './cena.ts'
import { criarTronco, type Lidos, lidosDe, numerar, type Tronco } from './galho.ts'
import type { Ponto } from './ponto.ts'

/** A path, ready to read. */
export type Leitor = {
  /** The elements at the path, in document order. A path to an attribute gives the elements that have it. */
  pontos: (ponto: Ponto, cena: Cena) => readonly Ponto[]
  /** The text of an element that `pontos` gave, or of its attribute. */
  texto: (ponto: Ponto) => string
  /** The text of the first; empty if there is none. */
  primeiro: (ponto: Ponto, cena: Cena) => string
}

/** Compiles paths. All that start at one kind of element are read from it at once. */
export type Caminhos = {
  ler: (caminho: Caminho) => Leitor
  /** The paths of conditions that are asked of each element at this path. */
  sob: (caminho: Caminho) => Caminhos
  /** Whether the paths start at the note itself. */
  isDaNota: boolean
  /** The paths that start at the note. */
  daNota: Caminhos
  /** What an element has by now, by the numbers of its paths. */
  lidos: (ponto: Ponto, cena: Cena) => Lidos
  /** The number of a path in `lidos`; undefined for one that does not start at the element. */
  numeroDe: (caminho: Caminho) => number | undefined
  /** A number that equal conditions of the set share. */
  numerarCondicao: (condicao: string) => number
}

const NENHUM: readonly Ponto[] = []

/** What all paths of a set share: the paths by the kind of element that they start from. */
type Registro = { troncos: Map<string, Tronco>; condicoes: Map<string, number> }

/** Makes a compiler of paths for one set of checks. */
export const criarCaminhos = (): Caminhos =>
  caminhosSob('', { troncos: new Map([['', criarTronco('nota')]]), condicoes: new Map() })

function caminhosSob(base: string, registro: Registro): Caminhos {
  const tronco = troncoDe(base, registro)
  const daNota = troncoDe('', registro)
  const isDaNota = base === ''
  return {
    isDaNota,
    get daNota() {
      return isDaNota ? this : caminhosSob('', registro)
    },
    ler: (caminho) => {
      const atributo = /@(.+)$/.exec(caminho)?.[1]
      if (!isDaNota && isRelativo(caminho))
        return criarLeitor(doElemento(tronco, numerar(tronco, semPonto(caminho))), atributo)
      return criarLeitor(daRaiz(daNota, numerar(daNota, semPonto(caminho))), atributo)
    },
    sob: (caminho) => {
      const [elemento = ''] = caminho.split(/\/?@/)
      return caminhosSob(elemento.startsWith('.') ? base + elemento.slice(1) : elemento, registro)
    },
    lidos: (ponto, cena) => lidosDe(ponto, tronco, cena),
    numeroDe: (caminho) => (isDaNota || isRelativo(caminho) ? numerar(tronco, semPonto(caminho)) : undefined),
    numerarCondicao: (condicao) => {
      const numero = registro.condicoes.get(condicao) ?? registro.condicoes.size
      registro.condicoes.set(condicao, numero)
      return numero
    },
  }
}

function troncoDe(base: string, { troncos }: Registro): Tronco {
  const tronco = troncos.get(base) ?? criarTronco('elemento')
  troncos.set(base, tronco)
  return tronco
}

const isRelativo = (caminho: Caminho): boolean => caminho.startsWith('.')

/** `./prod/NCM` and `.` without the point. */
const semPonto = (caminho: Caminho): string => caminho.replace(/^\.\/?/, '')

const daRaiz =
  (tronco: Tronco, numero: number): Leitor['pontos'] =>
  (_, cena) =>
    lidosDe(cena.infNFe, tronco, cena)[numero] ?? NENHUM

const doElemento =
  (tronco: Tronco, numero: number): Leitor['pontos'] =>
  (ponto, cena) =>
    lidosDe(ponto, tronco, cena)[numero] ?? NENHUM

function criarLeitor(pontos: Leitor['pontos'], atributo: string | undefined): Leitor {
  if (atributo === undefined)
    return {
      pontos,
      texto: ({ no }) => no.texto,
      primeiro: (ponto, cena) => pontos(ponto, cena)[0]?.no.texto ?? '',
    }
  return {
    pontos,
    texto: ({ no }) => no.atributos[atributo] ?? '',
    primeiro: (ponto, cena) => pontos(ponto, cena)[0]?.no.atributos[atributo] ?? '',
  }
}
