import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export type Program = {
  child: ChildProcess
  /** All that it wrote so far. */
  said: () => string
  /** Resolves when it wrote a text that matches, or ended. */
  says: (pattern: RegExp) => Promise<void>
  /** Its exit code, once it ended. */
  ended: Promise<number | null>
  /** Ctrl-C; resolves with the exit code. */
  stop: () => Promise<number | null>
}

/**
 * Starts `file` of `bin/` (or any program of ours) as a user does, with only these settings. `detached` gives
 * it a process group of its own.
 */
export function startProgram(
  file: string,
  args: string[],
  cwd: string,
  env: Record<string, string>,
  { node = [], detached = false }: { node?: string[]; detached?: boolean } = {},
): Program {
  const child = spawn(process.execPath, [...node, join(root, file), ...args], {
    cwd,
    detached,
    env: { PATH: process.env.PATH, ...env },
  })
  let text = ''
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const check of waiting) check()
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk
      wake()
    })
  }
  const says = (pattern: RegExp) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!pattern.test(text)) return
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
      check()
      void ended.then(() => resolve())
    })
  const stop = () => {
    child.kill('SIGINT')
    return ended
  }
  return { child, said: () => text, says, ended, stop }
}
