import { findData } from '../portal/datas.ts'
import { rotulo } from './titulo.ts'

/** The printed values of a federal certificate, each once however often it stands. */
export type CamposFederais = {
  /** Fourteen characters, or the eight of the root. */
  cnpjs: readonly string[]
  /** AAAA-MM-DD. */
  emissoes: readonly string[]
  /** AAAA-MM-DD. */
  validades: readonly string[]
  codigos: readonly string[]
}

const DIA = String.raw`(\d{2}/\d{2}/\d{4})(?!\d)`

/**
 * With or without its punctuation. Letters occur since July 2026; a root with letters is read only with its
 * dots, for the next word may follow at once.
 */
const CNPJ =
  /CNPJ:((?:[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2}|[0-9A-Z]{12}\d{2}|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}|\d{8})(?![\d/-]|\.\d))?/g

const EMISSAO = new RegExp(String.raw`${rotulo('Emitida às')}\d{1,2}:\d{2}(?::\d{2})?DODIA${DIA}`, 'g')
const VALIDADE = new RegExp(`${rotulo('Válida até')}${DIA}`, 'g')
const CODIGO = new RegExp(
  String.raw`${rotulo('Código de controle da certidão:')}([0-9A-F]{4}(?:\.[0-9A-F]{4}){3})(?!\.[0-9A-F])`,
  'g',
)

/**
 * Reads the text after the title, in capitals without accents and white space. A `CNPJ:` without a number
 * gives an empty one; a day that no calendar has is left out.
 */
export const readCamposFederais = (depois: string): CamposFederais => ({
  cnpjs: unique(valuesOf(depois, CNPJ).map((cnpj) => cnpj.replace(/[./-]/g, ''))),
  emissoes: unique(valuesOf(depois, EMISSAO).flatMap(dayOf)),
  validades: unique(valuesOf(depois, VALIDADE).flatMap(dayOf)),
  codigos: unique(valuesOf(depois, CODIGO)),
})

const unique = (values: readonly string[]): string[] => [...new Set(values)]

const valuesOf = (text: string, field: RegExp): string[] =>
  [...text.matchAll(field)].map(([, value = '']) => value)

function dayOf(written: string): string[] {
  const found = findData(written)
  return found ? [found.data] : []
}

/**
 * Whether a certificate that declares this CNPJ is the one of `cnpj`. A paper with only the root (public
 * bodies have it) is the head office's, order number 0001.
 */
export const declara = (declarado: string, cnpj: string): boolean =>
  declarado === cnpj || (declarado.length === 8 && cnpj.startsWith(`${declarado}0001`))
