import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { SourceError } from '../../platform/wire/fonte.ts'
import type { Share } from './webdav.ts'
import { BadZip, type Membro, readMembro } from './zips.ts'

/** A zip to fetch: where it is in the share, its length, and what its directory says. */
export type RemoteZip = { path: string; bytes: number; membro: Membro }

type Progress = (bytes: number) => void

const SOURCE = 'receita-federal'

/**
 * Fetches a zip into `target`; goes on from `target.part` where an earlier run stopped. The file gets its own
 * name only when its length and its directory are those of the share.
 * @param onBytes hears of every change in what is on disk: bytes found, bytes that came, less bytes thrown
 * away.
 * @throws SourceError after the share's number of tries without a new byte, or when the file is corrupt
 * twice.
 */
export async function downloadZip(
  share: Share,
  zip: RemoteZip,
  target: string,
  onBytes: Progress,
): Promise<void> {
  const part = `${target}.part`
  for (let tries = 1; ; tries++) {
    await fill(share, zip, part, onBytes)
    if (await isSameZip(part, zip)) break
    await rm(part)
    onBytes(-zip.bytes)
    if (tries === 2) {
      const message = `${zip.path} chegou corrompido duas vezes. Tente de novo mais tarde.`
      throw new SourceError('parse', message, { source: SOURCE, elapsedMs: 0 })
    }
  }
  await rename(part, target)
}

/** Whether the file on disk has the length and the directory (name, sizes, CRC) that the share announces. */
export async function isSameZip(path: string, { bytes, membro }: RemoteZip): Promise<boolean> {
  if ((await sizeOf(path)) !== bytes) return false
  try {
    const local = await readMembro(path)
    return local.nome === membro.nome && local.crc32 === membro.crc32 && local.bytes === membro.bytes
  } catch (error) {
    if (error instanceof BadZip) return false
    throw error
  }
}

/** The length of a file in bytes; 0 when there is none. */
export async function sizeOf(path: string): Promise<number> {
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

/** Asks for what is missing over one connection, and keeps all that comes, whatever happens next. */
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
  throw new SourceError('parse', message, { source: SOURCE, elapsedMs: 0 })
}

function cutShort({ path }: RemoteZip, elapsedMs: number): SourceError {
  const message = `${path} veio incompleto várias vezes. Tente de novo mais tarde: o que já foi baixado é aproveitado.`
  return new SourceError('network', message, { source: SOURCE, elapsedMs })
}
