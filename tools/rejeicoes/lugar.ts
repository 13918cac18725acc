import { type Document, type Element, isTag, type ParentNode } from 'domhandler'
import { parseDocument } from 'htmlparser2'

/** A note as a tree whose nodes know where in the text they stand. */
export const lerTexto = (xml: string): Document =>
  parseDocument(xml, { xmlMode: true, withStartIndices: true, withEndIndices: true })

/** The name of an element without its prefix. */
export const nomeLocal = (elemento: Element): string => elemento.name.slice(elemento.name.indexOf(':') + 1)

const filhos = (pai: ParentNode): Element[] => pai.children.filter(isTag)

/** The first element of a local name, at any depth. */
function descer(pai: ParentNode, nome: string): Element | undefined {
  for (const filho of filhos(pai)) {
    const achado = nomeLocal(filho) === nome ? filho : descer(filho, nome)
    if (achado) return achado
  }
  return undefined
}

/** The elements at a step of a path: a local name or `*`, with a position from 1 where `[n]` follows. */
function passo(pai: ParentNode, texto: string): Element[] {
  const [, nome, posicao] = /^([\w*]+)(?:\[(\d+)\])?$/.exec(texto) ?? []
  if (!nome) throw new Error(`${texto} is no step of a path`)
  const achados = filhos(pai).filter((filho) => nome === '*' || nomeLocal(filho) === nome)
  return posicao ? achados.slice(Number(posicao) - 1, Number(posicao)) : achados
}

/**
 * Finds the elements at a path from `infNFe`, or from its sibling `infNFeSupl`. `./` and `infNFe` alone are
 * `infNFe` itself; positions may be given, as `det[2]/prod/NCM`.
 */
export function acharElementos(documento: Document, caminho: string): Element[] {
  const [primeiro = '', ...resto] = caminho.split('/')
  const isSolto = primeiro === 'infNFeSupl' || primeiro === 'infNFe' || primeiro === '.'
  const raiz = descer(documento, primeiro === 'infNFeSupl' ? primeiro : 'infNFe')
  const passos = isSolto ? resto : [primeiro, ...resto]
  return passos.reduce<Element[]>(
    (pais, texto) => pais.flatMap((pai) => passo(pai, texto)),
    raiz ? [raiz] : [],
  )
}
