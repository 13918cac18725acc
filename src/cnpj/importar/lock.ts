import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../platform/wire/fonte.ts'
import { ImportError } from './import-error.ts'

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
