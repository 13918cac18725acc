import { hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { parseEntradas } from './esquema.ts'
import type { Rejeicao } from './rejeicao.ts'
import type { VerificacaoComCodigo } from './verificacoes/preparar.ts'

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

/** Octets. The catalogue that comes with the service has some 2 MB, and reading one blocks everybody. */
const MAIOR = 16 * 1024 * 1024

/** Reads a catalogue file. Throws an Error that says what is wrong with it, in Portuguese where we can. */
export function lerCatalogo(arquivo: string): Catalogo {
  const found = statSync(arquivo)
  if (!found.isFile()) throw new Error('não é um arquivo')
  if (found.size > MAIOR) throw new Error(`passa de ${MAIOR / 1024 / 1024} MiB`)
  const text = readFileSync(arquivo, 'utf8')
  const rejeicoes = parseEntradas(text).sort((a, b) => a.codigo - b.codigo)
  const porCodigo = new Map(rejeicoes.map((rejeicao) => [rejeicao.codigo, rejeicao]))
  const porSlug = new Map(rejeicoes.map((rejeicao) => [rejeicao.slug, rejeicao]))
  if (porCodigo.size < rejeicoes.length || porSlug.size < rejeicoes.length)
    throw new Error('um código ou um slug aparece duas vezes')
  return { rejeicoes, porCodigo, porSlug, versao: hash('sha256', text).slice(0, 16), arquivo }
}

/** The checks of a catalogue, in its order. */
export const verificacoesDe = ({ rejeicoes }: Catalogo): VerificacaoComCodigo[] =>
  rejeicoes.flatMap(({ codigo, verificacoes_analiticas }) =>
    verificacoes_analiticas.map((verificacao) => ({ ...verificacao, codigo })),
  )

/** Changes when a file does. */
export function marcaDe(arquivo: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(arquivo)
    return `${mtimeMs} ${size} ${ino}`
  } catch {
    return 'missing'
  }
}
