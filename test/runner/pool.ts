import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Report } from './report.ts'
import type { Order, Told } from './told.ts'

/**
 * The time limit of a test. A hook has no limit, so a shard is ended when it is silent for longer than this.
 */
const TEST_MS = 120_000
const SILENCE_MS = 2.5 * TEST_MS

const root = join(import.meta.dirname, '../..')
const here = (file: string): string => join(import.meta.dirname, file)

/**
 * Runs all files in `shards` processes at once. Each process gets its next file as soon as it ends the last
 * one.
 */
export async function runFiles(files: string[], shards: number, report: Report): Promise<void> {
  const queue = [...files]
  const keepOne = async (): Promise<void> => {
    // A shard that breaks down loses the file that it ran. Another shard takes the rest.
    while (queue.length > 0) {
      const before = queue.length
      await runShard(queue, report)
      // The shard could not even begin, so the next one would not either.
      if (queue.length === before) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(shards, files.length) }, keepOne))
}

/** Resolves when the process ended. It ends when the queue is empty, or earlier if it breaks down. */
async function runShard(queue: string[], report: Report): Promise<void> {
  const child = fork(here('shard.ts'), {
    execArgv: [
      // The shards have no core to spare for a collector, and tests make much garbage and keep little.
      '--max-semi-space-size=32',
      '--single-threaded-gc',
      `--test-timeout=${TEST_MS}`,
      `--test-reporter=${here('events.ts')}`,
      '--test-reporter-destination=stdout',
    ],
    // From the second run on there is no TypeScript to strip, which saves each shard half a second.
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'), ...process.env },
  })
  const silence = setTimeout(() => child.kill('SIGKILL'), SILENCE_MS)
  const page = report.open()
  child.on('message', (told: Told) => {
    silence.refresh()
    page.hear(told)
    if (told.kind !== 'ready' && told.kind !== 'end-of-file') return
    const file = queue.shift()
    if (file !== undefined) page.begin(file)
    send(child, file === undefined ? {} : { file })
  })
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once('close', (...how) => resolve(how)),
  )
  clearTimeout(silence)
  page.close(code ?? signal ?? 'nothing')
}

/** If the shard has ended meanwhile, its `close` tells it. */
function send(child: ChildProcess, order: Order): void {
  child.send(order, () => {})
}
