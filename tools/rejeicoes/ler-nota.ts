import { type Element, isTag, isText } from 'domhandler'
import type { No } from '../../src/rejeicoes/rules.ts'
import { lerTexto, nomeLocal } from './lugar.ts'

/** Reads the text of a note as the checks read it. Throws if it has no element. */
export function lerNota(xml: string): No {
  const raiz = lerTexto(xml).children.find(isTag)
  if (!raiz) throw new Error('the text has no element')
  return lerElemento(raiz, undefined)
}

function lerElemento(elemento: Element, pai: No | undefined): No {
  const filhos: No[] = []
  const no = { nome: nomeLocal(elemento), atributos: elemento.attribs, filhos, texto: '', pai }
  filhos.push(...elemento.children.filter(isTag).map((filho) => lerElemento(filho, no)))
  if (filhos.length === 0)
    no.texto = elemento.children.map((filho) => (isText(filho) ? filho.data : '')).join('')
  return no
}
