import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import type { RejeicaoResumida } from './rules.ts'

/** What people say, and the catalogue's words for it. What is optional, as "errado", leaves nothing out. */
export type Sinonimos = ReadonlyMap<string, { vale: readonly string[]; isOpcional: boolean }>

const MAIS_PALAVRAS = 3

/** What stands for one thing that was asked: `dito` is what people said, `vale` the words that answer it. */
export type Grupo = { dito: string; vale: readonly string[]; isOpcional: boolean }

/** Words that nearly every entry has, or that join others. */
const SEM_PESO = new Set(
  'a as o os um uma de da das do dos e em no na nos nas ao aos com que se para por rejeicao erro codigo'.split(
    ' ',
  ),
)

/**
 * The longest saying that the synonyms know, else one word. Words without weight are left out, unless alone.
 */
export function emGrupos(palavras: readonly string[], sinonimos: Sinonimos): Grupo[] {
  const grupos = group(palavras, sinonimos)
  const comPeso = grupos.filter(({ dito }) => !SEM_PESO.has(dito))
  return comPeso.length > 0 ? comPeso : grupos
}

function group(palavras: readonly string[], sinonimos: Sinonimos): Grupo[] {
  const grupos: Grupo[] = []
  for (let at = 0; at < palavras.length; ) {
    const saying = comSinonimo(palavras.slice(at, at + MAIS_PALAVRAS), sinonimos)
    const dito = saying ?? palavras[at] ?? ''
    const uma = saying?.includes(' ') ? [] : [dito]
    const sabido = sinonimos.get(dito)
    grupos.push({
      dito,
      vale: [...new Set([...uma, ...(sabido?.vale ?? [])])],
      isOpcional: sabido?.isOpcional ?? false,
    })
    at += dito.split(' ').length
  }
  return grupos
}

function comSinonimo(palavras: readonly string[], sinonimos: Sinonimos): string | undefined {
  for (let quantas = palavras.length; quantas > 0; quantas--) {
    const dito = palavras.slice(0, quantas).join(' ')
    if (sinonimos.has(dito)) return dito
  }
  return undefined
}

export type Pesquisavel<R extends RejeicaoResumida> = { rejeicao: R; texto: string }

export type Filtro = { q?: string | undefined; categoria?: string | undefined }

export const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export const toPesquisavel = <R extends RejeicaoResumida>(rejeicao: R): Pesquisavel<R> => ({
  rejeicao,
  texto: plain(`${rejeicao.codigo} ${rejeicao.motivo}`),
})

/** A search that two spellings share: its different words, as the search compares them. */
export const palavrasDe = (q = ''): string[] => [...new Set(plain(q).match(/\S+/g))]

/** A blank `q` is no filter. */
export function filterEntradas<P extends Pesquisavel<RejeicaoResumida>>(
  entradas: readonly P[],
  { q, categoria }: Filtro,
): readonly P[] {
  const palavras = palavrasDe(q)
  return entradas.filter(
    ({ rejeicao, texto }) =>
      (categoria === undefined || rejeicao.categoria === categoria) &&
      palavras.every((palavra) => texto.includes(palavra)),
  )
}

const MAIS_GRUPOS = 8

/** For a question in everyday words, for which `filterEntradas` finds nothing. */
export function filterBySinonimos<P extends Pesquisavel<RejeicaoResumida>>(
  entradas: readonly P[],
  { q, categoria }: Filtro,
  sinonimos: Sinonimos,
): readonly P[] {
  const ditas = palavrasDe(q).flatMap((palavra) => palavra.match(/[\p{L}\p{N}]+/gu) ?? [])
  const grupos = emGrupos(ditas, sinonimos)
    .filter(({ isOpcional }) => !isOpcional)
    .slice(0, MAIS_GRUPOS)
  if (grupos.length === 0) return []
  return entradas.filter(({ rejeicao, texto }) => {
    if (categoria !== undefined && rejeicao.categoria !== categoria) return false
    const palavras = new Set(texto.match(/[\p{L}\p{N}]+/gu))
    return grupos.every(({ dito, vale }) => texto.includes(dito) || vale.some((uma) => palavras.has(uma)))
  })
}

const TABELA = new URL('../../data/rejeicoes/campos.csv', import.meta.url)

let rotulos: ReadonlyMap<string, string> | undefined

/** The label of a field, by its path with or without positions; undefined for one that is not of a note. */
export function rotuloDe(caminho: string): string | undefined {
  rotulos ??= readRotulos()
  return rotulos.get(caminho.replace(/\[\d+\]/g, ''))
}

/** A path has no comma. A label that has one stands between quotes. */
function readRotulos(): ReadonlyMap<string, string> {
  const lines = readFileSync(TABELA, 'utf8').split(/\r?\n/)
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const at = line.indexOf(',')
      if (at < 0) return []
      const label = line.slice(at + 1).replace(/^"(.*)"$/, '$1')
      return [[line.slice(0, at), label.replaceAll('""', '"')]]
    }),
  )
}

const TABELA_DE_SINONIMOS = new URL('../../data/rejeicoes/sinonimos.csv', import.meta.url)

let lidos: Sinonimos | undefined

/** No cell of `data/rejeicoes/sinonimos.csv` has a comma. */
export function sinonimos(): Sinonimos {
  lidos ??= new Map(
    readFileSync(TABELA_DE_SINONIMOS, 'utf8')
      .split(/\r?\n/)
      .slice(1)
      .flatMap((line): [string, { vale: string[]; isOpcional: boolean }][] => {
        const [dito = '', vale = '', opcional = ''] = line.split(',')
        return dito === '' ? [] : [[dito, { vale: vale.split('|'), isOpcional: opcional === 'sim' }]]
      }),
  )
  return lidos
}

const TABELA_DE_RESULTADOS = new URL('../../data/rejeicoes/resultados.json', import.meta.url)

const Resultados = Type.Record(
  Type.String({ pattern: '^\\d{3}$' }),
  Type.Object({
    nome: Type.String({ minLength: 1 }),
    fazer: Type.String({ minLength: 1 }),
    /** A refusal after all, of a state alone: no official text has the code. */
    recusa: Type.Optional(Type.Literal('da UF')),
  }),
)

let resultadosLidos: Static<typeof Resultados> | undefined

/** Only for a status that refuses nothing, or that one state alone uses: it is no entry of the catalogue. */
export function resultadoDe(codigo: number): string | undefined {
  resultadosLidos ??= readResultados()
  const found = resultadosLidos[String(codigo)]
  if (!found) return undefined
  const oQue = found.recusa
    ? `O código ${codigo} não está no manual nem em nota técnica: é recusa própria de uma UF.`
    : `O código ${codigo} (${found.nome}) não é uma rejeição.`
  return `${oQue} ${found.fazer}`
}

function readResultados(): Static<typeof Resultados> {
  const value: unknown = JSON.parse(readFileSync(TABELA_DE_RESULTADOS, 'utf8'))
  if (Compile(Resultados).Check(value)) return value
  throw new Error('data/rejeicoes/resultados.json has another form')
}
