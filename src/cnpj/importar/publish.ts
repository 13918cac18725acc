import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { raizOfKey } from '../base/bytes.ts'
import { type ArquivoConferido, FORMATO, type Manifesto } from '../base/manifesto.ts'
import { encodeIndex } from '../base/sparse-index.ts'
import { ARQUIVOS, openVersao } from '../base/versao.ts'
import { sync } from '../base/versoes.ts'
import { addCounts, type Counts } from './counts.ts'
import { arquivosDe, type Entradas } from './entradas.ts'
import type { Journal } from './journal.ts'
import { crcOf, type ZipRun } from './leitura-run.ts'
import type { ImportStart, WorkFolder } from './work-folder.ts'

/** What is known of a finished import before it is sealed. */
export type FinishedImport = {
  versao: string
  token: string
  amostra: boolean
  start: ImportStart
  entradas: Entradas
  runs: ZipRun[]
  concluido: Date
}

async function checked(dir: string, nome: string): Promise<ArquivoConferido> {
  const { size } = statSync(join(dir, nome))
  return { nome, bytes: size, crc32: (await crcOf(join(dir, nome), size)) ?? 0 }
}

function addAll(parts: Counts[]): Counts {
  const total: Counts = {}
  for (const part of parts) addCounts(total, part)
  return total
}

function joinQuarentena(work: WorkFolder, runs: ZipRun[]): string {
  return runs.map((run) => readFileSync(join(work.runs, `${run.nome}.run.quarentena`), 'utf8')).join('')
}

function createManifesto(
  finished: FinishedImport,
  contagens: Counts,
  raizes: Float64Array,
  last: number,
): Manifesto {
  const { versao, token, amostra, start, entradas, runs } = finished
  const { estabelecimentos = 0, empresas = 0, socios = 0, simples = 0, ...outras } = contagens
  return {
    formato: FORMATO,
    versao,
    token,
    amostra,
    iniciado: start.iniciado,
    concluido: finished.concluido.toISOString(),
    estabelecimentos,
    empresas,
    socios,
    simples,
    raiz_min: raizes.length > 0 ? raizOfKey(raizes[0] ?? 0) : '',
    raiz_max: raizes.length > 0 ? raizOfKey(last) : '',
    contagens: outras,
    quarentena: addAll(runs.map((run) => run.quarentena)),
    codigos_desconhecidos: addAll(runs.map((run) => run.desconhecidos)),
    bytes: 0,
    arquivos: [],
    entradas: arquivosDe(entradas).map(({ nome, membro }) => ({
      nome,
      bytes: membro.bytes,
      crc32: membro.crc32,
    })),
    portoes: [],
  }
}

/** Writes the manifest into the finished folder. */
export function writeManifesto(dir: string, manifesto: Manifesto): void {
  writeFileSync(join(dir, ARQUIVOS.manifesto), `${JSON.stringify(manifesto, null, 2)}\n`)
}

/**
 * Completes the folder of a vintage: writes index, dictionary, tables, quarantine and manifest beside the
 * data file.
 */
export async function seal(work: WorkFolder, journal: Journal, finished: FinishedImport): Promise<Manifesto> {
  const { ready } = work
  const { preparo: setup } = finished.start
  const { raizes, lengths, ordens } = await journal.index()
  writeFileSync(join(ready, ARQUIVOS.indice), encodeIndex(raizes, lengths, ordens))
  writeFileSync(join(ready, ARQUIVOS.palavras), setup.palavras.join('\n'), 'latin1')
  writeFileSync(join(ready, ARQUIVOS.dominios), JSON.stringify(setup.dominios))
  writeFileSync(join(ready, ARQUIVOS.quarentena), joinQuarentena(work, finished.runs))
  const contagens = addAll([...finished.runs, ...journal.done].map((one) => one.contagens))
  const last = Math.max(0, ...journal.done.map((one) => one.ultima))
  const manifesto = createManifesto(finished, contagens, raizes, last)
  const names = Object.values(ARQUIVOS).filter((nome) => nome !== ARQUIVOS.manifesto)
  manifesto.arquivos = await Promise.all(names.map((nome) => checked(ready, nome)))
  manifesto.bytes = manifesto.arquivos.reduce((sum, arquivo) => sum + arquivo.bytes, 0)
  writeManifesto(ready, manifesto)
  return manifesto
}

/** Flushes the files of the finished folder, and the folder, to the disk. */
export function flush(dir: string): void {
  for (const nome of Object.values(ARQUIVOS)) sync(join(dir, nome))
  sync(dir)
}

/** Opens the finished folder as the service will, except that CPFs are not masked. */
export const openFinished = (work: WorkFolder) => openVersao(work.ready, { mascararCpf: false })
