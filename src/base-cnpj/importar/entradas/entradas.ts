import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type Membro, readMembro } from '../../zips/directory.ts'
import { ImportError } from '../import-error.ts'

/** The sets that are read in bulk, and the columns of each (official layout). */
export const COLUNAS = { empresas: 7, estabelecimentos: 30, socios: 11, simples: 7 } as const
export type Conjunto = keyof typeof COLUNAS

/** The small tables. Paises is accepted and checked for its month, and not used. */
const TABELAS = ['cnaes', 'motivos', 'municipios', 'naturezas', 'qualificacoes', 'paises'] as const
export type NomeTabela = (typeof TABELAS)[number]

/** One zip of the folder: its path, its file name, its only member. */
export type Arquivo = { path: string; nome: string; membro: Membro }

/** The zips of a folder, by what they hold. */
export type Entradas = {
  conjuntos: { conjunto: Conjunto; arquivo: Arquivo }[]
  tabelas: { tabela: NomeTabela; arquivo: Arquivo }[]
}

const NOME =
  /^(empresas|estabelecimentos|socios|simples|cnaes|motivos|municipios|naturezas|qualificacoes|paises)(\d*)\.zip$/i

const isConjunto = (nome: string): nome is Conjunto => Object.hasOwn(COLUNAS, nome)

const isTabela = (nome: string): nome is NomeTabela => TABELAS.some((tabela) => tabela === nome)

function checkFalta(entradas: Entradas, pasta: string, amostra: boolean): void {
  const has = new Set<string>([
    ...entradas.conjuntos.map((one) => one.conjunto),
    ...entradas.tabelas.map((one) => one.tabela),
  ])
  const wanted = [
    'Empresas',
    'Estabelecimentos',
    'Socios',
    'Cnaes',
    'Motivos',
    'Municipios',
    'Naturezas',
    'Qualificacoes',
  ]
  const missing = wanted.filter((nome) => !has.has(nome.toLowerCase()) && !(amostra && nome === 'Socios'))
  if (missing.length === 0) return
  const zips = missing.map((nome) =>
    isConjunto(nome.toLowerCase()) ? `${nome}0.zip, ${nome}1.zip...` : `${nome}.zip`,
  )
  throw new ImportError(`Faltam em ${pasta}: ${zips.join('; ')}.`)
}

/**
 * The official zips in `pasta`, by file name, whatever its case; others are ignored. A sample may lack Socios.
 * @throws ImportError that lists what is missing, or says which zip is damaged.
 */
export async function findEntradas(pasta: string, amostra: boolean): Promise<Entradas> {
  const names = await readdir(pasta).catch(() => {
    throw new ImportError(`Não consigo ler a pasta ${pasta}.`)
  })
  const entradas: Entradas = { conjuntos: [], tabelas: [] }
  for (const nome of names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))) {
    const kind = NOME.exec(nome)?.[1]?.toLowerCase() ?? ''
    if (!isConjunto(kind) && !isTabela(kind)) continue
    const path = join(pasta, nome)
    const arquivo = { path, nome, membro: await readMembro(path) }
    if (isConjunto(kind)) entradas.conjuntos.push({ conjunto: kind, arquivo })
    else entradas.tabelas.push({ tabela: kind, arquivo })
  }
  checkFalta(entradas, pasta, amostra)
  return entradas
}

/** Every zip, tables included. */
export const arquivosDe = (entradas: Entradas): Arquivo[] =>
  [...entradas.conjuntos, ...entradas.tabelas].map((one) => one.arquivo)

const TOKEN = /\.D(\d)(\d{2})(\d{2})(?:\.|$)/
const VERSAO = /^(\d{4})-(0[1-9]|1[0-2])$/

/** The month of a token `D<AMMDD>`, whose year has one digit: the latest such year that is not after `now`'s. */
function versaoDoToken(token: string, now: Date): string {
  const digit = Number(token[1])
  const thisYear = now.getUTCFullYear()
  const year = thisYear - ((thisYear - digit) % 10)
  return `${year}-${token.slice(2, 4)}`
}

function tokensOf(arquivos: Arquivo[]): Map<string, string[]> {
  const tokens = new Map<string, string[]>()
  for (const { nome, membro } of arquivos) {
    const found = TOKEN.exec(membro.nome)
    const token = found ? `D${found[1]}${found[2]}${found[3]}` : ''
    tokens.set(token, [...(tokens.get(token) ?? []), nome])
  }
  return tokens
}

/**
 * Month of the dump: from the token of the member names, which must be one; without any, `pedida`, or the folder's
 * name.
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
