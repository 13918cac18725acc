import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { type Static, Type } from 'typebox'
import { codeOf } from '../../platform/wire/fonte.ts'
import { diasDaData } from '../base/bytes.ts'
import { Dominios, LARGURA_CODIGO, type Tabela } from '../base/coding.ts'
import { MAX_WORDS } from '../base/text.ts'
import type { Portao } from '../base/versao.ts'
import {
  BadZip,
  COLUNAS,
  type Conjunto,
  INDISPENSAVEIS,
  kindOfZip,
  type MembroEmDisco,
  type NomeTabela,
  readMembro,
  tokensOf,
} from '../base/zips.ts'
import { type CsvLine, createCsvReader } from './csv.ts'

/** `message` is Portuguese and says what to do; `portoes` lists the gates that failed, if any. */
export class ImportError extends Error {
  override name = 'ImportError'
  readonly portoes: readonly Portao[]
  constructor(message: string, portoes: readonly Portao[] = []) {
    super(message)
    this.portoes = portoes
  }
}

export type Arquivo = { path: string; nome: string; membro: MembroEmDisco }

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

/** Finds zips by their names in any case; a sample may lack Socios. Throws ImportError. */
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

/** Tables included. */
export const arquivosDe = (entradas: Entradas): Arquivo[] =>
  [...entradas.conjuntos, ...entradas.tabelas].map((one) => one.arquivo)

const VERSAO = /^(\d{4})-(0[1-9]|1[0-2])$/

/** `D<AMMDD>` has one digit of the year: the latest such year up to that of `now`. */
function versaoDoToken(token: string, now: Date): string {
  const digit = Number(token[1])
  const thisYear = now.getUTCFullYear()
  const year = thisYear - ((thisYear - digit) % 10)
  return `${year}-${token.slice(2, 4)}`
}

/**
 * The month (`AAAA-MM`) of a folder of zips and the token of its extraction (`D60912`), which all names of
 * members share; without a token, `pedida` or the folder's name. Throws ImportError where tokens differ,
 * `pedida` is another month, or nothing says the month.
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

/** Pieces of 1 MiB: the default of 16 KiB halves the speed. */
const PIECE_BYTES = 1 << 20
const READ_BYTES = 1 << 18

function open(path: string, membro: MembroEmDisco): AsyncIterable<Buffer> {
  const end = membro.inicio + membro.comprimido - 1
  const file = createReadStream(path, { start: membro.inicio, end, highWaterMark: READ_BYTES })
  if (membro.metodo === 0) return file
  return pipeline(file, createInflateRaw({ chunkSize: PIECE_BYTES }), () => undefined)
}

/**
 * Inflates a zip's member in pieces of up to 1 MiB. NUL bytes are left in.
 * @throws ImportError when it does not inflate, or at the end when its length or CRC-32 is not what the
 * directory says.
 */
export async function* inflateMembro(path: string, membro: MembroEmDisco): AsyncGenerator<Buffer> {
  if (membro.comprimido === 0) return
  let crc = 0
  let bytes = 0
  try {
    for await (const piece of open(path, membro)) {
      crc = crc32(piece, crc)
      bytes += piece.length
      yield piece
    }
  } catch (error) {
    if (error instanceof Error && codeOf(error).startsWith('Z_')) {
      throw new ImportError(`${basename(path)} está corrompido (${error.message}): baixe-o de novo.`)
    }
    throw error
  }
  if (bytes !== membro.bytes || crc !== membro.crc32) {
    throw new ImportError(
      `${basename(path)} está corrompido (CRC-32 ou tamanho não confere): baixe-o de novo.`,
    )
  }
}

/** Columns whose words are worth a code: names, addresses. */
const TEXTOS: Record<Conjunto, readonly number[]> = {
  empresas: [1],
  estabelecimentos: [4, 13, 14, 16, 17],
  socios: [2],
  simples: [],
}
/** The first hundredth of each zip is read, and no more than 24 MB in all. */
const SHARE = 0.01
const MIN_BYTES = 64 * 1024
const MAX_BYTES = 24e6
/** No code for these: long numbers are written in binary, and a CPF must be told from a word to be masked. */
const LONG_NUMBER = /^\d{5,}$|\d{3}\.\d{3}\.\d{3}-\d{2}/

function addWords(words: Map<string, number>, line: CsvLine, columns: readonly number[]): void {
  for (const column of columns) {
    const text = line.bytes.toString('latin1', line.starts[column], line.ends[column])
    for (const word of text.split(' ')) if (word !== '') words.set(word, (words.get(word) ?? 0) + 1)
  }
}

/** Ranks words by what their code saves: how often a word comes, times its bytes less one. */
function rank(words: Map<string, number>): string[] {
  return [...words]
    .filter(
      ([word, times]) => times > 1 && word.length <= 40 && !/[^!-\xff]/.test(word) && !LONG_NUMBER.test(word),
    )
    .map(([word, times]) => ({ word, times, saved: times * (word.length - 1) }))
    .sort((a, b) => b.saved - a.saved || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_WORDS)
    .sort((a, b) => b.times - a.times || (a.word < b.word ? -1 : 1))
    .map(({ word }) => word)
}

/** The dictionary decides only how large the file becomes: any would be right. */
async function sampleDictionary(entradas: Entradas): Promise<string[]> {
  const total = entradas.conjuntos.reduce((sum, one) => sum + one.arquivo.membro.bytes, 0)
  const share = Math.min(SHARE, MAX_BYTES / Math.max(total, 1))
  const words = new Map<string, number>()
  for (const { conjunto, arquivo } of entradas.conjuntos) {
    const columns = TEXTOS[conjunto]
    if (columns.length === 0) continue
    const reader = createCsvReader(COLUNAS[conjunto], {
      line: (line) => addWords(words, line, columns),
      bad: () => undefined,
    })
    let left = Math.max(MIN_BYTES, Math.floor(arquivo.membro.bytes * share))
    for await (const piece of inflateMembro(arquivo.path, arquivo.membro)) {
      reader.feed(piece.subarray(0, left))
      left -= piece.length
      if (left <= 0) break
    }
  }
  return rank(words)
}

const MUNICIPIOS = new URL('../../../data/municipios-siafi.csv', import.meta.url)
const SUPLEMENTOS = new URL('../../../data/cnpj-suplementos.csv', import.meta.url)

async function readLinhas(file: URL): Promise<string[][]> {
  const [, ...lines] = (await readFile(file, 'utf8')).trim().split(/\r?\n/)
  return lines.map((line) => line.split(','))
}

const clean = (text: string): string => text.replace(/\s+/g, ' ').trim()

async function readTabela(entradas: Entradas, tabela: NomeTabela): Promise<Map<string, string>> {
  const codes = new Map<string, string>()
  const found = entradas.tabelas.find((one) => one.tabela === tabela)
  if (found === undefined) return codes
  const width = tabela === 'paises' ? 3 : LARGURA_CODIGO[tabela]
  let bad = 0
  const reader = createCsvReader(2, {
    line({ bytes, starts, ends }) {
      const codigo = clean(bytes.toString('latin1', starts[0], ends[0])).padStart(width, '0')
      if (/^\d+$/.test(codigo) && codigo.length === width) {
        codes.set(codigo, clean(bytes.toString('latin1', starts[1], ends[1])))
      } else bad++
    },
    bad: () => {
      bad++
    },
  })
  for await (const piece of inflateMembro(found.arquivo.path, found.arquivo.membro)) reader.feed(piece)
  reader.end()
  if (bad <= codes.size) return codes
  throw new ImportError(
    `${found.arquivo.nome} não tem o leiaute de ${tabela} (código e descrição): arquivo trocado?`,
  )
}

function toTabela(codes: Map<string, string>): Tabela {
  const sorted = [...codes].sort(([a], [b]) => (a < b ? -1 : 1))
  return { codigos: sorted.map(([codigo]) => codigo), descricoes: sorted.map(([, descricao]) => descricao) }
}

/** Completed with codes known to be missing. Throws ImportError when a table's zip holds something else. */
async function readDominios(entradas: Entradas): Promise<Dominios> {
  const extra = await readLinhas(SUPLEMENTOS)
  async function read(tabela: keyof typeof LARGURA_CODIGO): Promise<Map<string, string>> {
    const codes = await readTabela(entradas, tabela)
    for (const [name, codigo = '', descricao = ''] of extra) {
      if (name === tabela && !codes.has(codigo)) codes.set(codigo, descricao)
    }
    return codes
  }
  const siafi = new Map(
    (await readLinhas(MUNICIPIOS)).map(([tom = '', ibge = '', uf = '', nome = '']) => [
      tom,
      { ibge, uf, nome },
    ]),
  )
  const nomes = await read('municipios')
  for (const [tom, { nome }] of siafi) if (!nomes.has(tom)) nomes.set(tom, nome)
  const municipios = toTabela(nomes)
  return {
    cnaes: toTabela(await read('cnaes')),
    municipios: {
      ...municipios,
      ufs: municipios.codigos.map((tom) => siafi.get(tom)?.uf ?? (tom === '9707' ? 'EX' : '')),
      ibge: municipios.codigos.map((tom) => siafi.get(tom)?.ibge ?? ''),
    },
    naturezas: toTabela(await read('naturezas')),
    qualificacoes: toTabela(await read('qualificacoes')),
    motivos: toTabela(await read('motivos')),
  }
}

/** Plain data: it goes to worker threads, and to disk for a second try. */
export const Setup = Type.Object({
  palavras: Type.Array(Type.String()),
  dominios: Dominios,
  /** Slices of the roots of digits, and of those with letters. */
  fatias: Type.Number(),
  /** About how many bytes of run files one task of the second step reads. */
  trecho: Type.Number(),
  /** Latest date believed: one year after the import, as `diasDaData`. */
  dataLimite: Type.Number(),
  /** One line in so many is kept, to be compared with what is read back. */
  amostrarCada: Type.Number(),
})
export type Setup = Static<typeof Setup>

const MAX_SLICES = 1024
const CSV_PER_SLICE = 2 << 20
/** Bounds what a worker of the second step holds in memory. */
const MAX_STRETCH = 8 << 20
const MIN_STRETCH = 256 << 10
const STRETCHES = 64
const COMPARED_LINES = 10_000
const BYTES_PER_LINE = 150

export async function decideSetup(entradas: Entradas, now: Date): Promise<Setup> {
  const bytes = bytesOf(entradas)
  return {
    dominios: await readDominios(entradas),
    palavras: await sampleDictionary(entradas),
    fatias: Math.min(MAX_SLICES, 2 ** Math.ceil(Math.log2(Math.max(1, bytes / CSV_PER_SLICE)))),
    trecho: Math.min(MAX_STRETCH, Math.max(MIN_STRETCH, Math.floor(bytes / STRETCHES))),
    dataLimite: diasDaData(now.getUTCFullYear() + 1, now.getUTCMonth() + 1, Math.min(28, now.getUTCDate())),
    amostrarCada: Math.max(1, Math.floor(bytes / BYTES_PER_LINE / COMPARED_LINES)),
  }
}
