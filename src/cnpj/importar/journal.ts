import { existsSync, readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Static, Type } from 'typebox'
import { parseStored } from '../base/coding.ts'
import { ARQUIVOS } from '../base/versao.ts'
import type { MergedStretch } from './merge.ts'
import type { WorkFolder } from './work-folder.ts'

const JournalEntry = Type.Object({
  bytes: Type.Number(),
  crc32: Type.Number(),
  blocos: Type.Number(),
  indiceCrc32: Type.Number(),
  contagens: Type.Record(Type.String(), Type.Number()),
  repetidos: Type.Array(Type.String()),
  /** Key of the largest root written. */
  ultima: Type.Number(),
})

/** A line of the journal: a finished task. */
type JournalEntry = Static<typeof JournalEntry>

type BlockIndex = { raizes: Float64Array; lengths: Uint32Array; ordens: Uint32Array }

/** The finished tasks, in order, and the files that they grow. Nothing else writes in the second step. */
export type Journal = {
  done: JournalEntry[]
  put(merged: MergedStretch): Promise<void>
  /** The whole index: roots, lengths and first orders of all blocks. */
  index(): Promise<BlockIndex>
  close(): Promise<void>
}

const BYTES_PER_BLOCK = 16

/** The lines of the journal up to the first that is not whole. */
function readEntries(path: string): JournalEntry[] {
  if (!existsSync(path)) return []
  const entries: JournalEntry[] = []
  for (const line of readFileSync(path, 'utf8').split('\n').slice(0, -1)) {
    const entry = parseStored(JournalEntry, line)
    if (entry === undefined) break
    entries.push(entry)
  }
  return entries
}

async function isWritten(file: FileHandle, at: number, bytes: number, crc: number): Promise<boolean> {
  const piece = Buffer.allocUnsafe(bytes)
  const { bytesRead } = await file.read(piece, 0, bytes, at)
  return bytesRead === bytes && crc32(piece) === crc
}

/** How many tasks are whole on disk. The others are done again. */
async function countWhole(entries: JournalEntry[], dados: FileHandle, index: FileHandle): Promise<number> {
  let at = 0
  let indexAt = 0
  for (const [n, entry] of entries.entries()) {
    const indexBytes = entry.blocos * BYTES_PER_BLOCK
    if (!(await isWritten(dados, at, entry.bytes, entry.crc32))) return n
    if (!(await isWritten(index, indexAt, indexBytes, entry.indiceCrc32))) return n
    at += entry.bytes
    indexAt += indexBytes
  }
  return entries.length
}

function indexBytes(merged: MergedStretch): Buffer {
  const parts = [merged.raizes, merged.lengths, merged.ordens]
  return Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)))
}

/** Opens a file for reading and writing. Makes it when it is not there. */
async function openAt(path: string): Promise<FileHandle> {
  return open(path, existsSync(path) ? 'r+' : 'w+')
}

/** The three files that the second step appends to. */
type JournalFiles = { dados: FileHandle; index: FileHandle; log: FileHandle }

async function writeAt(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done)
    done += bytesWritten
  }
}

const sumOf = (entries: JournalEntry[], pick: (entry: JournalEntry) => number): number =>
  entries.reduce((sum, entry) => sum + pick(entry), 0)

/** Opens the files and cuts them where the last whole task ends. */
async function openFiles(work: WorkFolder): Promise<{ files: JournalFiles; done: JournalEntry[] }> {
  const path = join(work.dir, 'gravacoes.ndjson')
  const dados = await openAt(join(work.ready, ARQUIVOS.dados))
  const index = await openAt(join(work.dir, 'indice.parcial'))
  const entries = readEntries(path)
  const done = entries.slice(0, await countWhole(entries, dados, index))
  await dados.truncate(sumOf(done, (entry) => entry.bytes))
  await index.truncate(sumOf(done, (entry) => entry.blocos) * BYTES_PER_BLOCK)
  const log = await open(path, 'w')
  await log.write(done.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  return { files: { dados, index, log }, done }
}

async function readIndex(index: FileHandle, done: JournalEntry[]): Promise<BlockIndex> {
  const blocos = sumOf(done, (entry) => entry.blocos)
  const all = {
    raizes: new Float64Array(blocos),
    lengths: new Uint32Array(blocos),
    ordens: new Uint32Array(blocos),
  }
  let from = 0
  for (const { blocos: n } of done) {
    const piece = new ArrayBuffer(n * BYTES_PER_BLOCK)
    await index.read(Buffer.from(piece), 0, n * BYTES_PER_BLOCK, from * BYTES_PER_BLOCK)
    all.raizes.set(new Float64Array(piece, 0, n), from)
    all.lengths.set(new Uint32Array(piece, n * 8, n), from)
    all.ordens.set(new Uint32Array(piece, n * 12, n), from)
    from += n
  }
  return all
}

/** Opens the journal of the work folder, compares it with the files, and cuts what goes beyond it. */
export async function openJournal(work: WorkFolder): Promise<Journal> {
  const { files, done } = await openFiles(work)
  const { dados, index, log } = files
  let at = sumOf(done, (entry) => entry.bytes)
  let indexAt = sumOf(done, (entry) => entry.blocos) * BYTES_PER_BLOCK
  return {
    done,
    async put(merged) {
      const piece = indexBytes(merged)
      await writeAt(dados, merged.dados, at)
      await writeAt(index, piece, indexAt)
      const { contagens, repetidos, ultima } = merged
      const entry: JournalEntry = {
        bytes: merged.dados.length,
        crc32: merged.crc32,
        blocos: merged.lengths.length,
        indiceCrc32: crc32(piece),
        contagens,
        repetidos,
        ultima,
      }
      await log.write(`${JSON.stringify(entry)}\n`)
      done.push(entry)
      at += entry.bytes
      indexAt += piece.length
    },
    index: () => readIndex(index, done),
    async close() {
      await Promise.all([dados.close(), index.close(), log.close()])
    },
  }
}
