import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../platform/wire/fonte.ts'
import {
  ARQUIVOS,
  type CnpjBase,
  type Manifesto,
  openVersao,
  parseManifesto,
  type ReadOptions,
} from './versao.ts'

/** `pasta` is the month, with `.2`, `.3`... when it was imported again. */
export type VersaoEmDisco = {
  versao: string
  pasta: string
  ativa: boolean
  bytes: number
  manifesto: Manifesto
}

const POINTER = 'ativa'
const FOLDER = /^\d{4}-\d{2}(?:\.\d+)?$/

export const versoesFolder = (raiz: string): string => join(raiz, 'versoes')

/** Flushes a folder's entries (or a file's bytes) to the disk. */
export function sync(path: string): void {
  const fd = openSync(path, 'r')
  fsyncSync(fd)
  closeSync(fd)
}

const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT'

/** Undefined when none was ever activated. */
export function readPointer(raiz: string): string | undefined {
  try {
    const pasta = readFileSync(join(raiz, POINTER), 'latin1').trim()
    return FOLDER.test(pasta) ? pasta : undefined
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function readdirOrNone(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

export function nextFolder(raiz: string, versao: string): string {
  const taken = new Set(readdirOrNone(versoesFolder(raiz)))
  if (!taken.has(versao)) return versao
  for (let n = 2; ; n++) if (!taken.has(`${versao}.${n}`)) return `${versao}.${n}`
}

function readVersao(raiz: string, pasta: string, ativa: boolean): VersaoEmDisco[] {
  const dir = join(versoesFolder(raiz), pasta)
  try {
    const manifesto = parseManifesto(readFileSync(join(dir, ARQUIVOS.manifesto), 'utf8'))
    const bytes = readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0)
    return [{ versao: manifesto.versao, pasta, ativa, bytes, manifesto }]
  } catch {
    return []
  }
}

/** Newest first. Folders without a readable manifest are left out. */
export function listVersoes(raiz: string): VersaoEmDisco[] {
  const ativa = readPointer(raiz)
  return readdirOrNone(versoesFolder(raiz))
    .filter((name) => FOLDER.test(name))
    .flatMap((pasta) => readVersao(raiz, pasta, pasta === ativa))
    .sort((a, b) => (a.pasta === b.pasta ? 0 : newer(a, b) ? -1 : 1))
}

const newer = (a: VersaoEmDisco, b: VersaoEmDisco): boolean =>
  a.versao === b.versao ? a.manifesto.concluido > b.manifesto.concluido : a.versao > b.versao

/**
 * Makes a version the one that answers, within a second in an open service; `versao` is a month (`AAAA-MM`)
 * or a folder. Throws Error, in Portuguese, where it is not there.
 */
export function activateVersao(raiz: string, versao: string): VersaoEmDisco {
  const found = listVersoes(raiz).find((one) => one.pasta === versao || one.versao === versao)
  if (found === undefined) throw new Error(`Não há versão ${versao} em ${versoesFolder(raiz)}.`)
  const temporary = join(raiz, `${POINTER}.nova`)
  writeFileSync(temporary, `${found.pasta}\n`, { flush: true })
  renameSync(temporary, join(raiz, POINTER))
  sync(raiz)
  return { ...found, ativa: true }
}

/**
 * Deletes all versions but the active one and the newest `keep` others, of different months. Returns their
 * folders.
 */
export function pruneVersoes(raiz: string, keep: number): string[] {
  const kept = new Set<string>()
  const removed: string[] = []
  const all = listVersoes(raiz)
  const ativa = all.find((one) => one.ativa)
  for (const one of all) {
    if (one === ativa) continue
    const repeated = one.versao === ativa?.versao || kept.has(one.versao)
    if (!repeated && kept.size < keep) kept.add(one.versao)
    else {
      rmSync(join(versoesFolder(raiz), one.pasta), { recursive: true })
      removed.push(one.pasta)
    }
  }
  return removed
}

export type BaseAtiva = {
  /** Undefined while none was imported. Do not keep it: `refresh` closes it. */
  current(): CnpjBase | undefined
  /**
   * Reads the pointer again. When it changed: opens the new vintage, swaps, closes the old one and gives
   * true; look-ups are synchronous, so none is ever in the middle.
   * @throws when the new one cannot be opened; the old one stays.
   */
  refresh(): boolean
  close(): void
}

export function openBaseAtiva(raiz: string, options: ReadOptions): BaseAtiva {
  let base: CnpjBase | undefined
  let pasta: string | undefined

  /** When the vintage was removed meanwhile, opens what the pointer names by now. */
  function openWanted(wanted: string): CnpjBase {
    try {
      return openVersao(join(versoesFolder(raiz), wanted), options)
    } catch (error) {
      const now = readPointer(raiz)
      if (now === undefined || now === wanted) throw error
      return openWanted(now)
    }
  }

  function refresh(): boolean {
    const wanted = readPointer(raiz)
    if (wanted === undefined || wanted === pasta) return false
    const next = openWanted(wanted)
    base?.close()
    base = next
    pasta = wanted
    return true
  }

  refresh()
  return {
    current: () => base,
    refresh,
    close() {
      base?.close()
      base = undefined
      pasta = undefined
    },
  }
}
