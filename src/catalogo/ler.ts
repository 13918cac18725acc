import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Rejeicao } from '../domain/rejeicoes/rejeicao.ts'
import { parseEntradas } from './esquema.ts'

/** The rejection catalogue as one file holds it. It never changes: a file that changed is another one. */
export type Catalogo = {
  /** By code, each code once. */
  rejeicoes: readonly Rejeicao[]
  porCodigo: ReadonlyMap<number, Rejeicao>
  porSlug: ReadonlyMap<string, Rejeicao>
  /** Of the file's content. */
  versao: string
  arquivo: string
}

/** Reads a catalogue file. Throws an Error that says what is wrong with it, in Portuguese where we can. */
export function lerCatalogo(arquivo: string): Catalogo {
  const text = readFileSync(arquivo, 'utf8')
  const rejeicoes = parseEntradas(text).sort((a, b) => a.codigo - b.codigo)
  const porCodigo = new Map(rejeicoes.map((rejeicao) => [rejeicao.codigo, rejeicao]))
  const porSlug = new Map(rejeicoes.map((rejeicao) => [rejeicao.slug, rejeicao]))
  if (porCodigo.size < rejeicoes.length || porSlug.size < rejeicoes.length)
    throw new Error('um código ou um slug aparece duas vezes')
  return { rejeicoes, porCodigo, porSlug, versao: hash('sha256', text).slice(0, 16), arquivo }
}
