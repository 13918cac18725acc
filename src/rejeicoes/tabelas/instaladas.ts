import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marcaDe } from '../catalogo.ts'
import { lerTabela, nossaTabela } from './nossas.ts'
import type { TabelaDeCodigos } from './tabela.ts'

/** The tables that an operator may install, and how sentences name them. */
export const INSTALAVEIS = { ncm: 'NCM' } as const

export type Instalavel = keyof typeof INSTALAVEIS

/** The folder of the installed tables in the service's data. */
export const pastaDasTabelas = (dataDir: string): string => join(dataDir, 'tabelas')

export const arquivoDa = (nome: Instalavel, pasta: string): string => join(pasta, `${nome}.csv`)

const isInstalavel = (nome: string): nome is Instalavel => Object.hasOwn(INSTALAVEIS, nome)

let guardada: { arquivo: string; marca: string; tabela: TabelaDeCodigos } | undefined

/**
 * An installed table, read again when its file changes; undefined without the file. Throws an Error in
 * Portuguese for a file that is damaged.
 */
export function lerInstalada(nome: Instalavel, pasta: string): TabelaDeCodigos | undefined {
  const arquivo = arquivoDa(nome, pasta)
  const marca = marcaDe(arquivo)
  if (marca === 'missing') return undefined
  if (guardada?.arquivo === arquivo && guardada.marca === marca) return guardada.tabela
  const tabela = interpretar(nome, arquivo)
  guardada = { arquivo, marca, tabela }
  return tabela
}

function interpretar(nome: Instalavel, arquivo: string): TabelaDeCodigos {
  try {
    const texto = readFileSync(arquivo, 'utf8')
    // The last line tells that nothing was cut.
    if (!texto.endsWith('\n# fim\n')) throw new Error('cut')
    return lerTabela(nome, texto.slice(0, -'# fim\n'.length))
  } catch (cause) {
    throw new Error(`O arquivo ${arquivo} está danificado: instale a tabela de novo.`, { cause })
  }
}

/**
 * The tables that a diagnosis may ask: those of the service, and the installed ones of the folder. A damaged
 * file is as none.
 */
export function tabelasDaPasta(pasta: string | undefined): (nome: string) => TabelaDeCodigos | undefined {
  const instaladas = new Map<Instalavel, TabelaDeCodigos | undefined>()
  return (nome) => {
    if (pasta === undefined || !isInstalavel(nome)) return nossaTabela(nome)
    if (!instaladas.has(nome)) instaladas.set(nome, instaladaOuNenhuma(nome, pasta))
    return instaladas.get(nome)
  }
}

/** As `lerInstalada`, but a damaged file is as none. */
export function instaladaOuNenhuma(nome: Instalavel, pasta: string): TabelaDeCodigos | undefined {
  try {
    return lerInstalada(nome, pasta)
  } catch {
    return undefined
  }
}
