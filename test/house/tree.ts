import { globSync, readFileSync } from 'node:fs'
import { dirname, normalize } from 'node:path'

/** Files of the repository, by path. */
export type Files = ReadonlyMap<string, string>

/** Reads the files that a pattern names. */
export const readFiles = (pattern: string): Files =>
  new Map(globSync(pattern).map((path) => [path, readFileSync(path, 'utf8')]))

/** The files that a file imports, types included, from the folders of the repository. */
export const importsIn = (path: string, text: string): string[] =>
  [...text.matchAll(/(?:from |import\(|import )'(\.\.?\/[^']+)'/g)].map(([, to = '']) =>
    normalize(`${dirname(path)}/${to}`),
  )

/** Everything that `starts` reach, themselves included. */
export function reach<T>(starts: Iterable<T>, nextOf: (one: T) => Iterable<T>): Set<T> {
  const reached = new Set(starts)
  // A set that grows while it is read gives what was added, too.
  for (const one of reached) for (const next of nextOf(one)) reached.add(next)
  return reached
}
