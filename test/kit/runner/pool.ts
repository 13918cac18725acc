import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Order, Report, Told, Weight } from './report.ts'

/** What a shard may hold when it takes another file: a fuller one ends, and a new one takes the rest. */
const MOST_BYTES = 750_000_000

/** How often all processes are weighed. What a shard itself takes is seen after each file too. */
const WEIGH_MS = 1_000

const root = join(import.meta.dirname, '../../..')
const here = (file: string): string => join(import.meta.dirname, file)

type Run = { testMs: number; report: Report; heapMb?: number; env?: Record<string, string> }

/**
 * Runs all files in `shards` processes at once, each of which gets its next file when it ends the last one.
 * `testMs` is the time limit of a test, `heapMb` what V8 may keep in a process, and `env` what the processes
 * are told besides.
 */
export async function runFiles(files: string[], { shards, ...run }: Run & { shards: number }): Promise<void> {
  const queue = [...files]
  const keepOne = async (): Promise<void> => {
    // A shard that breaks down loses the file that it ran. Another shard takes the rest.
    while (queue.length > 0) {
      const before = queue.length
      await runShard(queue, run)
      // The shard could not even begin, so the next one would not either.
      if (queue.length === before) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(shards, files.length) }, keepOne))
}

/** Resolves when the process ended: the queue is empty, it has grown too much, or it broke down. */
async function runShard(queue: string[], { testMs, report, heapMb, env = {} }: Run): Promise<void> {
  const child = fork(here('shard.ts'), {
    execArgv: [
      `--import=${here('follow.ts')}`,
      // The shards have no core to spare for a collector, and tests make much garbage and keep little.
      '--max-semi-space-size=32',
      '--single-threaded-gc',
      // With gigabytes to spare V8 would rather grow than collect what the last file has left.
      ...(heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`]),
      `--test-timeout=${testMs}`,
      `--test-reporter=${here('events.ts')}`,
      '--test-reporter-destination=stdout',
    ],
    env: {
      // From the second run on there is no TypeScript to strip, which saves each shard half a second.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
      // glibc keeps an arena for each thread, and gives little of it back.
      MALLOC_ARENA_MAX: '1',
      MALLOC_TRIM_THRESHOLD_: '262144',
      ...process.env,
      ...env,
    },
  })
  // A hook has no time limit, so a shard is ended when it is silent for much longer than a test may take.
  const silence = setTimeout(() => child.kill('SIGKILL'), 2.5 * testMs)
  const page = report.open()
  const weigh = (): void => weightsFrom(String(child.pid)).forEach(page.weigh)
  const scales = setInterval(weigh, WEIGH_MS)
  child.on('message', (told: Told) => {
    silence.refresh()
    if (told.kind === 'end-of-file') weigh()
    page.hear(told)
    if (told.kind !== 'ready' && told.kind !== 'end-of-file') return
    const isFull = told.kind === 'end-of-file' && told.bytes > MOST_BYTES
    const file = isFull ? undefined : queue.shift()
    if (file !== undefined) page.begin(file)
    send(child, file === undefined ? {} : { file })
  })
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once('close', (...how) => resolve(how)),
  )
  clearTimeout(silence)
  clearInterval(scales)
  page.close(code ?? signal ?? 'nothing')
}

/** If the shard has ended meanwhile, its `close` tells it. */
function send(child: ChildProcess, order: Order): void {
  child.send(order, () => {})
}

/**
 * The most that a process and each one below it have held, by Linux's mark of it in `/proc`. What is not
 * there, or has ended, weighs nothing.
 */
function weightsFrom(pid: string): Weight[] {
  const read = (name: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, 'utf8')
    } catch {
      return ''
    }
  }
  const bytes = 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(read('status'))?.[1] ?? 0)
  const command = read('cmdline')
    .split('\0')
    .filter((word) => !word.startsWith('--'))
    .join(' ')
    .trim()
  const below = read(`task/${pid}/children`).split(' ').filter(Boolean)
  return [{ bytes, command }, ...below.flatMap(weightsFrom)]
}
