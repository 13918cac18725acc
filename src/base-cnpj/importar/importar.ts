import { availableParallelism } from 'node:os'
import type { Manifesto } from '../versoes/manifesto.ts'
import { bytesOf, type Entradas, findEntradas, versaoDe } from './entradas/entradas.ts'
import { openDiario } from './gravacao/journal.ts'
import { acquireTrava } from './lock.ts'
import type { OpcoesDeImportacao } from './options.ts'
import { createEquipeDeThreads, createEquipeLocal, type Equipe, type OuvinteDeLeitura } from './pool.ts'
import { type Preparo, prepare } from './prepare.ts'
import { createAndamento } from './progress.ts'
import { examine, publish } from './publicacao/publish.ts'
import { seal } from './publicacao/seal.ts'
import { readZips, writeBase } from './steps.ts'
import {
  ensureRoomFor,
  type Inicio,
  identidadeDe,
  openTrabalho,
  readInicio,
  type Trabalho,
  writeInicio,
} from './work-folder.ts'

/** Below this much CSV, threads cost more than they give. */
const POUCO = 48 << 20

async function begin(trabalho: Trabalho, entradas: Entradas, options: OpcoesDeImportacao): Promise<Inicio> {
  const identidade = identidadeDe(entradas, options.amostra ?? false)
  const known = readInicio(trabalho, identidade)
  if (known !== undefined) return known
  const now = options.now()
  const inicio = { identidade, iniciado: now.toISOString(), preparo: await prepare(entradas, now) }
  writeInicio(trabalho, inicio)
  return inicio
}

/** Runs one step with a team of its own, so that what it held in memory goes with it. An abort ends the team. */
async function withEquipe<T>(
  preparo: Preparo,
  bytes: number,
  options: OpcoesDeImportacao,
  onPiece: OuvinteDeLeitura,
  step: (equipe: Equipe) => Promise<T>,
): Promise<T> {
  options.signal?.throwIfAborted()
  const threads = options.threads ?? (bytes < POUCO ? 0 : availableParallelism())
  const checked: OuvinteDeLeitura = (more, linhas) => {
    options.signal?.throwIfAborted()
    onPiece(more, linhas)
  }
  const equipe =
    threads > 0 ? createEquipeDeThreads(preparo, threads, onPiece) : createEquipeLocal(preparo, checked)
  const stop = (): void => void equipe.close()
  options.signal?.addEventListener('abort', stop)
  try {
    return await step(equipe)
  } finally {
    options.signal?.removeEventListener('abort', stop)
    await equipe.close()
  }
}

async function run(
  trabalho: Trabalho,
  entradas: Entradas,
  qual: { versao: string; token: string },
  options: OpcoesDeImportacao,
): Promise<Manifesto> {
  const inicio = await begin(trabalho, entradas, options)
  const { preparo } = inicio
  const bytes = bytesOf(entradas)
  const andamento = createAndamento(bytes, options.onProgress)
  const leituras = await withEquipe(preparo, bytes, options, andamento.lido, (equipe) =>
    readZips(trabalho, entradas, equipe, (done) => andamento.lido(done, 0)),
  )
  const diario = await openDiario(trabalho)
  try {
    await withEquipe(preparo, bytes, options, andamento.lido, (equipe) =>
      writeBase(trabalho, leituras, preparo, equipe, diario, (done, total, written) => {
        options.signal?.throwIfAborted()
        andamento.gravado(done, total, written)
      }),
    )
    andamento.tell('conferencia')
    const amostra = options.amostra ?? false
    const acabada = { ...qual, amostra, inicio, entradas, leituras, concluido: options.now() }
    const manifesto = await seal(trabalho, diario, acabada)
    examine(trabalho, acabada, manifesto, new Set(diario.feitas.flatMap((one) => one.repetidos)), options)
    andamento.tell('publicacao')
    return manifesto
  } finally {
    await diario.close()
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
    await ensureRoomFor(trabalho, entradas, options)
    const manifesto = await run(trabalho, entradas, qual, options)
    publish(trabalho, qual.versao, options)
    return manifesto
  } finally {
    trava.release()
  }
}
