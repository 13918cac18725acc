import type { No } from '../no.ts'
import type { Caminho } from '../rules.ts'
import { criarTronco, type LidosDoElemento, lidosDe, numerar, type Tronco } from './caminho.ts'
import type { Cena } from './cena.ts'

/** A path, ready to read. */
export type Leitor = {
  /** The elements at the path, in document order. A path to an attribute gives the elements that have it. */
  pontos: (ponto: No, cena: Cena) => readonly No[]
  /** Whether there is one. */
  existe: (ponto: No, cena: Cena) => boolean
  /** The text of an element that `pontos` gave, or of its attribute. */
  texto: (ponto: No) => string
  /** The first. */
  achar: (ponto: No, cena: Cena) => No | undefined
  /** The text of the first; empty if there is none. */
  primeiro: (ponto: No, cena: Cena) => string
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
  lidos: (ponto: No, cena: Cena) => LidosDoElemento
  /** The number of a path in `lidos`; undefined for one that does not start at the element. */
  numeroDe: (caminho: Caminho) => number | undefined
  /** A number that equal conditions of the set share. */
  numerarCondicao: (condicao: string) => number
}

const NENHUM: readonly No[] = []

/** What all paths of a set share: the paths by the kind of element that they start from. */
type Registro = { troncos: Map<string, Tronco>; condicoes: Map<string, number> }

/** Makes a compiler of paths for one set of checks. */
export const criarCaminhos = (): Caminhos =>
  caminhosSob('', { troncos: new Map([['', criarTronco('nota', 0)]]), condicoes: new Map() })

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
  const tronco = troncos.get(base) ?? criarTronco('elemento', troncos.size)
  troncos.set(base, tronco)
  return tronco
}

const isRelativo = (caminho: Caminho): boolean => caminho.startsWith('.')

/** `./prod/NCM` and `.` without the point. */
const semPonto = (caminho: Caminho): string => caminho.replace(/^\.\/?/, '')

/** What a path found at an element, or at the note. */
type Achados = (ponto: No, cena: Cena) => LidosDoElemento[number]

const daRaiz =
  (tronco: Tronco, numero: number): Achados =>
  (_, cena) =>
    lidosDe(cena.infNFe, tronco, cena)[numero]

const doElemento =
  (tronco: Tronco, numero: number): Achados =>
  (ponto, cena) =>
    lidosDe(ponto, tronco, cena)[numero]

function criarLeitor(achados: Achados, atributo: string | undefined): Leitor {
  const achar = (ponto: No, cena: Cena): No | undefined => {
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
    achar,
    primeiro: (ponto, cena) => {
      const achado = achar(ponto, cena)
      return achado ? texto(achado) : ''
    },
  }
}
