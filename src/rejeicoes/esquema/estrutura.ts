import { type XmlDocument, XmlElement } from 'libxml2-wasm'
import type { Elemento } from '../arvore.ts'
import type { Declarado } from './pacote.ts'

/** The document and a view of the tree, changed alike: validating again shows what an error hid. */
export type Copia = {
  /** The element at a path of the validator, in the copy as it is now. */
  find: (xpath: string) => Elemento | undefined
  filhosDe: (elemento: Elemento) => readonly Elemento[]
  /** Whether the element was put there by us, or is inside of one that was. */
  isPosto: (elemento: Elemento) => boolean
  takeOut: (elemento: Elemento) => void
  /** Puts an empty element before a child, or at the end. */
  put: (pai: Elemento, nome: string, antes?: Elemento) => void
  /** A child that moves and has children is replaced by an empty one. */
  sort: (pai: Elemento, ordem: readonly Elemento[], movidos: ReadonlySet<Elemento>) => void
}

export function createCopia(documento: XmlDocument, raiz: Elemento): Copia {
  const mudados = new Map<Elemento, Elemento[]>()
  const postos = new Set<Elemento>()
  const nos = new Map<Elemento, XmlElement>()
  const indices = new Map<Elemento, ReadonlyMap<string, Elemento[]>>()
  const filhosDe = (elemento: Elemento): readonly Elemento[] => mudados.get(elemento) ?? elemento.filhos
  const change = (pai: Elemento, filhos: Elemento[]): void => {
    mudados.set(pai, filhos)
    indices.delete(pai)
  }

  function noDocumento(elemento: Elemento): XmlElement {
    const { pai } = elemento
    if (!pai || elemento === raiz) return documento.root
    if (!nos.has(elemento)) findNos(pai)
    const achado = nos.get(elemento)
    if (!achado) throw new Error('the copy and its tree differ')
    return achado
  }

  /** All children at once: to look for each by its position would walk over its siblings each time. */
  function findNos(pai: Elemento): void {
    const filhos = filhosDe(pai)
    let quantos = 0
    for (let no = noDocumento(pai).firstChild; no; no = no.next) {
      if (!(no instanceof XmlElement)) continue
      const filho = filhos[quantos++]
      if (filho) nos.set(filho, no)
    }
    if (quantos !== filhos.length) throw new Error('the copy and its tree differ')
  }

  function porNome(pai: Elemento): ReadonlyMap<string, Elemento[]> {
    const indice =
      indices.get(pai) ??
      Map.groupBy(filhosDe(pai), ({ prefixo, nome }) => (prefixo ? `${prefixo}:${nome}` : nome))
    indices.set(pai, indice)
    return indice
  }

  function putInDocumento(pai: Elemento, novo: Elemento, antes: Elemento | undefined): void {
    const feito = antes
      ? noDocumento(antes).prependElement(novo.nome)
      : noDocumento(pai).addElement(novo.nome)
    if (novo.texto) feito.addText(novo.texto)
    nos.set(novo, feito)
  }

  function takeOutOfDocumento(elemento: Elemento): void {
    noDocumento(elemento).remove()
    nos.delete(elemento)
  }

  const createPosto = (pai: Elemento, nome: string): Elemento => {
    const posto: Elemento = { ...pai, nome, atributos: {}, filhos: [], texto: '', pai }
    postos.add(posto)
    return posto
  }

  return {
    filhosDe,
    find: (xpath) => follow(raiz, xpath, filhosDe, porNome),
    isPosto: (elemento) => postos.has(elemento) || (elemento.pai ? postos.has(elemento.pai) : false),
    takeOut: (elemento) => {
      const { pai } = elemento
      if (!pai) return
      takeOutOfDocumento(elemento)
      const filhos = filhosDe(pai).filter((outro) => outro !== elemento)
      change(pai, filhos)
    },
    put: (pai, nome, antes) => {
      const novo = createPosto(pai, nome)
      putInDocumento(pai, novo, antes)
      const filhos = filhosDe(pai)
      change(pai, filhos.toSpliced(antes ? filhos.indexOf(antes) : filhos.length, 0, novo))
    },
    sort: (pai, ordem, movidos) => {
      for (const movido of movidos) takeOutOfDocumento(movido)
      const filhos: Elemento[] = []
      for (const filho of ordem.toReversed()) {
        const isNovo = movidos.has(filho)
        const seu = !isNovo || isFolha(filho) ? filho : createPosto(pai, filho.nome)
        if (isNovo) putInDocumento(pai, seu, filhos.at(-1))
        filhos.push(seu)
      }
      change(pai, filhos.reverse())
    },
  }
}

const isFolha = ({ filhos, atributos }: Elemento): boolean =>
  filhos.length === 0 && Object.keys(atributos).length === 0

/** Follows a path as libxml2 writes it: `*[n]` is the nth element, `nome[n]` the nth of that name. */
function follow(
  raiz: Elemento,
  xpath: string,
  filhosDe: (elemento: Elemento) => readonly Elemento[],
  porNome: (elemento: Elemento) => ReadonlyMap<string, Elemento[]>,
): Elemento | undefined {
  const [, ...passos] = xpath.split('/').filter((passo) => passo !== '')
  return passos.reduce<Elemento | undefined>((pai, passo) => {
    const [, nome = '', posicao = '1'] = /^(.*?)(?:\[(\d+)\])?$/.exec(passo) ?? []
    const iguais = pai && (nome === '*' ? filhosDe(pai) : porNome(pai).get(nome))
    return iguais?.[Number(posicao) - 1]
  }, raiz)
}

const lugaresDe = (declarados: readonly Declarado[]): ReadonlyMap<string, number> =>
  new Map(declarados.map(({ nome }, lugar) => [nome, lugar] as const).toReversed())

/** A child that is out of order, and the names between which it belongs, of those that are there. */
type ForaDeOrdem = { elemento: Elemento; depoisDe: string | undefined; antesDe: string | undefined }

/** `fora`: the fewest that have to be moved. Children that the layout does not know stay where they are. */
function sort(
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
    ordem: interleave(filhos, movidos, lugarDe),
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

/** By bisection: the test holds for all from the first on. The length of the list if for none. */
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
function interleave(
  filhos: readonly Elemento[],
  movidos: readonly Elemento[],
  lugarDe: (filho: Elemento) => number,
): Elemento[] {
  const fora = new Set(movidos)
  const espera = movidos.toSorted((a, b) => lugarDe(a) - lugarDe(b))
  const ordem: Elemento[] = []
  let proximo = 0
  const putBefore = (lugar: number): void => {
    for (let um = espera[proximo]; um && lugarDe(um) < lugar; um = espera[++proximo]) ordem.push(um)
  }
  for (const filho of filhos) {
    if (fora.has(filho)) continue
    putBefore(lugarDe(filho))
    ordem.push(filho)
  }
  putBefore(Number.POSITIVE_INFINITY)
  return ordem
}

export type Defeito =
  | ({ tipo: 'fora-de-ordem' } & ForaDeOrdem)
  | { tipo: 'desconhecido'; elemento: Elemento; nomeCerto: string | undefined }
  | { tipo: 'demais'; elemento: Elemento; maximo: number }
  | { tipo: 'exclusivo'; elemento: Elemento; outro: string }
  | { tipo: 'falta'; pai: Elemento; nomes: string[]; antes: Elemento | undefined }

/** A wrong place that the validator found: a child that it does not take, or the end of the parent. */
export type LugarErrado = { pai: Elemento; filho: Elemento | undefined; esperados: readonly string[] }

/** Mends the copy too, so that the next validation sees further. */
export function judge(lugar: LugarErrado, declarados: readonly Declarado[], copia: Copia): Defeito[] {
  const { pai, filho } = lugar
  const filhos = copia.filhosDe(pai)
  if (filho && !declarados.some(({ nome }) => nome === filho.nome)) {
    copia.takeOut(filho)
    return [{ tipo: 'desconhecido', elemento: filho, nomeCerto: parecido(filho.nome, declarados) }]
  }
  const { fora, ordem } = sort(filhos, declarados)
  if (fora.length > 0) {
    copia.sort(pai, ordem, new Set(fora.map(({ elemento }) => elemento)))
    return fora.map((um) => ({ tipo: 'fora-de-ordem', ...um }))
  }
  const demais = filho && judgeDemais(filho, filhos, declarados)
  if (demais) {
    copia.takeOut(demais.elemento)
    return [demais]
  }
  return judgeFalta(lugar, declarados, copia)
}

const parecido = (nome: string, declarados: readonly Declarado[]): string | undefined =>
  declarados.find((declarado) => declarado.nome.toLowerCase() === nome.toLowerCase())?.nome

function judgeDemais(
  filho: Elemento,
  filhos: readonly Elemento[],
  declarados: readonly Declarado[],
): (Defeito & { elemento: Elemento }) | undefined {
  const seus = declarados.filter(({ nome }) => nome === filho.nome)
  const maximo = seus.reduce((soma, declarado) => soma + declarado.maximo, 0)
  if (filhos.filter(({ nome }) => nome === filho.nome).length > maximo)
    return { tipo: 'demais', elemento: filho, maximo }
  const ramos = seus.flatMap(({ escolhas }) => escolhas)
  const presentes = new Set(filhos.map(({ nome }) => nome))
  const outro = declarados.find(
    ({ nome, escolhas }) =>
      nome !== filho.nome &&
      presentes.has(nome) &&
      escolhas.some((sua) => ramos.some(({ escolha, ramo }) => escolha === sua.escolha && ramo !== sua.ramo)),
  )
  return outro && { tipo: 'exclusivo', elemento: filho, outro: outro.nome }
}

function judgeFalta(
  { pai, filho, esperados }: LugarErrado,
  declarados: readonly Declarado[],
  copia: Copia,
): Defeito[] {
  const daqui = declarados.filter(({ nome }) => esperados.includes(nome))
  const obrigatorios = daqui.filter(({ obrigatorio }) => obrigatorio)
  const deEscolha = daqui.filter(({ escolhas }) => escolhas.length > 0)
  const candidatos = obrigatorios.length > 0 ? obrigatorios : deEscolha.length > 0 ? deEscolha : daqui
  const nomes = candidatos.length > 0 ? candidatos.map(({ nome }) => nome) : esperados.slice(0, 8)
  const [primeiro] = nomes
  if (primeiro === undefined) {
    if (filho) copia.takeOut(filho)
    return filho ? [{ tipo: 'desconhecido', elemento: filho, nomeCerto: undefined }] : []
  }
  copia.put(pai, primeiro, filho)
  return [{ tipo: 'falta', pai, nomes: [...new Set(nomes)], antes: filho }]
}
