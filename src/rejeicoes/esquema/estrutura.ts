import { type XmlDocument, XmlElement } from 'libxml2-wasm'
import type { Elemento } from '../nota/nota-arvore.ts'

/**
 * The parsed document and the tree beside it, both changed alike, so that what an error hides can be seen by
 * validating again. The tree itself stays as it is.
 */
export type Copia = {
  /** The element at a path of the validator, in the copy as it is now. */
  achar: (xpath: string) => Elemento | undefined
  filhosDe: (elemento: Elemento) => readonly Elemento[]
  /** Whether the element was put there by us, or is inside of one that was. */
  isPosto: (elemento: Elemento) => boolean
  retirar: (elemento: Elemento) => void
  /** Puts an empty element before a child, or at the end. */
  por: (pai: Elemento, nome: string, antes?: Elemento) => void
  /**
   * Puts the children in an order. Of those that move, one without children stays itself; any other is
   * replaced by an empty one.
   */
  ordenar: (pai: Elemento, ordem: readonly Elemento[], movidos: ReadonlySet<Elemento>) => void
}

export function criarCopia(documento: XmlDocument, raiz: Elemento): Copia {
  const mudados = new Map<Elemento, Elemento[]>()
  const postos = new Set<Elemento>()
  const nos = new Map<Elemento, XmlElement>()
  const indices = new Map<Elemento, ReadonlyMap<string, Elemento[]>>()
  const filhosDe = (elemento: Elemento): readonly Elemento[] => mudados.get(elemento) ?? elemento.filhos
  const mudar = (pai: Elemento, filhos: Elemento[]): void => {
    mudados.set(pai, filhos)
    indices.delete(pai)
  }

  /** The element of the document that stands where one of the tree does. */
  function noDocumento(elemento: Elemento): XmlElement {
    const { pai } = elemento
    if (!pai || elemento === raiz) return documento.root
    if (!nos.has(elemento)) acharNos(pai)
    const achado = nos.get(elemento)
    if (!achado) throw new Error('the copy and its tree differ')
    return achado
  }

  /** All children at once: to look for each by its position would walk over its siblings each time. */
  function acharNos(pai: Elemento): void {
    const filhos = filhosDe(pai)
    let quantos = 0
    for (let no = noDocumento(pai).firstChild; no; no = no.next) {
      if (!(no instanceof XmlElement)) continue
      const filho = filhos[quantos++]
      if (filho) nos.set(filho, no)
    }
    if (quantos !== filhos.length) throw new Error('the copy and its tree differ')
  }

  /** The children of an element by name, as a path of the validator has it. */
  function porNome(pai: Elemento): ReadonlyMap<string, Elemento[]> {
    const indice =
      indices.get(pai) ??
      Map.groupBy(filhosDe(pai), ({ prefixo, nome }) => (prefixo ? `${prefixo}:${nome}` : nome))
    indices.set(pai, indice)
    return indice
  }

  function porNoDocumento(pai: Elemento, novo: Elemento, antes: Elemento | undefined): void {
    const feito = antes
      ? noDocumento(antes).prependElement(novo.nome)
      : noDocumento(pai).addElement(novo.nome)
    if (novo.texto) feito.addText(novo.texto)
    nos.set(novo, feito)
  }

  function tirarDoDocumento(elemento: Elemento): void {
    noDocumento(elemento).remove()
    nos.delete(elemento)
  }

  const criarPosto = (pai: Elemento, nome: string): Elemento => {
    const posto: Elemento = { ...pai, nome, atributos: {}, filhos: [], texto: '', pai }
    postos.add(posto)
    return posto
  }

  return {
    filhosDe,
    achar: (xpath) => seguir(raiz, xpath, filhosDe, porNome),
    isPosto: (elemento) => postos.has(elemento) || (elemento.pai ? postos.has(elemento.pai) : false),
    retirar: (elemento) => {
      const { pai } = elemento
      if (!pai) return
      tirarDoDocumento(elemento)
      const filhos = filhosDe(pai).filter((outro) => outro !== elemento)
      mudar(pai, filhos)
    },
    por: (pai, nome, antes) => {
      const novo = criarPosto(pai, nome)
      porNoDocumento(pai, novo, antes)
      const filhos = filhosDe(pai)
      mudar(pai, filhos.toSpliced(antes ? filhos.indexOf(antes) : filhos.length, 0, novo))
    },
    ordenar: (pai, ordem, movidos) => {
      for (const movido of movidos) tirarDoDocumento(movido)
      const filhos: Elemento[] = []
      for (const filho of ordem.toReversed()) {
        const isNovo = movidos.has(filho)
        const seu = !isNovo || isFolha(filho) ? filho : criarPosto(pai, filho.nome)
        if (isNovo) porNoDocumento(pai, seu, filhos.at(-1))
        filhos.push(seu)
      }
      mudar(pai, filhos.reverse())
    },
  }
}

const isFolha = ({ filhos, atributos }: Elemento): boolean =>
  filhos.length === 0 && Object.keys(atributos).length === 0

/** Follows a path as libxml2 writes it: `*[n]` is the nth element, `nome[n]` the nth of that name. */
function seguir(
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
