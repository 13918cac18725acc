import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SourceError } from '../../platform/wire/fonte.ts'
import type { Share } from './webdav.ts'
import {
  BadZip,
  ensureRoom,
  type Membro,
  membroFromTail,
  officialZips,
  readMembro,
  TAIL_BYTES,
  tokensOf,
} from './zips.ts'

type RemoteZip = { path: string; bytes: number; membro: Membro }

type Progress = (bytes: number) => void

const DOWNLOAD_SOURCE = 'receita-federal'

/** A file gets its name only when its length and directory are the share's. Throws SourceError. */
async function downloadZip(share: Share, zip: RemoteZip, target: string, onBytes: Progress): Promise<void> {
  const part = `${target}.part`
  for (let tries = 1; ; tries++) {
    await fill(share, zip, part, onBytes)
    if (await isSameZip(part, zip)) break
    await rm(part)
    onBytes(-zip.bytes)
    if (tries === 2) {
      const message = `${zip.path} chegou corrompido duas vezes. Tente de novo mais tarde.`
      throw new SourceError('parse', message, { source: DOWNLOAD_SOURCE, elapsedMs: 0 })
    }
  }
  await rename(part, target)
}

async function isSameZip(path: string, { bytes, membro }: RemoteZip): Promise<boolean> {
  if ((await sizeOf(path)) !== bytes) return false
  try {
    const local = await readMembro(path)
    return local.nome === membro.nome && local.crc32 === membro.crc32 && local.bytes === membro.bytes
  } catch (error) {
    if (error instanceof BadZip) return false
    throw error
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0
}

async function fill(share: Share, zip: RemoteZip, part: string, onBytes: Progress): Promise<void> {
  const file = await open(part, 'a+')
  try {
    if ((await file.stat()).size > zip.bytes) await file.truncate(0)
    const state = { have: (await file.stat()).size, moved: false }
    onBytes(state.have)
    const goOn = (): Promise<void> => append(share, zip, file, state, onBytes)
    if (state.have < zip.bytes) await share.retry(goOn, () => state.moved)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function append(
  share: Share,
  zip: RemoteZip,
  file: FileHandle,
  state: { have: number; moved: boolean },
  onBytes: Progress,
): Promise<void> {
  state.moved = false
  const started = performance.now()
  const response = await share.get(zip.path, state.have)
  if (response.statusCode === 206) checkRange(response.headers['content-range'], state.have, zip)
  else {
    // The server sends the whole file whatever was asked: what is on disk would come twice.
    await file.truncate(0)
    onBytes(-state.have)
    state.have = 0
  }
  for await (const chunk of share.read(response)) {
    const piece = chunk.subarray(0, zip.bytes - state.have)
    await file.appendFile(piece)
    state.have += piece.length
    state.moved = true
    onBytes(piece.length)
  }
  if (state.have < zip.bytes) throw cutShort(zip, performance.now() - started)
}

function checkRange(header: string | string[] | undefined, from: number, { path, bytes }: RemoteZip): void {
  if (header === `bytes ${from}-${bytes - 1}/${bytes}`) return
  const message = `${path} mudou durante o download (${header ?? 'sem Content-Range'}). Rode de novo para recomeçar.`
  throw new SourceError('parse', message, { source: DOWNLOAD_SOURCE, elapsedMs: 0 })
}

function cutShort({ path }: RemoteZip, elapsedMs: number): SourceError {
  const message = `${path} veio incompleto várias vezes. Tente de novo mais tarde: o que já foi baixado é aproveitado.`
  return new SourceError('network', message, { source: DOWNLOAD_SOURCE, elapsedMs })
}

/** One month (`AAAA-MM`) of the open data: its zips, largest first, which all have one extraction token. */
export type Remessa = { versao: string; token: string; zips: (RemoteZip & { nome: string })[] }

/** `baixados` counts the zips fetched now; the others were there already. */
export type Baixa = { pasta: string; bytes: number; zips: number; baixados: number }

const SOURCE = 'receita-federal'
const DISK_MARGIN_BYTES = 64 * 1024 * 1024

/**
 * Finds a month (`AAAA-MM`, or the newest) and its zips on the share; `simples` takes the zip of Simples too.
 * Throws SourceError: `parse` where the month or a zip is missing or extractions are mixed, other kinds where
 * the share does not answer.
 */
export async function findRemessa(
  share: Share,
  { versao, simples }: { versao?: string; simples: boolean },
): Promise<Remessa> {
  const versoes = (await share.list('')).map(({ nome }) => nome).filter((nome) => /^\d{4}-\d{2}$/.test(nome))
  const escolhida = versao ?? versoes.toSorted().at(-1)
  if (!escolhida || !versoes.includes(escolhida))
    throw failure(
      'parse',
      `A Receita Federal não tem a competência ${versao ?? 'procurada'}. ${available(versoes)}`,
    )
  const entries = await share.list(`${escolhida}/`)
  const zips = officialZips(simples).map((nome) => {
    const bytes = entries.find((entry) => entry.nome === nome)?.bytes
    if (!bytes)
      throw failure('parse', `A competência ${escolhida} está incompleta: falta ${nome}. Tente mais tarde.`)
    return { nome, path: `${escolhida}/${nome}`, bytes }
  })
  const complete = await parallel(zips, async (zip) => ({ ...zip, membro: await remoteMember(share, zip) }))
  return {
    versao: escolhida,
    token: onlyToken(complete),
    zips: complete.toSorted((a, b) => b.bytes - a.bytes),
  }
}

/**
 * Downloads the zips that `pasta` lacks, each from where an earlier run stopped; `onProgress` gets octets.
 * Throws SourceError where the share fails, and Error where the disk has no room.
 */
export async function downloadRemessa(
  share: Share,
  remessa: Remessa,
  options: {
    pasta: string
    onProgress?: (nome: string, have: number, bytes: number) => void
    freeBytes?: (pasta: string) => Promise<number>
  },
): Promise<Baixa> {
  const { pasta, onProgress, freeBytes } = options
  await mkdir(pasta, { recursive: true })
  const state = await parallel(remessa.zips, async (zip) => {
    const target = join(pasta, zip.nome)
    const done = await isSameZip(target, zip)
    return { zip, target, done, missing: done ? 0 : zip.bytes - (await sizeOf(`${target}.part`)) }
  })
  const bytes = state.reduce((sum, { missing }) => sum + missing, 0)
  if (bytes > 0)
    await ensureRoom(pasta, bytes + DISK_MARGIN_BYTES, (free) => diskFull(pasta, bytes, free), freeBytes)
  await parallel(
    state.filter(({ done }) => !done),
    async ({ zip, target }) => {
      let have = 0
      const onBytes = (more: number): void => {
        have += more
        onProgress?.(zip.nome, have, zip.bytes)
      }
      await downloadZip(share, zip, target, onBytes)
    },
  )
  return { pasta, bytes, zips: state.length, baixados: state.filter(({ done }) => !done).length }
}

function remoteMember(share: Share, zip: { path: string; bytes: number }): Promise<Membro> {
  const from = Math.max(0, zip.bytes - TAIL_BYTES)
  return share.retry(async () => {
    const response = await share.get(zip.path, from, zip.bytes - 1)
    if (response.statusCode !== 206 && from > 0) {
      await response.body.dump()
      throw failure(
        'parse',
        `O servidor não atende leituras parciais de ${zip.path}. Ajuste CNPJ_WEBDAV_URL.`,
      )
    }
    const tail = Buffer.concat(await Array.fromAsync(share.read(response)))
    try {
      return await membroFromTail(tail, zip.bytes)
    } catch (error) {
      if (!(error instanceof BadZip)) throw error
      throw failure('parse', `${zip.path} não é um zip como os da Receita Federal. Tente de novo mais tarde.`)
    }
  })
}

/** Mixed days mean that a new vintage is being published right now. */
function onlyToken(zips: Remessa['zips']): string {
  const tokens = tokensOf(zips)
  const [token] = tokens.keys()
  if (tokens.size === 1 && token) return token
  const found = [...tokens].map(([day, nomes]) => `${day || 'sem data'} (${nomes.at(-1)})`).join(', ')
  throw failure(
    'parse',
    `Os arquivos são de extrações diferentes: ${found}. Nada foi baixado; tente mais tarde.`,
  )
}

function diskFull(pasta: string, bytes: number, free: number): Error {
  const [needs, has] = [bytes + DISK_MARGIN_BYTES, free].map((size) => (size / 1e9).toFixed(1))
  return new Error(
    `Falta espaço em ${pasta}: são necessários ${needs} GB e há ${has} GB livres. Libere espaço ou use --pasta.`,
  )
}

function available(versoes: string[]): string {
  if (versoes.length === 0) return 'O endereço pode ter mudado: ajuste CNPJ_WEBDAV_URL e CNPJ_WEBDAV_TOKEN.'
  return `Disponíveis: ${versoes.toSorted().slice(-6).join(', ')}.`
}

function failure(kind: 'parse', message: string): SourceError {
  return new SourceError(kind, message, { source: SOURCE, elapsedMs: 0 })
}

/** Two at a time: the authority refuses more. After a failure no new one starts. */
async function parallel<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = items.entries()
  let failed = false
  async function worker(): Promise<void> {
    for (const [index, item] of queue) {
      if (failed) return
      try {
        results[index] = await run(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const outcomes = await Promise.allSettled([worker(), worker()])
  const rejected = outcomes.find((outcome) => outcome.status === 'rejected')
  if (rejected) throw rejected.reason
  return results
}
