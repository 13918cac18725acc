import { type XmlDocument, XmlElement } from 'libxml2-wasm'
import type { Elemento } from '../nota/arvore.ts'

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
  /** Moves an element without children before another one; any other is replaced by an empty one. */
  mover: (elemento: Elemento, antes?: Elemento) => void
}

export function criarCopia(documento: XmlDocument, raiz: Elemento): Copia {
  const mudados = new Map<Elemento, Elemento[]>()
  const postos = new Set<Elemento>()
  const filhosDe = (elemento: Elemento): readonly Elemento[] => mudados.get(elemento) ?? elemento.filhos
  const mudaveis = (pai: Elemento): Elemento[] => {
    const filhos = mudados.get(pai) ?? [...pai.filhos]
    mudados.set(pai, filhos)
    return filhos
  }

  /** The element of the document that stands where one of the tree does. */
  function noDocumento(elemento: Elemento): XmlElement {
    const { pai } = elemento
    if (!pai || elemento === raiz) return documento.root
    const posicao = filhosDe(pai).indexOf(elemento)
    const achado = noDocumento(pai).get(`*[${posicao + 1}]`)
    if (!(achado instanceof XmlElement)) throw new Error('the copy and its tree differ')
    return achado
  }

  function por(pai: Elemento, novo: Elemento, antes: Elemento | undefined): void {
    const feito = antes
      ? noDocumento(antes).prependElement(novo.nome)
      : noDocumento(pai).addElement(novo.nome)
    if (novo.texto) feito.addText(novo.texto)
    const filhos = mudaveis(pai)
    filhos.splice(antes ? filhos.indexOf(antes) : filhos.length, 0, novo)
  }

  function retirar(elemento: Elemento): void {
    const { pai } = elemento
    if (!pai) return
    noDocumento(elemento).remove()
    const filhos = mudaveis(pai)
    filhos.splice(filhos.indexOf(elemento), 1)
  }

  const criarPosto = (pai: Elemento, nome: string): Elemento => {
    const posto: Elemento = { ...pai, nome, atributos: {}, filhos: [], texto: '', pai }
    postos.add(posto)
    return posto
  }

  return {
    filhosDe,
    achar: (xpath) => seguir(raiz, xpath, filhosDe),
    isPosto: (elemento) => postos.has(elemento) || (elemento.pai ? postos.has(elemento.pai) : false),
    retirar,
    por: (pai, nome, antes) => por(pai, criarPosto(pai, nome), antes),
    mover: (elemento, antes) => {
      const { pai } = elemento
      if (!pai) return
      retirar(elemento)
      const isFolha = elemento.filhos.length === 0 && Object.keys(elemento.atributos).length === 0
      por(pai, isFolha ? elemento : criarPosto(pai, elemento.nome), antes)
    },
  }
}

/** Follows a path as libxml2 writes it: `*[n]` is the nth element, `nome[n]` the nth of that name. */
function seguir(
  raiz: Elemento,
  xpath: string,
  filhosDe: (elemento: Elemento) => readonly Elemento[],
): Elemento | undefined {
  const [, ...passos] = xpath.split('/').filter((passo) => passo !== '')
  return passos.reduce<Elemento | undefined>((pai, passo) => {
    const [, nome = '', posicao = '1'] = /^(.*?)(?:\[(\d+)\])?$/.exec(passo) ?? []
    const filhos = pai ? filhosDe(pai) : []
    const inteiro = (filho: Elemento): string =>
      filho.prefixo ? `${filho.prefixo}:${filho.nome}` : filho.nome
    const iguais = nome === '*' ? filhos : filhos.filter((filho) => inteiro(filho) === nome)
    return iguais[Number(posicao) - 1]
  }, raiz)
}
