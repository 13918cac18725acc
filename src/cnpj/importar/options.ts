import type { GateLimits } from './portoes.ts'
import type { ImportProgress } from './progress.ts'

/** Options of an import. */
export type ImportOptions = {
  /** Folder with the official zips. */
  pasta: string
  /** Folder of the base, `<DATA_DIR>/cnpj`. */
  raiz: string
  /** Month (`AAAA-MM`), for zips whose members do not tell it. */
  versao?: string
  /** A partial base: it is excused from the gates that assume the national one. */
  amostra?: boolean
  /** Worker threads. By default one a core, and none for a small import. */
  threads?: number
  signal?: AbortSignal
  now: () => Date
  onProgress?: (progress: ImportProgress) => void
  /** Old vintages to keep besides the new one; 1 by default. */
  manter?: number
  /** Gates to waive, by name. */
  aceitar?: readonly string[]
  limites?: Partial<GateLimits>
  /** Gives the free bytes of a folder; `statfs` by default. */
  espacoLivre?: (dir: string) => Promise<number>
}
