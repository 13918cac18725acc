import { join } from 'node:path'
import type { Entradas } from './entradas.ts'
import type { Journal } from './journal.ts'
import { readRun, type ZipRun } from './leitura-run.ts'
import type { MergedStretch } from './merge-stretch.ts'
import { planMerges, type RunFile } from './plan.ts'
import type { ImportPool } from './pool.ts'
import type { Setup } from './prepare.ts'
import type { ReadTask } from './read-zip.ts'
import type { WorkFolder } from './work-folder.ts'

const runOf = (work: WorkFolder, nome: string): string => join(work.runs, `${nome}.run`)

/**
 * First step: reads every zip into a run file, the largest first, but not those that an earlier try finished.
 * Gives them in the order of the folder; `onDone` hears of each, with the bytes it was spared.
 */
export async function readZips(
  work: WorkFolder,
  entradas: Entradas,
  pool: ImportPool,
  onDone: (bytes: number) => void,
): Promise<ZipRun[]> {
  const tasks = entradas.conjuntos.map(({ conjunto, arquivo }, place): ReadTask => {
    return { conjunto, arquivo, path: runOf(work, arquivo.nome), place }
  })
  const runs = new Map<ReadTask, ZipRun>()
  const left: ReadTask[] = []
  for (const task of tasks) {
    const done = await readRun(task.path)
    if (done === undefined) left.push(task)
    else {
      runs.set(task, done)
      onDone(task.arquivo.membro.bytes)
    }
  }
  left.sort((a, b) => b.arquivo.membro.bytes - a.arquivo.membro.bytes)
  async function takeTurns(): Promise<void> {
    for (let task = left.shift(); task !== undefined; task = left.shift()) {
      runs.set(task, await pool.read(task))
      onDone(0)
    }
  }
  await Promise.all(Array.from({ length: pool.width }, takeTurns))
  return tasks.flatMap((task) => runs.get(task) ?? [])
}

/**
 * Second step: merges the run files into the data file, stretch after stretch of roots, in order. It does not
 * repeat the stretches that an earlier try wrote.
 */
export async function writeBase(
  work: WorkFolder,
  runs: ZipRun[],
  setup: Setup,
  pool: ImportPool,
  journal: Journal,
  onTask: (done: number, total: number, estabelecimentos: number) => void,
): Promise<void> {
  const runFiles = runs.map((run): RunFile => ({ path: runOf(work, run.nome), run }))
  const tasks = planMerges(runFiles, setup.fatias, setup.trecho)
  const ahead: Promise<MergedStretch>[] = []
  let next = journal.done.length
  const tell = (): void => {
    const estabelecimentos = journal.done.reduce((sum, one) => sum + (one.contagens.estabelecimentos ?? 0), 0)
    onTask(journal.done.length, tasks.length, estabelecimentos)
  }
  tell()
  while (journal.done.length < tasks.length) {
    for (; ahead.length < pool.width + 1; next++) {
      const task = tasks[next]
      if (task === undefined) break
      const merged = pool.merge(task)
      merged.catch(() => undefined)
      ahead.push(merged)
    }
    const first = await ahead.shift()
    if (first === undefined) break
    await journal.put(first)
    tell()
  }
}
