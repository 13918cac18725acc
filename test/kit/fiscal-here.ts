import { main } from '../../src/cli/main.ts'
import type { Said } from './processes.ts'

/** What a command finds around it. Its settings are these alone, and `cwd` is the folder it is called in. */
type Around = { env?: Record<string, string>; cwd?: string }

/** Unwinds a command that ends its process. */
class Ended extends Error {}

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs the `fiscal` command in this process: without a terminal, and for a tenth of what a process costs.
 * Calls at once run one after another.
 */
export const fiscalHere = (around: Around, ...args: string[]): Promise<Said> =>
  hear(() => main([process.execPath, 'fiscal', ...args]), around)

/** Gives what `work` writes, and the exit code that it sets or ends with. */
export function hear(work: () => Promise<unknown>, around: Around = {}): Promise<Said> {
  const run = last.then(() => hearNow(work, around))
  last = run.catch(() => {})
  return run
}

async function hearNow(work: () => Promise<unknown>, { env = {}, cwd }: Around): Promise<Said> {
  const said: Said = { code: 0, stdout: '', stderr: '' }
  const before = { env: process.env, exit: process.exit, exitCode: process.exitCode, cwd: process.cwd() }
  const mask = process.umask()
  const streams = (['stdout', 'stderr'] as const).map((name) => silence(name, (text) => (said[name] += text)))
  const input = setTerminal(process.stdin)
  const ends: { code?: number | undefined } = {}
  try {
    process.env = { PATH: process.env.PATH, ...env }
    process.exitCode = undefined
    process.exit = (code) => {
      ends.code ??= Number(code ?? process.exitCode ?? 0)
      // What comes after is of a process that is over.
      for (const restore of streams) restore.ignore()
      throw new Ended()
    }
    if (cwd) process.chdir(cwd)
    await work().catch((error) => {
      if (!(error instanceof Ended)) throw error
    })
    said.code = ends.code ?? Number(process.exitCode ?? 0)
    return said
  } finally {
    Object.assign(process, { env: before.env, exit: before.exit, exitCode: before.exitCode })
    process.chdir(before.cwd)
    process.umask(mask)
    for (const { restore } of streams) restore()
    input()
  }
}

/** Hears what is written as text. A reporter of tests writes bytes, which pass. */
function silence(name: 'stdout' | 'stderr', tell: (text: string) => void) {
  const stream = process[name]
  const { write } = stream
  const own = Object.hasOwn(stream, 'write')
  const terminal = setTerminal(stream)
  let isOver = false
  stream.write = (chunk: unknown, ...rest: unknown[]): boolean => {
    if (typeof chunk !== 'string') return Reflect.apply(write, stream, [chunk, ...rest])
    if (!isOver) tell(chunk)
    const done = rest.find((one) => typeof one === 'function')
    if (done) process.nextTick(done)
    return true
  }
  return {
    ignore: () => {
      isOver = true
    },
    restore: () => {
      if (own) stream.write = write
      else Reflect.deleteProperty(stream, 'write')
      terminal()
    },
  }
}

/** Takes the terminal from a stream. Gives what gives it back. */
function setTerminal(stream: { isTTY?: boolean }): () => void {
  const kept = Object.getOwnPropertyDescriptor(stream, 'isTTY')
  Object.defineProperty(stream, 'isTTY', { value: false, configurable: true, writable: true })
  return () => {
    if (kept) Object.defineProperty(stream, 'isTTY', kept)
    else Reflect.deleteProperty(stream, 'isTTY')
  }
}
