import { statfs } from 'node:fs/promises'
import type { Entradas } from '../importar/entradas/entradas.ts'
import { ImportError } from '../importar/import-error.ts'

/** Of each byte of CSV, what the run files and the finished vintage take together; measured 0.45, rounded up. */
const POR_BYTE = 0.6
const FOLGA = 16 << 20

/** Bytes that an import of these zips writes before it ends. */
export function bytesNeeded(entradas: Entradas): number {
  return FOLGA + POR_BYTE * entradas.conjuntos.reduce((sum, one) => sum + one.arquivo.membro.bytes, 0)
}

/** Free bytes for this user where `dir` is. */
export async function bytesFree(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}

const gb = (bytes: number): string =>
  `${(bytes / 1e9).toLocaleString('pt-BR', { maximumFractionDigits: 1, minimumFractionDigits: 1 })} GB`

/** @throws ImportError when `free` is less than the import needs beyond what an earlier try already wrote. */
export function checkDisco(dir: string, needed: number, written: number, free: number): void {
  if (free + written >= needed) return
  throw new ImportError(
    `Espaço em disco insuficiente em ${dir}: a importação precisa de ${gb(needed - written)} livres, há ${gb(free)}.`,
  )
}
