import { RAIZ_KEY_LIMIT } from '../base/bytes.ts'
import type { Conjunto } from '../base/conjuntos.ts'
import type { Stretch, ZipRun } from './leitura-run.ts'
import { createSlices, firstOf } from './slices.ts'

/** What to read of one run file. */
export type RunPart = { conjunto: Conjunto; path: string; stretches: Stretch[] }

/**
 * Roots [low, high) to merge and write, and the parts of run files to read for it, in the order of the zips.
 */
export type MergeTask = { low: number; high: number; parts: RunPart[] }

/** A run file, and what it holds. */
export type RunFile = { path: string; run: ZipRun }

function bytesOf(runFiles: RunFile[], slice: number): number {
  let bytes = 0
  for (const { run } of runFiles) {
    for (const stretch of run.particao.fatias[slice] ?? []) bytes += stretch.bytes
  }
  return bytes
}

/** Stretches that follow each other become one. */
function join(stretches: Stretch[]): Stretch[] {
  const joined: Stretch[] = []
  for (const stretch of stretches) {
    const last = joined.at(-1)
    if (last !== undefined && last.at + last.bytes === stretch.at) last.bytes += stretch.bytes
    else joined.push({ ...stretch })
  }
  return joined
}

function partsOf(runFiles: RunFile[], from: number, to: number): RunPart[] {
  return runFiles
    .map(({ path, run }) => ({
      conjunto: run.conjunto,
      path,
      stretches: join(run.particao.fatias.slice(from, to).flat()),
    }))
    .filter((part) => part.stretches.length > 0)
}

/**
 * Divides the slices among tasks that read about `stretchBytes`: small neighbours go together. A far larger
 * slice, whatever way roots come to be issued, is read several times, each time for a range of its roots.
 */
export function planMerges(runFiles: RunFile[], count: number, stretchBytes: number): MergeTask[] {
  const slices = createSlices(count)
  const total = count * 2
  const limit = (slice: number): number => (slice < total ? firstOf(slices, slice) : RAIZ_KEY_LIMIT)
  const tasks: MergeTask[] = []
  for (let from = 0; from < total; ) {
    let bytes = bytesOf(runFiles, from)
    let to = from + 1
    while (to < total && bytes + bytesOf(runFiles, to) <= stretchBytes) bytes += bytesOf(runFiles, to++)
    const parts = bytes > 0 ? partsOf(runFiles, from, to) : []
    const goes = Math.ceil(bytes / (stretchBytes * 4))
    const step = (limit(to) - limit(from)) / Math.max(goes, 1)
    for (let go = 0; go < goes; go++) {
      const low = limit(from) + Math.floor(step * go)
      tasks.push({
        low,
        high: go === goes - 1 ? limit(to) : limit(from) + Math.floor(step * (go + 1)),
        parts,
      })
    }
    from = to
  }
  return tasks
}
