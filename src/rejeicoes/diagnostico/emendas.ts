import { escapar } from '../nota/arvore.ts'
import { acharLugar } from '../nota/lugar.ts'
import { type Elemento, lerArvore } from '../nota/nota-arvore.ts'
import type { Emenda } from '../rules-laudo.ts'

/** A part of the text that is replaced. */
type Troca = { inicio: number; fim: number; texto: string }

/** A part of the text that goes elsewhere. */
type Movida = { inicio: number; fim: number; destino: number }

/**
 * Applies mends to the text of `NFe`, whose tree is given; what has no such place is left out, and so is a
 * move within a move. The rest stays as it is, byte for byte, its signature too, which fits no more.
 */
export function aplicarEmendas(xml: string, nfe: Elemento, emendas: readonly Emenda[]): string {
  const trocas = emendas.flatMap((emenda) => trocasDe(xml, nfe, emenda))
  const movidas = semAninhadas(emendas.flatMap((emenda) => movidaDe(xml, nfe, emenda)))
  const dentro = (parte: Parte): Troca[] => trocas.filter((troca) => isEm(troca, parte))
  const levadas = emOrdem(movidas).flatMap((movida): Troca[] => {
    const { inicio, fim, destino } = movida
    return [
      { inicio, fim, texto: '' },
      { inicio: destino, fim: destino, texto: trocarEm(xml, dentro(movida), movida) },
    ]
  })
  const fora = trocas.filter((troca) => !movidas.some((movida) => isEm(troca, movida)))
  return trocarEm(xml, [...fora, ...levadas], { inicio: 0, fim: xml.length })
}

type Parte = { inicio: number; fim: number }

const isEm = (troca: Parte, { inicio, fim }: Parte): boolean => troca.inicio >= inicio && troca.fim <= fim

const semAninhadas = (movidas: readonly Movida[]): Movida[] =>
  movidas.filter((uma) => !movidas.some((outra) => outra !== uma && isEm(uma, outra)))

/** What goes before a part that moves itself goes where that one goes, and comes first there. */
function emOrdem(movidas: readonly Movida[]): Movida[] {
  const porInicio = new Map(movidas.map((movida) => [movida.inicio, movida]))
  const seguidas = movidas.map((movida) => {
    let { destino } = movida
    let passos = 0
    for (let alvo = porInicio.get(destino); alvo && passos < movidas.length; passos++) {
      destino = alvo.destino
      alvo = porInicio.get(destino)
    }
    return { movida: { ...movida, destino }, passos }
  })
  return seguidas.toSorted((a, b) => b.passos - a.passos).map(({ movida }) => movida)
}

/** A part of the text after changes that do not overlap. Of two at one place the first goes in first. */
function trocarEm(xml: string, trocas: readonly Troca[], { inicio, fim }: Parte): string {
  const pedacos: string[] = []
  let ate = inicio
  // What is put in stands before what is taken out at the same place.
  for (const troca of trocas.toSorted((a, b) => a.inicio - b.inicio || a.fim - b.fim)) {
    pedacos.push(xml.slice(ate, troca.inicio), troca.texto)
    ate = troca.fim
  }
  return [...pedacos, xml.slice(ate, fim)].join('')
}

function movidaDe(xml: string, nfe: Elemento, { caminho, acao, para }: Emenda): Movida[] {
  const elemento = acao === 'mover' ? acharLugar(nfe, caminho) : undefined
  if (!elemento) return []
  const destino = para === null ? fimDe(xml, elemento.pai) : acharLugar(nfe, para)?.inicio
  return destino === undefined ? [] : [{ inicio: elemento.inicio, fim: elemento.fim, destino }]
}

function trocasDe(xml: string, nfe: Elemento, { caminho, acao, para }: Emenda): Troca[] {
  const elemento = acao === 'mover' ? undefined : acharLugar(nfe, caminho)
  if (!elemento) return []
  const { inicio, fim } = elemento
  if (acao === 'retirar') return [{ inicio, fim, texto: '' }]
  const atributo = /@(.+)$/.exec(caminho)?.[1]
  if (atributo) return trocaDoAtributo(xml, elemento, atributo, para ?? '')
  const abertura = fimDaEtiqueta(xml, inicio)
  const fecho = xml.lastIndexOf('</', fim - 1)
  if (fecho < abertura || fecho >= fim) return []
  return [{ inicio: abertura, fim: fecho, texto: novoTexto(xml.slice(abertura, fecho), para ?? '') }]
}

/** Behind the tag that opens an element. The value of an attribute may have a `>`. */
function fimDaEtiqueta(xml: string, inicio: number): number {
  const etiqueta = /<(?:[^>"']|"[^"]*"|'[^']*')*>/y
  etiqueta.lastIndex = inicio
  return etiqueta.test(xml) ? etiqueta.lastIndex : xml.length
}

/** Where only blanks at the ends go, what is between them stays as it was written: entities, CDATA. */
function novoTexto(escrito: string, para: string): string {
  const semBordas = escrito.trim()
  return semBordas !== '' && lerArvore(`<x>${semBordas}</x>`).filhos[0]?.texto === para
    ? semBordas
    : escapar(para)
}

/** Where the closing tag of an element begins. */
function fimDe(xml: string, elemento: Elemento | undefined): number | undefined {
  return elemento && xml.lastIndexOf('</', elemento.fim - 1)
}

function trocaDoAtributo(xml: string, { inicio }: Elemento, atributo: string, novo: string): Troca[] {
  const etiqueta = xml.slice(inicio, fimDaEtiqueta(xml, inicio))
  const achado = new RegExp(`\\s${atributo}\\s*=\\s*(["'])`).exec(etiqueta)
  if (!achado?.[1]) return []
  const comeco = inicio + achado.index + achado[0].length
  return [{ inicio: comeco, fim: xml.indexOf(achado[1], comeco), texto: escapar(novo) }]
}
