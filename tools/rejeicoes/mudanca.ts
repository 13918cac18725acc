import { type Element, isText } from 'domhandler'
import type { Mudanca } from '../../src/rejeicoes/rules.ts'
import { recalcularChave } from './chave.ts'
import { acharElementos, lerTexto } from './lugar.ts'

/**
 * Applies changes to the text of a note, in their order; the rest stays as it is, byte for byte. Throws if a
 * change names a place that the note does not have.
 */
export const aplicarMudancas = (xml: string, mudancas: readonly Mudanca[]): string =>
  mudancas.reduce(aplicar, xml)

/** A piece of the text, from `de` up to `ate`, and what takes its place. */
type Troca = { de: number; ate: number; por: string }

function aplicar(xml: string, mudanca: Mudanca): string {
  if ('recalcular' in mudanca) return recalcularChave(xml, aplicarMudancas)
  const [, caminho = '', atributo] = /^(.*?)(?:\/?@(\w+))?$/.exec(mudanca.campo) ?? []
  const lugares = acharElementos(lerTexto(xml), caminho || 'infNFe')
  if (lugares.length === 0) throw new Error(`the note has no ${mudanca.campo}`)
  const trocas = lugares.map((elemento): Troca => {
    if ('xml' in mudanca) return inserir(xml, elemento, mudanca)
    if (atributo) return trocarAtributo(xml, elemento, atributo, mudanca.valor)
    return trocarTexto(xml, elemento, mudanca.valor)
  })
  return trocas.reduceRight((texto, { de, ate, por }) => texto.slice(0, de) + por + texto.slice(ate), xml)
}

const escapar = (texto: string): string =>
  texto.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const inicio = (elemento: Element): number => elemento.startIndex ?? 0

const fim = (elemento: Element): number => (elemento.endIndex ?? 0) + 1

/** Where the content of an element begins and ends; an empty tag `<a/>` has none and is written anew. */
function conteudo(xml: string, elemento: Element): { de: number; ate: number; vazio: boolean } {
  const [primeiro] = elemento.children
  const ultimo = elemento.children.at(-1)
  if (primeiro && ultimo)
    return { de: primeiro.startIndex ?? 0, ate: (ultimo.endIndex ?? 0) + 1, vazio: false }
  const texto = xml.slice(inicio(elemento), fim(elemento))
  const corte = inicio(elemento) + texto.lastIndexOf(texto.endsWith('/>') ? '/>' : '</')
  return { de: corte, ate: corte, vazio: texto.endsWith('/>') }
}

function trocarTexto(xml: string, elemento: Element, valor: string | null): Troca {
  if (valor === null) return { ...comEspaco(elemento), por: '' }
  const { de, ate, vazio } = conteudo(xml, elemento)
  if (!vazio) return { de, ate, por: escapar(valor) }
  return { de, ate: de + 2, por: `>${escapar(valor)}</${elemento.name}>` }
}

/** An element with the blanks before it, so that its line goes with it. */
function comEspaco(elemento: Element): { de: number; ate: number } {
  const { prev } = elemento
  const isEspaco = prev && isText(prev) && prev.data.trim() === ''
  return { de: isEspaco ? (prev.startIndex ?? 0) : inicio(elemento), ate: fim(elemento) }
}

function trocarAtributo(xml: string, elemento: Element, nome: string, valor: string | null): Troca {
  const de = inicio(elemento)
  const etiqueta = xml.slice(de, xml.indexOf('>', de))
  const antigo = new RegExp(`\\s${nome}=("[^"]*"|'[^']*')`).exec(etiqueta)
  const por = valor === null ? '' : ` ${nome}="${escapar(valor)}"`
  if (antigo) return { de: de + antigo.index, ate: de + antigo.index + antigo[0].length, por }
  const depoisDoNome = de + 1 + elemento.name.length
  return { de: depoisDoNome, ate: depoisDoNome, por }
}

function inserir(
  xml: string,
  elemento: Element,
  { xml: novo, onde }: Extract<Mudanca, { onde: string }>,
): Troca {
  if (onde === 'antes') return { de: inicio(elemento), ate: inicio(elemento), por: novo }
  if (onde === 'depois') return { de: fim(elemento), ate: fim(elemento), por: novo }
  const { de, ate, vazio } = conteudo(xml, elemento)
  if (vazio) return { de, ate: de + 2, por: `>${novo}</${elemento.name}>` }
  return { de: ate, ate, por: novo }
}
