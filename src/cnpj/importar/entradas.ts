import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type Conjunto, INDISPENSAVEIS, kindOfZip, type NomeTabela } from '../base/conjuntos.ts'
import { tokensOf } from '../base/token.ts'
import { BadZip, type MembroEmDisco, readMembro } from '../base/zips.ts'
import { ImportError } from './import-error.ts'

/** One zip of the folder: its path, its file name, its only member. */
export type Arquivo = { path: string; nome: string; membro: MembroEmDisco }

/** The zips of a folder, by what they hold. */
export type Entradas = {
  conjuntos: { conjunto: Conjunto; arquivo: Arquivo }[]
  tabelas: { tabela: NomeTabela; arquivo: Arquivo }[]
}

function checkMissing(entradas: Entradas, pasta: string, amostra: boolean): void {
  const has = new Set<string>([
    ...entradas.conjuntos.map((one) => one.conjunto),
    ...entradas.tabelas.map((one) => one.tabela),
  ])
  const missing = INDISPENSAVEIS.filter(({ kind }) => !has.has(kind) && !(amostra && kind === 'socios'))
  if (missing.length === 0) return
  throw new ImportError(`Faltam em ${pasta}: ${missing.map(({ zips }) => zips).join('; ')}.`)
}

async function readArquivo(pasta: string, nome: string): Promise<Arquivo> {
  const path = join(pasta, nome)
  try {
    return { path, nome, membro: await readMembro(path) }
  } catch (error) {
    throw error instanceof BadZip ? new ImportError(`${nome} ${error.message}`) : error
  }
}

/**
 * Finds the official zips in `pasta` by file name, in any case, and ignores other files. A sample may lack
 * Socios.
 * @throws ImportError that lists what is missing, or says which zip is damaged.
 */
export async function findEntradas(pasta: string, amostra: boolean): Promise<Entradas> {
  const names = await readdir(pasta).catch(() => {
    throw new ImportError(`Não consigo ler a pasta ${pasta}.`)
  })
  const entradas: Entradas = { conjuntos: [], tabelas: [] }
  for (const nome of names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))) {
    const { conjunto, tabela } = kindOfZip(nome)
    if (conjunto) entradas.conjuntos.push({ conjunto, arquivo: await readArquivo(pasta, nome) })
    if (tabela) entradas.tabelas.push({ tabela, arquivo: await readArquivo(pasta, nome) })
  }
  checkMissing(entradas, pasta, amostra)
  return entradas
}

/** Bytes of CSV in the sets, inflated. */
export const bytesOf = (entradas: Entradas): number =>
  entradas.conjuntos.reduce((total, one) => total + one.arquivo.membro.bytes, 0)

/** Every zip, tables included. */
export const arquivosDe = (entradas: Entradas): Arquivo[] =>
  [...entradas.conjuntos, ...entradas.tabelas].map((one) => one.arquivo)

const VERSAO = /^(\d{4})-(0[1-9]|1[0-2])$/

/** The month of a token `D<AMMDD>`, whose year has one digit: the latest such year up to that of `now`. */
function versaoDoToken(token: string, now: Date): string {
  const digit = Number(token[1])
  const thisYear = now.getUTCFullYear()
  const year = thisYear - ((thisYear - digit) % 10)
  return `${year}-${token.slice(2, 4)}`
}

/**
 * Month of the dump, from the token of the member names, which must be one. Without any, it is `pedida`, or
 * the folder's name.
 * @throws ImportError when months are mixed, or when nothing says which it is.
 */
export function versaoDe(
  entradas: Entradas,
  pasta: string,
  pedida: string | undefined,
  now: Date,
): { versao: string; token: string } {
  if (pedida !== undefined && !VERSAO.test(pedida))
    throw new ImportError(`Versão ${pedida} inválida: use AAAA-MM, como 2026-10.`)
  const tokens = tokensOf(arquivosDe(entradas))
  if (tokens.size > 1) {
    const lists = [...tokens].map(
      ([token, nomes]) => `${token === '' ? 'sem data' : token}: ${nomes.join(', ')}`,
    )
    throw new ImportError(`Versões misturadas na pasta ${pasta}. ${lists.join('; ')}.`)
  }
  const [token = ''] = tokens.keys()
  if (token === '') {
    const nome = basename(resolve(pasta))
    const versao = pedida ?? (VERSAO.test(nome) ? nome : undefined)
    if (versao !== undefined) return { versao, token }
    throw new ImportError(`Os arquivos de ${pasta} não dizem de que mês são: informe --versao AAAA-MM.`)
  }
  const versao = versaoDoToken(token, now)
  if (pedida === undefined || pedida === versao) return { versao, token }
  throw new ImportError(`Os arquivos são da versão ${versao} (${token}), não da ${pedida}.`)
}
