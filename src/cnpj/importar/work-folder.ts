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
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { codeOf } from '../../platform/wire/fonte.ts'
import { parseStored } from '../base/coding.ts'
import { FORMATO } from '../base/versao.ts'
import { ensureRoom } from '../base/zips.ts'
import { arquivosDe, bytesOf, type Entradas, ImportError, Setup } from './entradas.ts'

/** Version of the work folder. A folder of another version is thrown away. */
const WORK_FORMAT = 1

/** The work folder of an import, `<raiz>/importando/<versao>`. What is in it says what is done. */
export type WorkFolder = { dir: string; runs: string; ready: string }

const ImportStart = Type.Object({ identidade: Type.String(), iniciado: Type.String(), preparo: Setup })

/** What was decided at the start. It is kept so that a second try goes on with the same. */
export type ImportStart = Static<typeof ImportStart>

/**
 * What tells one dump from another: lengths and CRC-32 of the members. Another dump in the same folder is
 * another import.
 */
export function identityOf(entradas: Entradas, amostra: boolean): string {
  const members = arquivosDe(entradas).map(({ nome, membro }) => [
    nome,
    membro.bytes,
    membro.comprimido,
    membro.crc32,
  ])
  return JSON.stringify([WORK_FORMAT, FORMATO, amostra, members])
}

/** Opens the work folder. Removes what other imports left beside it. */
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

/** Bytes that an earlier try left in the work folder. */
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

/**
 * Checks that the disk has room for an import of these zips, less what an earlier try already wrote.
 * @throws ImportError when it has not.
 */
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

/** What an earlier try with the same zips decided at its start. When there is none, empties the folder. */
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

/** A held lock. */
export type ImportLock = { release(): void }

type Owner = { pid: number; started: string; id: string }

/**
 * When a process started, as Linux tells it, so that a reused pid is not taken for its owner. Empty
 * elsewhere.
 */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    return `${boot} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`
  } catch {
    return ''
  }
}

function isAlive(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
  return owner.started === '' || startOf(owner.pid) === owner.started
}

function parseOwner(text: string): Owner | undefined {
  const [pid = '', started = '', id = ''] = text.split('\n')
  return /^\d+$/.test(pid) ? { pid: Number(pid), started, id } : undefined
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
 * Allows one import at a time in `raiz`, by a file that holds the owner's pid and outlives a kill. No lease
 * of the database: the import opens none, and runs on machines that have none.
 * @throws ImportError when a live process holds it.
 */
export function acquireLock(raiz: string): ImportLock {
  mkdirSync(raiz, { recursive: true })
  const path = join(raiz, 'importando.trava')
  const mine = `${process.pid}\n${startOf(process.pid)}\n${randomUUID()}\n`
  const aside = `${path}.${randomUUID()}`
  for (let attempt = 0; attempt < 10; attempt++) {
    const held = read(path)
    if (held !== undefined) {
      const owner = parseOwner(held)
      if (owner !== undefined && isAlive(owner)) throw busy(owner.pid)
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
