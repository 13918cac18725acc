import { join } from 'node:path'
import { type CnpjBase, openVersao, type ReadOptions } from './versao.ts'
import { readPointer, versoesFolder } from './versoes.ts'

/** Follows the vintage that is being served. */
export type BaseAtiva = {
  /** The open vintage; undefined while none was imported. Do not keep it: `refresh` closes it. */
  current(): CnpjBase | undefined
  /**
   * Reads the pointer again. When it changed: opens the new vintage, swaps, closes the old one and gives
   * true; look-ups are synchronous, so none is ever in the middle.
   * @throws when the new one cannot be opened; the old one stays.
   */
  refresh(): boolean
  close(): void
}

/** Follows the active vintage of `raiz` (`<DATA_DIR>/cnpj`). */
export function openBaseAtiva(raiz: string, options: ReadOptions): BaseAtiva {
  let base: CnpjBase | undefined
  let pasta: string | undefined

  /**
   * Opens the vintage that the pointer names. When it was removed meanwhile, opens what the pointer names by
   * now.
   */
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
