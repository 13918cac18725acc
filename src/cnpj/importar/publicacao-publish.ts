import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifesto } from '../base/manifesto.ts'
import {
  activateVersao,
  listVersoes,
  nextFolder,
  pruneVersoes,
  sync,
  versoesFolder,
} from '../base/versoes.ts'
import { ImportError } from './import-error.ts'
import type { ImportOptions } from './options.ts'
import { GATE_LIMITS, tryGates } from './portoes.ts'
import { type FinishedImport, flush, openFinished, writeManifesto } from './publish.ts'
import type { WorkFolder } from './work-folder.ts'

/** Publishes: moves the finished folder among the vintages, points to it, and removes the old ones. */
export function publish(work: WorkFolder, versao: string, options: ImportOptions): void {
  const { raiz } = options
  flush(work.ready)
  const versoes = versoesFolder(raiz)
  mkdirSync(versoes, { recursive: true })
  const pasta = nextFolder(raiz, versao)
  renameSync(work.ready, join(versoes, pasta))
  sync(versoes)
  activateVersao(raiz, pasta)
  pruneVersoes(raiz, options.manter ?? 1)
  rmSync(work.dir, { recursive: true })
}

/**
 * Tries the gates on the finished folder and writes the result into its manifest.
 * @throws ImportError with the list of gates that failed.
 */
export function examine(
  work: WorkFolder,
  finished: FinishedImport,
  manifesto: Manifesto,
  repetidos: Set<string>,
  options: ImportOptions,
): void {
  const base = openFinished(work)
  try {
    manifesto.portoes = tryGates({
      manifesto,
      anterior: listVersoes(options.raiz).find((one) => one.ativa)?.manifesto,
      base,
      entradas: finished.entradas,
      runs: finished.runs,
      repetidos,
      limites: { ...GATE_LIMITS, ...options.limites },
      aceitar: options.aceitar ?? [],
    })
  } finally {
    base.close()
  }
  const failed = manifesto.portoes.filter((portao) => !portao.ok && !portao.dispensado)
  if (failed.length > 0) {
    const list = failed.map((one) => `${one.nome}: visto ${one.visto}; esperado ${one.esperado}`)
    throw new ImportError(
      `A versão ${manifesto.versao} não foi publicada. Não passou em: ${list.join(' | ')}.`,
      failed,
    )
  }
  writeManifesto(work.ready, manifesto)
}
