import type { Emenda } from '../../../domain/rejeicoes/laudo.ts'
import type { Elemento } from '../nota/arvore.ts'
import { acharLugar } from '../nota/lugar.ts'

/** A part of the text that is replaced. */
type Troca = { inicio: number; fim: number; texto: string }

/**
 * Applies mends to the text of `NFe`, whose tree is given; what has no such place is left out. The signature
 * is no longer that of the note then.
 */
export function aplicarEmendas(xml: string, nfe: Elemento, emendas: readonly Emenda[]): string {
  const trocas = emendas.flatMap((emenda) => trocasDe(xml, nfe, emenda))
  // Of two at one place, the one that takes text out comes last in the text, so that nothing overlaps.
  const doFim = trocas.toSorted((a, b) => b.inicio - a.inicio || b.fim - a.fim)
  return doFim.reduce(
    (texto, { inicio, fim, texto: novo }) => texto.slice(0, inicio) + novo + texto.slice(fim),
    xml,
  )
}

function trocasDe(xml: string, nfe: Elemento, { caminho, acao, para }: Emenda): Troca[] {
  const elemento = acharLugar(nfe, caminho)
  if (!elemento) return []
  const { inicio, fim } = elemento
  if (acao === 'retirar') return [{ inicio, fim, texto: '' }]
  if (acao === 'mover') {
    const destino = para === null ? fimDe(xml, elemento.pai) : acharLugar(nfe, para)?.inicio
    if (destino === undefined) return []
    return [
      { inicio, fim, texto: '' },
      { inicio: destino, fim: destino, texto: xml.slice(inicio, fim) },
    ]
  }
  const atributo = /@(.+)$/.exec(caminho)?.[1]
  const novo = escapar(para ?? '')
  if (atributo) return trocaDoAtributo(xml, elemento, atributo, novo)
  const abertura = xml.indexOf('>', inicio) + 1
  const fecho = xml.lastIndexOf('</', fim - 1)
  return abertura > 0 && fecho >= abertura && fecho < fim
    ? [{ inicio: abertura, fim: fecho, texto: novo }]
    : []
}

/** Where the closing tag of an element begins. */
function fimDe(xml: string, elemento: Elemento | undefined): number | undefined {
  return elemento && xml.lastIndexOf('</', elemento.fim - 1)
}

function trocaDoAtributo(xml: string, { inicio }: Elemento, atributo: string, novo: string): Troca[] {
  const etiqueta = xml.slice(inicio, xml.indexOf('>', inicio))
  const achado = new RegExp(`\\s${atributo}\\s*=\\s*(["'])`).exec(etiqueta)
  if (!achado?.[1]) return []
  const comeco = inicio + achado.index + achado[0].length
  return [{ inicio: comeco, fim: xml.indexOf(achado[1], comeco), texto: novo }]
}

const escapar = (texto: string): string =>
  texto.replace(
    /[&<>"]/g,
    (sinal) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sinal] ?? sinal,
  )
