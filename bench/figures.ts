import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A figure that a bench found. Its name is unique in the bench. */
export type Figure = { name: string; value: number; unit: string }

/** Three digits at least where a figure is small, none after the point where it is large. */
export const formatFigure = (value: number): string =>
  Math.abs(value) >= 1_000
    ? Math.round(value).toLocaleString('en-US')
    : value.toPrecision(3).replace(/^(-?\d+)\.0*$/, '$1')

/** Prints a figure, and hands it to whoever started this bench for its figures. */
export function report(name: string, value: number, unit: string): void {
  console.log(`${name}: ${formatFigure(value)} ${unit}`.trimEnd())
  const { FIGURES } = process.env
  if (FIGURES) appendFileSync(FIGURES, `${JSON.stringify({ name, value, unit })}\n`)
}

/**
 * Runs a bench for its figures, of this tree or of another. Throws an Error if it fails, or lasts longer than
 * `limitMs`: then all that it started is ended with it.
 */
export async function runBench(
  name: string,
  args: readonly string[],
  { tree, limitMs }: { tree?: string | undefined; limitMs: number },
): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-figures-'))
  const file = join(folder, 'figures')
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...args], {
    env: { ...process.env, FIGURES: file, ...(tree && { TREE: tree }) },
    stdio: ['ignore', 'inherit', 'inherit'],
    // A group of its own, so that all of it can be ended.
    detached: true,
  })
  const end = (): void => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // Nothing of it is left.
    }
  }
  const interrupted = (): void => {
    end()
    process.exit(1)
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  const timer = setTimeout(end, limitMs)
  try {
    const [code, signal] = await once(child, 'exit')
    if (signal !== null) throw new Error(`${name} did not end in ${limitMs / 1000} s`)
    if (code !== 0) throw new Error(`${name} ended with ${code}`)
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
    return lines.map((line) => JSON.parse(line))
  } finally {
    clearTimeout(timer)
    // A bench that failed has left its servers.
    end()
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    rmSync(folder, { recursive: true, force: true })
  }
}
