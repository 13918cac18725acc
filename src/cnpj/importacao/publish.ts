import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeIndex } from '../base/block.ts'
import { raizOfKey } from '../base/bytes.ts'
import { ARQUIVOS, type ArquivoConferido, FORMATO, type Manifesto, openVersao } from '../base/versao.ts'
import {
  activateVersao,
  listVersoes,
  nextFolder,
  pruneVersoes,
  sync,
  versoesFolder,
} from '../base/versoes.ts'
import { arquivosDe, type Entradas, ImportError } from './entradas.ts'
import { addCounts, type Counts } from './leitura.ts'
import { GATE_LIMITS, type GateLimits, tryGates } from './portoes.ts'
import { crcOf, type ZipRun } from './run.ts'
import type { ImportStart, Journal, WorkFolder } from './work-folder.ts'

/**
 * `feito`, `total`: bytes of CSV in `leitura`, stretches in `gravacao`. `registros`: lines, establishments.
 */
export type ImportProgress = { etapa: ImportStep; feito: number; total: number; registros: number }

export type ImportStep = 'leitura' | 'gravacao' | 'conferencia' | 'publicacao'

export function createProgress(bytes: number, onProgress: ((progress: ImportProgress) => void) | undefined) {
  let feito = 0
  let registros = 0
  return {
    read(more: number, lines: number): void {
      feito += more
      registros += lines
      onProgress?.({ etapa: 'leitura', feito, total: bytes, registros })
    },
    merged(done: number, total: number, estabelecimentos: number): void {
      onProgress?.({ etapa: 'gravacao', feito: done, total, registros: estabelecimentos })
    },
    tell(etapa: ImportStep): void {
      onProgress?.({ etapa, feito: 0, total: 1, registros: 0 })
    },
  }
}

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
  aceitar?: readonly string[]
  limites?: Partial<GateLimits>
  espacoLivre?: (dir: string) => Promise<number>
}

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

function writeManifesto(dir: string, manifesto: Manifesto): void {
  writeFileSync(join(dir, ARQUIVOS.manifesto), `${JSON.stringify(manifesto, null, 2)}\n`)
}

/** Completes the folder of a vintage beside the data file. */
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

function flush(dir: string): void {
  for (const nome of Object.values(ARQUIVOS)) sync(join(dir, nome))
  sync(dir)
}

/** As the service will, except that CPFs are not masked. */
const openFinished = (work: WorkFolder) => openVersao(work.ready, { mascararCpf: false })

/** In the order of README.md, "Published at once". */
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

/** Throws ImportError with the list of gates that failed. */
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
