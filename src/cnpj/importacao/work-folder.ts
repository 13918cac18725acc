import { randomUUID } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { type Static, Type } from 'typebox'
import { codeOf } from '../../platform/wire/fonte.ts'
import { parseStored } from '../base/coding.ts'
import { ARQUIVOS, FORMATO } from '../base/versao.ts'
import { ensureRoom } from '../base/zips.ts'
import { arquivosDe, bytesOf, type Entradas, ImportError, Setup } from './entradas.ts'
import type { MergedStretch } from './merge.ts'

/** A folder of another version is thrown away. */
const WORK_FORMAT = 1

/** `<raiz>/importando/<versao>`. What is in it says what is done. */
export type WorkFolder = { dir: string; runs: string; ready: string }

const ImportStart = Type.Object({ identidade: Type.String(), iniciado: Type.String(), preparo: Setup })

/** Kept so that a second try goes on with the same. */
export type ImportStart = Static<typeof ImportStart>

/** Another dump in the same folder is another import. */
export function identityOf(entradas: Entradas, amostra: boolean): string {
  const members = arquivosDe(entradas).map(({ nome, membro }) => [
    nome,
    membro.bytes,
    membro.comprimido,
    membro.crc32,
  ])
  return JSON.stringify([WORK_FORMAT, FORMATO, amostra, members])
}

/** Removes what other imports left beside it. */
export function openWorkFolder(raiz: string, versao: string): WorkFolder {
  const all = join(raiz, 'importando')
  mkdirSync(all, { recursive: true })
  for (const name of readdirSync(all)) if (name !== versao) rmSync(join(all, name), { recursive: true })
  const dir = join(all, versao)
  const work = { dir, runs: join(dir, 'leituras'), ready: join(dir, 'pronta') }
  mkdirSync(work.runs, { recursive: true })
  mkdirSync(work.ready, { recursive: true })
  return work
}

function bytesWritten(work: WorkFolder): number {
  let bytes = 0
  for (const dir of [work.runs, work.ready]) {
    for (const name of readdirSync(dir)) bytes += statSync(join(dir, name)).size
  }
  return bytes
}

/** Run files and finished vintage take 0.45 bytes (measured) for each byte of CSV. This rounds it up. */
const BYTES_PER_CSV_BYTE = 0.6
const MARGIN_BYTES = 16 << 20

const gb = (bytes: number): string =>
  `${(bytes / 1e9).toLocaleString('pt-BR', { maximumFractionDigits: 1, minimumFractionDigits: 1 })} GB`

/** An earlier try already wrote a part. Throws ImportError when the disk lacks room for the rest. */
export async function ensureRoomFor(
  work: WorkFolder,
  entradas: Entradas,
  { raiz, espacoLivre }: { raiz: string; espacoLivre?: (dir: string) => Promise<number> },
): Promise<void> {
  const needed = MARGIN_BYTES + BYTES_PER_CSV_BYTE * bytesOf(entradas) - bytesWritten(work)
  const problem = (free: number): ImportError =>
    new ImportError(
      `Espaço em disco insuficiente em ${raiz}: a importação precisa de ${gb(needed)} livres, há ${gb(free)}.`,
    )
  await ensureRoom(raiz, needed, problem, espacoLivre)
}

/** When no earlier try had the same zips, empties the folder. */
export function readStart(work: WorkFolder, identidade: string): ImportStart | undefined {
  const path = join(work.dir, 'inicio.json')
  if (existsSync(path)) {
    const start = parseStored(ImportStart, readFileSync(path, 'utf8'))
    if (start?.identidade === identidade) return start
  }
  for (const dir of [work.runs, work.ready]) {
    rmSync(dir, { recursive: true })
    mkdirSync(dir)
  }
  rmSync(join(work.dir, 'gravacoes.ndjson'), { force: true })
  rmSync(join(work.dir, 'indice.parcial'), { force: true })
  return undefined
}

export function writeStart(work: WorkFolder, start: ImportStart): void {
  const path = join(work.dir, 'inicio.json')
  writeFileSync(`${path}.novo`, JSON.stringify(start))
  renameSync(`${path}.novo`, path)
}

export type ImportLock = { release(): void }

/** As Linux tells it, so that a reused pid is not taken for its owner. Empty elsewhere. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    return `${boot} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`
  } catch {
    return ''
  }
}

function isAlive(pid: number, started: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
  return started === '' || startOf(pid) === started
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}

const busy = (pid: number): ImportError =>
  new ImportError(`Outra importação está em andamento nesta pasta (processo ${pid}): espere que termine.`)

/** Takes away the lock of a dead process. A lock that another process has just taken is put back. */
function discard(path: string, stale: string): void {
  const aside = `${path}.${randomUUID()}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  if (read(aside) !== stale) linkSync(aside, path)
  rmSync(aside)
}

/**
 * The file outlives a kill; the import runs on machines that have no database for a lease. Throws ImportError
 * when a live process holds it.
 */
export function acquireLock(raiz: string): ImportLock {
  mkdirSync(raiz, { recursive: true })
  const path = join(raiz, 'importando.trava')
  const mine = `${process.pid}\n${startOf(process.pid)}\n${randomUUID()}\n`
  const aside = `${path}.${randomUUID()}`
  for (let attempt = 0; attempt < 10; attempt++) {
    const held = read(path)
    if (held !== undefined) {
      const [pid = '', started = ''] = held.split('\n')
      if (/^\d+$/.test(pid) && isAlive(Number(pid), started)) throw busy(Number(pid))
      discard(path, held)
    }
    writeFileSync(aside, mine)
    try {
      linkSync(aside, path)
      return { release: () => (read(path) === mine ? rmSync(path, { force: true }) : undefined) }
    } catch {
    } finally {
      rmSync(aside, { force: true })
    }
  }
  throw busy(0)
}

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

type JournalEntry = Static<typeof JournalEntry>

type BlockIndex = { raizes: Float64Array; lengths: Uint32Array; ordens: Uint32Array }

/** Nothing else writes in the second step. */
export type Journal = {
  done: JournalEntry[]
  put(merged: MergedStretch): Promise<void>
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

/** The others are done again. */
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

async function openAt(path: string): Promise<FileHandle> {
  return open(path, existsSync(path) ? 'r+' : 'w+')
}

type JournalFiles = { dados: FileHandle; index: FileHandle; log: FileHandle }

async function writeAt(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done)
    done += bytesWritten
  }
}

const sumOf = (entries: JournalEntry[], pick: (entry: JournalEntry) => number): number =>
  entries.reduce((sum, entry) => sum + pick(entry), 0)

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

/** Compares the journal with the files, and cuts what goes beyond it. */
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
