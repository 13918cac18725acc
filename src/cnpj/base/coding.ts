import { type Static, type TSchema, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/schema'
import { type Cursor, getU8, getU16, type Output, putU16, type Span } from './bytes.ts'
import { getTexto, putTextoSempre, type WordEncoder } from './text.ts'

/** Compiled with their first use: the 23,000 texts of `dominios.json` take 2 ms, and took 50 without. */
const compiled = new WeakMap<TSchema, Pick<Validator, 'Check'>>()

/** Undefined when it is broken or has another shape. */
export function parseStored<const T extends TSchema>(schema: T, json: string): Static<T> | undefined {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return undefined
  }
  return isOf(schema, value) ? value : undefined
}

function isOf<const T extends TSchema>(schema: T, value: unknown): value is Static<T> {
  const known = compiled.get(schema) ?? Compile(schema)
  compiled.set(schema, known)
  return known.Check(value)
}

const Textos = Type.Array(Type.String())

/** Codes are digits of fixed width. The file holds the line's place. */
export const Tabela = Type.Object({ codigos: Textos, descricoes: Textos })
export type Tabela = Static<typeof Tabela>

/** `ufs` and `ibge` go with `codigos`. */
export const Dominios = Type.Object({
  cnaes: Tabela,
  municipios: Type.Object({ codigos: Textos, descricoes: Textos, ufs: Textos, ibge: Textos }),
  naturezas: Tabela,
  qualificacoes: Tabela,
  motivos: Tabela,
})
export type Dominios = Static<typeof Dominios>

/** Throws (in Portuguese) when it is not what the importer wrote. */
export function parseDominios(json: string): Dominios {
  const dominios = parseStored(Dominios, json)
  if (dominios === undefined) throw new Error('dominios.json inválido')
  return dominios
}

/** `descricao` is empty for a code that the table lacks. */
export type Codigo = { codigo: string; descricao: string }

/** `unknown` hears of each code that the table lacks. */
export type TableIndex = { places: Map<number, number>; width: number; unknown: (codigo: string) => void }

export function createTableIndex(
  tabela: Tabela,
  width: number,
  unknown: (codigo: string) => void,
): TableIndex {
  const places = new Map(tabela.codigos.map((codigo, place) => [Number(codigo), place]))
  return { places, width, unknown }
}

/** -1 when it is not in the table, or is no number of its width. */
function placeOf(indice: TableIndex, bytes: Uint8Array, start: number, end: number): number {
  if (end - start !== indice.width) return -1
  let value = 0
  for (let i = start; i < end; i++) {
    const digit = (bytes[i] ?? 0) - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return indice.places.get(value) ?? -1
}

/** The place plus one in 16 bits; a code that the table lacks, an empty one too, is 0 and its text. */
export function putCodigo(
  out: Output,
  c: { palavras: WordEncoder },
  indice: TableIndex,
  bytes: Uint8Array,
  at: Span,
): number {
  const place = placeOf(indice, bytes, at.start, at.end)
  putU16(out, place + 1)
  if (place < 0) {
    putTextoSempre(out, c.palavras, bytes, at)
    if (at.end > at.start) indice.unknown(latin1(bytes, at.start, at.end))
  }
  return place
}

export function getCodigo(cursor: Cursor, tabela: Tabela, words: readonly string[]): Codigo {
  const place = getU16(cursor) - 1
  if (place < 0) return { codigo: getTexto(cursor, words, false), descricao: '' }
  return { codigo: tabela.codigos[place] ?? '', descricao: tabela.descricoes[place] ?? '' }
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1')
}

export type Encoding = {
  palavras: WordEncoder
  cnaes: TableIndex
  municipios: TableIndex
  naturezas: TableIndex
  qualificacoes: TableIndex
  motivos: TableIndex
  ufs: readonly string[]
}

/** `semMotivo` is shown where a status has no reason. */
export type Decoding = { palavras: readonly string[]; dominios: Dominios; semMotivo: Codigo }

/** In digits. */
export const LARGURA_CODIGO = { cnaes: 7, municipios: 4, naturezas: 4, qualificacoes: 2, motivos: 2 } as const

/** Every MEI has this legal nature, and its name may carry the owner's CPF. */
export const EMPRESARIO_INDIVIDUAL = '2135'

/** In the file, a place of the lists below; FORA plus the code stands for one that its list lacks. */
export const FORA = 7

export function getDaLista(cursor: Cursor, lista: readonly Codigo[], place: number): Codigo {
  if (place < FORA) return lista[place] ?? { codigo: '', descricao: '' }
  return { codigo: String(getU8(cursor)).padStart(2, '0'), descricao: '' }
}

/** Labels of the official layout (cnpj-metadados.pdf); 05 is from SERPRO's domain. */
export const SITUACOES = [
  { codigo: '', descricao: '' },
  { codigo: '01', descricao: 'NULA' },
  { codigo: '02', descricao: 'ATIVA' },
  { codigo: '03', descricao: 'SUSPENSA' },
  { codigo: '04', descricao: 'INAPTA' },
  { codigo: '05', descricao: 'ATIVA NAO REGULAR' },
  { codigo: '08', descricao: 'BAIXADA' },
] as const

/** Codes of the official layout, words of the specification. */
export const PORTES = [
  { codigo: '', descricao: '' },
  { codigo: '00', descricao: 'NÃO INFORMADO' },
  { codigo: '01', descricao: 'MICRO EMPRESA' },
  { codigo: '03', descricao: 'PEQUENO PORTE' },
  { codigo: '05', descricao: 'DEMAIS' },
] as const
