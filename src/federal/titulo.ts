import { fold } from '../platform/texto.ts'
import type { EspecieFederal } from './certidao.ts'

/** The title of a federal certificate, and where the text after it begins. */
export type TituloFederal = { especie: EspecieFederal; titulo: string; fim: number }

const MATERIA = 'DE DÉBITOS RELATIVOS AOS TRIBUTOS FEDERAIS E À DÍVIDA ATIVA DA UNIÃO'

/** A name of a certificate. The longest stands first, for the others are parts of it. */
const nomes: readonly [EspecieFederal, string][] = [
  ['positiva_com_efeitos_de_negativa', `CERTIDÃO POSITIVA COM EFEITOS DE NEGATIVA ${MATERIA}`],
  ['positiva', `CERTIDÃO POSITIVA ${MATERIA}`],
  ['negativa', `CERTIDÃO NEGATIVA ${MATERIA}`],
]

const titulos = nomes.map(([especie, titulo]) => ({
  especie,
  titulo,
  se: new RegExp(rotulo(titulo)),
}))

/**
 * Writes words for a text without white space, in capitals without accents. A letter with an accent may be
 * lost, or another, for that is what extractors get wrong.
 */
export function rotulo(palavras: string): string {
  const letters = [...palavras.normalize('NFC').toUpperCase().replace(/\s/g, '')]
  return letters.map((letter) => (fold(letter) === letter ? letter : '\\S{0,2}')).join('')
}

/**
 * Finds the titles in a text without white space, as `fold` writes it: one for each kind that it names, at
 * its first place. Spaces and lines are no part of a title, for extractors lose or add them.
 */
export function titulosOf(colado: string): TituloFederal[] {
  return titulos.flatMap(({ especie, titulo, se }) => {
    const found = se.exec(colado)
    return found ? [{ especie, titulo, fim: found.index + found[0].length }] : []
  })
}
