import { statfs } from 'node:fs/promises'
import {
  type Entry,
  fromRandomAccessReaderPromise,
  openPromise,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'
import { codeOf } from '../../platform/wire/fonte.ts'

/** Columns of each set (official layout, cnpj-metadados.pdf). */
export const COLUNAS = { empresas: 7, estabelecimentos: 30, socios: 11, simples: 7 } as const
export type Conjunto = keyof typeof COLUNAS

/** Paises is accepted and checked for its month, and not used. */
const TABELAS = ['cnaes', 'motivos', 'municipios', 'naturezas', 'qualificacoes', 'paises'] as const
export type NomeTabela = (typeof TABELAS)[number]

/** Empresas0.zip to Empresas9.zip. Simples.zip is one, and optional. */
export const PARTES = 10
const EM_PARTES = ['empresas', 'estabelecimentos', 'socios'] as const

const nameOf = (kind: string, parte: number | '' = ''): string =>
  `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}${parte}.zip`

/** 36, or 37 with Simples.zip. */
export function officialZips(simples: boolean): string[] {
  const partes = Array.from({ length: PARTES }, (_, parte) => parte)
  return [
    ...EM_PARTES.flatMap((conjunto) => partes.map((parte) => nameOf(conjunto, parte))),
    ...TABELAS.map((tabela) => nameOf(tabela)),
    ...(simples ? [nameOf('simples')] : []),
  ]
}

/** Sets and tables that an import needs, with the names of their zips as a message shows them. */
export const INDISPENSAVEIS: readonly { kind: Conjunto | NomeTabela; zips: string }[] = [
  ...EM_PARTES.map((kind) => ({ kind, zips: `${nameOf(kind, 0)}, ${nameOf(kind, 1)}...` })),
  ...TABELAS.filter((tabela) => tabela !== 'paises').map((kind) => ({ kind, zips: nameOf(kind) })),
]

const isConjunto = (kind: string): kind is Conjunto => Object.hasOwn(COLUNAS, kind)

const isTabela = (kind: string): kind is NomeTabela => TABELAS.some((tabela) => tabela === kind)

/** By a file name in any case. Empty for another file. */
export function kindOfZip(nome: string): { conjunto?: Conjunto; tabela?: NomeTabela } {
  const kind = /^([a-z]+)\d*\.zip$/i.exec(nome)?.[1]?.toLowerCase() ?? ''
  if (isConjunto(kind)) return { conjunto: kind }
  return isTabela(kind) ? { tabela: kind } : {}
}

async function bytesFree(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}

/** Throws what `problem` makes of the free bytes. `free` replaces `statfs`. */
export async function ensureRoom(
  dir: string,
  needed: number,
  problem: (free: number) => Error,
  free: (dir: string) => Promise<number> = bytesFree,
): Promise<void> {
  const has = await free(dir)
  if (has < needed) throw problem(has)
}

/** Sizes in bytes. */
export type Membro = { nome: string; metodo: number; crc32: number; comprimido: number; bytes: number }

/** `inicio`: where its first compressed byte is. */
export type MembroEmDisco = Membro & { inicio: number }

/** Bytes at the end of a zip that hold its end record, ZIP64 locator included, whatever its comment. */
export const TAIL_BYTES = 22 + 20 + 0xffff

const STORED = 0
const DEFLATE = 8
const ENTRIES_MAX = 1000

/** `message` is Portuguese and follows the file's name: "está truncado…". */
export class BadZip extends Error {}

const TRUNCATED = 'está truncado ou não é um zip: baixe-o de novo.'

/** Gives yauzl the end of a remote zip as if it were the whole file. */
class Tail extends RandomAccessReader {
  readonly #bytes: Buffer
  readonly #start: number
  constructor(bytes: Buffer, size: number) {
    super()
    this.#bytes = bytes
    this.#start = size - bytes.length
  }
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    const from = position - this.#start
    const copied = from < 0 ? -1 : this.#bytes.copy(buffer, offset, from, from + length)
    done(copied === length ? null : new BadZip(TRUNCATED))
  }
}

/** yauzl's CP437 and its checks of names would refuse odd ones needlessly. */
const OPTIONS = { autoClose: false, decodeStrings: false }

const memberName = (entry: Entry): string => entry.fileNameRaw.toString('latin1')

async function onlyEntry(zip: ZipFile): Promise<Entry> {
  if (zip.entryCount > ENTRIES_MAX) throw new BadZip('tem arquivos demais: espera-se um só.')
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) if (!memberName(entry).endsWith('/')) entries.push(entry)
  const [entry] = entries
  if (entry === undefined || entries.length > 1)
    throw new BadZip(`tem ${entries.length} arquivos dentro: espera-se um só.`)
  if (entry.isEncrypted() || ![STORED, DEFLATE].includes(entry.compressionMethod))
    throw new BadZip('usa cifra ou compressão que não é a dos arquivos oficiais.')
  return entry
}

const membroOf = (entry: Entry): Membro => ({
  nome: memberName(entry),
  metodo: entry.compressionMethod,
  crc32: entry.crc32,
  comprimido: entry.compressedSize,
  bytes: entry.uncompressedSize,
})

/** An error of yauzl about a broken file becomes a BadZip. */
async function withZip<T>(opening: Promise<ZipFile>, read: (zip: ZipFile) => Promise<T>): Promise<T> {
  try {
    const zip = await opening
    try {
      return await read(zip)
    } finally {
      zip.close()
    }
  } catch (error) {
    if (error instanceof BadZip || codeOf(error) !== '') throw error
    throw new BadZip(TRUNCATED, { cause: error })
  }
}

/** Throws BadZip when it is truncated, no zip, ciphered, or holds another number of files than one. */
export function readMembro(path: string): Promise<MembroEmDisco> {
  return withZip(openPromise(path, OPTIONS), async (zip) => {
    const entry = await onlyEntry(zip)
    const { fileDataStart: inicio } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    if (inicio + entry.compressedSize > zip.fileSize) throw new BadZip(TRUNCATED)
    return { ...membroOf(entry), inicio }
  })
}

/** `tail` is `TAIL_BYTES` long, or the whole zip when it is shorter. Throws BadZip as `readMembro`. */
export function membroFromTail(tail: Buffer, size: number): Promise<Membro> {
  const opening = fromRandomAccessReaderPromise(new Tail(tail, size), size, OPTIONS)
  return withZip(opening, async (zip) => membroOf(await onlyEntry(zip)))
}

/** As in `K3241.K03200Y0.D61010.EMPRECSV`: D, year (one digit), month, day. */
const TOKEN = /\.(D\d{5})(?:\.|$)/

/** '' stands for no token. A folder of one month has one group. */
export function tokensOf(zips: readonly { nome: string; membro: { nome: string } }[]): Map<string, string[]> {
  const tokens = new Map<string, string[]>()
  for (const { nome, membro } of zips) {
    const token = TOKEN.exec(membro.nome)?.[1] ?? ''
    tokens.set(token, [...(tokens.get(token) ?? []), nome])
  }
  return tokens
}
