import {
  type Entry,
  fromRandomAccessReaderPromise,
  openPromise,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'
import { codeOf } from '../../platform/wire/fonte.ts'

/** The only member of an official zip: its name, and what its content must come to (sizes in bytes). */
export type Membro = { nome: string; metodo: number; crc32: number; comprimido: number; bytes: number }

/** A member of a zip on disk. `inicio`: where its first compressed byte is. */
export type MembroEmDisco = Membro & { inicio: number }

/** Bytes at the end of a zip that hold its end record, ZIP64 locator included, whatever its comment. */
export const TAIL_BYTES = 22 + 20 + 0xffff

const STORED = 0
const DEFLATE = 8
const ENTRIES_MAX = 1000

/**
 * Why a file is not an official zip. `message` is Portuguese and follows the file's name: "está truncado…".
 */
export class BadZip extends Error {}

const TRUNCATED = 'está truncado ou não é um zip: baixe-o de novo.'

/** Gives yauzl the end of a remote zip as if it were the whole file. The rest cannot be read. */
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

/**
 * Names are decoded here, as latin-1: yauzl's CP437 and its checks of names would refuse odd ones needlessly.
 */
const OPTIONS = { autoClose: false, decodeStrings: false }

const nameOf = (entry: Entry): string => entry.fileNameRaw.toString('latin1')

async function onlyEntry(zip: ZipFile): Promise<Entry> {
  if (zip.entryCount > ENTRIES_MAX) throw new BadZip('tem arquivos demais: espera-se um só.')
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) if (!nameOf(entry).endsWith('/')) entries.push(entry)
  const [entry] = entries
  if (entry === undefined || entries.length > 1)
    throw new BadZip(`tem ${entries.length} arquivos dentro: espera-se um só.`)
  if (entry.isEncrypted() || ![STORED, DEFLATE].includes(entry.compressionMethod))
    throw new BadZip('usa cifra ou compressão que não é a dos arquivos oficiais.')
  return entry
}

const membroOf = (entry: Entry): Membro => ({
  nome: nameOf(entry),
  metodo: entry.compressionMethod,
  crc32: entry.crc32,
  comprimido: entry.compressedSize,
  bytes: entry.uncompressedSize,
})

/** Runs `read` on an open zip and closes it. An error of yauzl about a broken file becomes a BadZip. */
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

/**
 * Reads the directory of a zip on disk, ZIP64 too.
 * @throws BadZip when it is truncated, no zip, ciphered, or holds another number of files than one; the
 * system's error when it cannot be read.
 */
export function readMembro(path: string): Promise<MembroEmDisco> {
  return withZip(openPromise(path, OPTIONS), async (zip) => {
    const entry = await onlyEntry(zip)
    const { fileDataStart: inicio } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    if (inicio + entry.compressedSize > zip.fileSize) throw new BadZip(TRUNCATED)
    return { ...membroOf(entry), inicio }
  })
}

/**
 * Reads the directory of a zip of `size` bytes from its last bytes (`TAIL_BYTES`, or all when it is shorter).
 * @throws BadZip as `readMembro`.
 */
export function membroFromTail(tail: Buffer, size: number): Promise<Membro> {
  const opening = fromRandomAccessReaderPromise(new Tail(tail, size), size, OPTIONS)
  return withZip(opening, async (zip) => membroOf(await onlyEntry(zip)))
}
