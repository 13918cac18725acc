import { execFileSync } from 'node:child_process'
import { cpus, loadavg, totalmem } from 'node:os'

/** Describes the machine in one line. Every figure must be quoted with it. */
export function machineLine(): string {
  const cores = cpus()
  const gib = Math.round(totalmem() / 2 ** 30)
  return `${cores.length} × ${cores[0]?.model.trim() ?? 'CPU desconhecida'}, ${gib} GiB, Node ${process.version}`
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] =
    sorted.length % 2 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1, middle + 1)
  return (low + high) / 2
}

/** How busy the machine was in its last minute. On a busy one the clock says little, CPU time more. */
export const loadNow = (): string => loadavg()[0]?.toFixed(1) ?? ''

/** The commit of a tree, with a plus where its files differ from it. */
export function commitOf(tree: string): string {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', tree, ...args], { encoding: 'utf8' }).trim()
  return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '-uno') === '' ? '' : '+')
}
