import { join } from 'node:path'
import { type CnpjBase, openVersao, type ReadOptions } from './versao.ts'
import { readPointer, versoesFolder } from './versoes.ts'

/** The vintage being served, whichever it is by now. */
export type BaseAtiva = {
  /** The open vintage; undefined while none was imported. Do not keep it: `refresh` closes it. */
  current(): CnpjBase | undefined
  /**
   * Reads the pointer again; when it changed, opens the new vintage, swaps, closes the old one and says true.
   * Look-ups being synchronous, none is ever in the middle. Throws when the new one cannot be opened: the old stays.
   */
  refresh(): boolean
  close(): void
}

/** Follows the active vintage of `raiz` (`<DATA_DIR>/cnpj`). */
export function openBaseAtiva(raiz: string, options: ReadOptions): BaseAtiva {
  let base: CnpjBase | undefined
  let pasta: string | undefined

  /** Opens what the pointer names; when that went away in between, what it names by now. */
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
