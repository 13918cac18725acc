import type { ImportProgress } from './progress.ts'
import type { GateLimits } from './publicacao/portoes.ts'

/** What an import is asked. */
export type ImportOptions = {
  /** Folder with the official zips. */
  pasta: string
  /** Folder of the base, `<DATA_DIR>/cnpj`. */
  raiz: string
  /** Month (`AAAA-MM`) of zips whose members do not tell it. */
  versao?: string
  /** A partial base: excuses it from the gates that assume the national one. */
  amostra?: boolean
  /** Worker threads; the number of cores by default, none for a small import. */
  threads?: number
  signal?: AbortSignal
  now: () => Date
  onProgress?: (progress: ImportProgress) => void
  /** Old vintages to keep beside the new one; 1 by default. */
  manter?: number
  /** Gates to waive, by name. */
  aceitar?: readonly string[]
  limites?: Partial<GateLimits>
  /** Free bytes in a folder, for who knows better than `statfs`. */
  espacoLivre?: (dir: string) => Promise<number>
}
