import { relative } from 'node:path'

/** A failed test, as a shard sends it to the runner. */
export type Failure = {
  /** The names from the suite down to the test. */
  names: string[]
  /** The place of the test, `file:line:column`. */
  place: string
  /** The error with its stack, as the console prints it. */
  error: string
}

/** The messages from a shard to the runner, in the order of the events. */
export type Told =
  | { kind: 'ready' }
  | { kind: 'test'; outcome: 'pass' | 'skipped' | 'todo' }
  | { kind: 'test'; outcome: 'fail'; failure: Failure }
  | { kind: 'remark'; text: string }
  /** `bytes` is what the process holds of the memory. */
  | { kind: 'end-of-file'; bytes: number }

/** The runner's answer to `ready` and to `end-of-file`. Without a file the shard must end. */
export type Order = { file?: string }

/** The most bytes that a process has held of the memory, and what it was started as. */
export type Weight = { bytes: number; command: string }

/** The results of the tests of all shards. */
export type Report = {
  /** Opens a page for a shard. */
  open: () => Page
  /** Prints the totals. True if at least one test ran and nothing failed. */
  close: () => boolean
}

type Page = {
  /** The shard begins this file. */
  begin: (file: string) => void
  hear: (told: Told) => void
  /** A process of the shard weighs this while it runs the file. */
  weigh: (weight: Weight) => void
  /** The shard ended, with this exit code or by this signal. */
  close: (end: number | string) => void
}

const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000)

/**
 * Writes a line for each file that ended, and each failure in full at once. A process that takes more than
 * `mostBytes` of the memory is a failure too.
 */
export function createReport(write: (text: string) => void, { mostBytes }: { mostBytes: number }): Report {
  const counts = { tests: 0, pass: 0, fail: 0, skipped: 0, todo: 0 }
  const failures: Failure[] = []
  let heaviest = { bytes: 0, command: '', file: '' }
  const began = performance.now()
  const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(1)
  const count = (outcome: Exclude<keyof typeof counts, 'tests'>): void => {
    counts.tests += 1
    counts[outcome] += 1
  }
  const fail = (failure: Failure): void => {
    count('fail')
    failures.push(failure)
    write(`${titleOf(failure)}\n${failure.error.replace(/^/gm, '    ')}\n`)
  }

  const open = (): Page => {
    let file: { name: string; tests: number; failed: number; since: number } | undefined
    // What a file leaves behind may still grow.
    let between = 'between files'
    const breakDown = (name: string, error: string): void =>
      fail({ names: [name], place: file?.name ?? 'test/kit/runner/shard.ts', error })
    const endFile = (): void => {
      if (!file) return
      if (file.tests === 0) breakDown('a file of tests', 'It has no test.')
      const mark = file.failed + (file.tests === 0 ? 1 : 0) > 0 ? '✖' : '✔'
      write(`${mark} ${file.name} (${file.tests} tests, ${seconds(file.since)} s)\n`)
      between = `after ${file.name}`
      file = undefined
    }
    let failed = false
    return {
      begin: (name) => {
        file = { name: relative(process.cwd(), name), tests: 0, failed: 0, since: performance.now() }
      },
      hear: (told) => {
        if (told.kind === 'ready') return
        if (told.kind === 'remark') return write(`ℹ ${told.text}\n`)
        if (told.kind === 'end-of-file') return endFile()
        if (file) file.tests += 1
        if (told.outcome !== 'fail') return count(told.outcome)
        failed = true
        if (file) file.failed += 1
        fail(told.failure)
      },
      weigh: ({ bytes, command }) => {
        if (bytes > heaviest.bytes) heaviest = { bytes, command, file: file?.name ?? between }
      },
      close: (end) => {
        if (file) breakDown('a shard broke down', `It ended with ${end} while it ran this file.`)
        else if (end !== 0 && !failed)
          breakDown('a shard broke down', `It ended with ${end} after its tests.`)
      },
    }
  }

  const close = (): boolean => {
    const { bytes, command, file } = heaviest
    if (bytes > mostBytes)
      fail({
        names: ['a process took too much memory'],
        place: file,
        error: `${megabytes(bytes)} MB, and ${megabytes(mostBytes)} are the most: ${command}`,
      })
    if (failures.length > 0) write(`\nWhat failed:\n${failures.map(inShort).join('\n')}\n\n`)
    for (const [name, value] of Object.entries(counts)) write(`ℹ ${name} ${value}\n`)
    if (bytes > 0) write(`ℹ memory_mb ${megabytes(bytes)} (${file}: ${command})\n`)
    write(`ℹ duration_ms ${Math.round(performance.now() - began)}\n`)
    return counts.tests > 0 && counts.fail === 0
  }
  return { open, close }
}

/** Who reads the end of a long run alone has to see why it failed too. */
const LINES = 12

const inShort = (failure: Failure): string => {
  const said = failure.error.split('\n').filter((line) => !/^\s+at /.test(line))
  return [titleOf(failure), ...said.slice(0, LINES).map((line) => `    ${line}`)].join('\n')
}

const titleOf = ({ names, place }: Failure): string => `✖ ${names.join(' > ')}\n  ${place}`
