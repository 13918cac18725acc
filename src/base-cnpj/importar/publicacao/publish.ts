import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifesto } from '../../versoes/manifesto.ts'
import {
  activateVersao,
  listVersoes,
  nextPasta,
  pastaDasVersoes,
  pruneVersoes,
  sync,
} from '../../versoes/versoes.ts'
import { ImportError } from '../import-error.ts'
import type { OpcoesDeImportacao } from '../options.ts'
import type { Trabalho } from '../work-folder.ts'
import { examinar, LIMITES } from './portoes.ts'
import { type Acabada, flush, openPronta, writeManifesto } from './seal.ts'

/** Moves the finished folder among the vintages, then points to it, then removes the old ones. */
export function publish(trabalho: Trabalho, versao: string, options: OpcoesDeImportacao): void {
  const { raiz } = options
  flush(trabalho.pronta)
  const versoes = pastaDasVersoes(raiz)
  mkdirSync(versoes, { recursive: true })
  const pasta = nextPasta(raiz, versao)
  renameSync(trabalho.pronta, join(versoes, pasta))
  sync(versoes)
  activateVersao(raiz, pasta)
  pruneVersoes(raiz, options.manter ?? 1)
  rmSync(trabalho.dir, { recursive: true })
}

/**
 * Tries the gates on the finished folder and writes what came out into its manifest.
 * @throws ImportError with the list of gates that were not passed.
 */
export function examine(
  trabalho: Trabalho,
  acabada: Acabada,
  manifesto: Manifesto,
  repetidos: Set<string>,
  options: OpcoesDeImportacao,
): void {
  const base = openPronta(trabalho)
  try {
    manifesto.portoes = examinar({
      manifesto,
      anterior: listVersoes(options.raiz).find((one) => one.ativa)?.manifesto,
      base,
      entradas: acabada.entradas,
      leituras: acabada.leituras,
      repetidos,
      limites: { ...LIMITES, ...options.limites },
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
  writeManifesto(trabalho.pronta, manifesto)
}
