import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import type { Sinonimos } from './rules-busca.ts'

const TABELA = new URL('../../data/rejeicoes/campos.csv', import.meta.url)

let rotulos: ReadonlyMap<string, string> | undefined

/** The label of a field, by its path with or without positions; undefined for one that is not of a note. */
export function rotuloDe(caminho: string): string | undefined {
  rotulos ??= lerRotulos()
  return rotulos.get(caminho.replace(/\[\d+\]/g, ''))
}

/** A path has no comma. A label that has one stands between quotes. */
function lerRotulos(): ReadonlyMap<string, string> {
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

/** What people say, and the catalogue's words for it: `data/rejeicoes/sinonimos.csv`. No cell has a comma. */
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

/**
 * What a status that refuses nothing says, or one that only a state uses, and what to do, in a few sentences;
 * undefined for other codes. Such a status is no entry of the catalogue.
 */
export function resultadoDe(codigo: number): string | undefined {
  resultadosLidos ??= lerResultados()
  const found = resultadosLidos[String(codigo)]
  if (!found) return undefined
  const oQue = found.recusa
    ? `O código ${codigo} não está no manual nem em nota técnica: é recusa própria de uma UF.`
    : `O código ${codigo} (${found.nome}) não é uma rejeição.`
  return `${oQue} ${found.fazer}`
}

function lerResultados(): Static<typeof Resultados> {
  const value: unknown = JSON.parse(readFileSync(TABELA_DE_RESULTADOS, 'utf8'))
  if (Compile(Resultados).Check(value)) return value
  throw new Error('data/rejeicoes/resultados.json has another form')
}
