import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { diasDaData } from '../../store/cnpj-base/data.ts'
import type { Manifesto } from '../../store/cnpj-base/manifesto.ts'
import {
  activateVersao,
  listVersoes,
  nextPasta,
  pastaDasVersoes,
  pruneVersoes,
  sync,
} from '../../store/cnpj-base/versoes.ts'
import type { Andamento } from './andamento.ts'
import { createAndamento } from './andamento.ts'
import type { Preparo } from './contexto.ts'
import { openDiario } from './diario.ts'
import { sampleDicionario } from './dicionario.ts'
import { bytesFree, bytesNeeded, checkDisco } from './disco.ts'
import { readDominios } from './dominio.ts'
import { type Entradas, findEntradas, versaoDe } from './entrada.ts'
import { createEquipeDeThreads, createEquipeLocal, type Equipe } from './equipe.ts'
import { ImportError } from './erro.ts'
import {
  bytesWritten,
  type Inicio,
  identidadeDe,
  openTrabalho,
  readInicio,
  type Trabalho,
  writeInicio,
} from './estado.ts'
import { readZips, writeBase } from './passos.ts'
import { examinar, LIMITES, type Limites } from './portoes.ts'
import { type Acabada, flush, openPronta, seal, writeManifesto } from './selo.ts'
import { acquireTrava } from './trava.ts'

/** What an import is asked. */
export type OpcoesDeImportacao = {
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
  onProgress?: (andamento: Andamento) => void
  /** Old vintages to keep beside the new one; 1 by default. */
  manter?: number
  /** Gates to waive, by name. */
  aceitar?: readonly string[]
  limites?: Partial<Limites>
  /** Free bytes in a folder, for who knows better than `statfs`. */
  espacoLivre?: (dir: string) => Promise<number>
}

/** Below this much CSV, threads cost more than they give. */
const POUCO = 48 << 20
const FATIAS_MAXIMO = 1024
const CSV_POR_FATIA = 2 << 20
const LINHAS_COMPARADAS = 10_000
const BYTES_POR_LINHA = 150

const bytesOf = (entradas: Entradas): number =>
  entradas.conjuntos.reduce((total, one) => total + one.arquivo.membro.bytes, 0)

async function prepare(entradas: Entradas, now: Date): Promise<Preparo> {
  const bytes = bytesOf(entradas)
  return {
    dominios: await readDominios(entradas),
    palavras: await sampleDicionario(entradas),
    fatias: Math.min(FATIAS_MAXIMO, 2 ** Math.ceil(Math.log2(Math.max(1, bytes / CSV_POR_FATIA)))),
    dataLimite: diasDaData(now.getUTCFullYear() + 1, now.getUTCMonth() + 1, Math.min(28, now.getUTCDate())),
    amostrarCada: Math.max(1, Math.floor(bytes / BYTES_POR_LINHA / LINHAS_COMPARADAS)),
  }
}

async function begin(trabalho: Trabalho, entradas: Entradas, options: OpcoesDeImportacao): Promise<Inicio> {
  const identidade = identidadeDe(entradas, options.amostra ?? false)
  const known = readInicio(trabalho, identidade)
  if (known !== undefined) return known
  const now = options.now()
  const inicio = { identidade, iniciado: now.toISOString(), preparo: await prepare(entradas, now) }
  writeInicio(trabalho, inicio)
  return inicio
}

/** Moves the finished folder among the vintages, then points to it, then removes the old ones. */
function publish(trabalho: Trabalho, versao: string, options: OpcoesDeImportacao): void {
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

function examine(
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

function createEquipe(
  inicio: Inicio,
  entradas: Entradas,
  options: OpcoesDeImportacao,
  onPiece: (bytes: number, linhas: number) => void,
): Equipe {
  const threads = options.threads ?? (bytesOf(entradas) < POUCO ? 0 : availableParallelism())
  if (threads > 0) return createEquipeDeThreads(inicio.preparo, threads, onPiece)
  return createEquipeLocal(inicio.preparo, (bytes, linhas) => {
    options.signal?.throwIfAborted()
    onPiece(bytes, linhas)
  })
}

async function run(
  trabalho: Trabalho,
  entradas: Entradas,
  qual: { versao: string; token: string },
  options: OpcoesDeImportacao,
): Promise<Manifesto> {
  const inicio = await begin(trabalho, entradas, options)
  const andamento = createAndamento(bytesOf(entradas), options.onProgress)
  const equipe = createEquipe(inicio, entradas, options, andamento.lido)
  const stop = (): void => void equipe.close()
  options.signal?.addEventListener('abort', stop)
  try {
    const leituras = await readZips(trabalho, entradas, equipe, (bytes) => andamento.lido(bytes, 0))
    const diario = await openDiario(trabalho)
    try {
      await writeBase(trabalho, leituras, inicio.preparo.fatias, equipe, diario, andamento.gravado)
      andamento.tell('conferencia')
      const acabada = {
        ...qual,
        amostra: options.amostra ?? false,
        inicio,
        entradas,
        leituras,
        concluido: options.now(),
      }
      const manifesto = await seal(trabalho, diario, acabada)
      examine(trabalho, acabada, manifesto, new Set(diario.feitas.flatMap((one) => one.repetidos)), options)
      andamento.tell('publicacao')
      return manifesto
    } finally {
      await diario.close()
    }
  } finally {
    options.signal?.removeEventListener('abort', stop)
    await equipe.close()
  }
}

/**
 * Imports the official zips of `pasta` into a new vintage under `raiz` and makes it the one that is served. Stopped
 * at any point, the same call goes on where it was; a failure leaves the vintage in service alone.
 * @returns the manifest of the vintage published.
 * @throws ImportError: what is missing, damaged, mixed or full, or which gates were not passed.
 */
export async function importCnpj(options: OpcoesDeImportacao): Promise<Manifesto> {
  const amostra = options.amostra ?? false
  const entradas = await findEntradas(options.pasta, amostra)
  const qual = versaoDe(entradas, options.pasta, options.versao, options.now())
  const trava = acquireTrava(options.raiz)
  try {
    const trabalho = openTrabalho(options.raiz, qual.versao)
    const free = await (options.espacoLivre ?? bytesFree)(options.raiz)
    checkDisco(options.raiz, bytesNeeded(entradas), bytesWritten(trabalho), free)
    const manifesto = await run(trabalho, entradas, qual, options)
    publish(trabalho, qual.versao, options)
    return manifesto
  } finally {
    trava.release()
  }
}
