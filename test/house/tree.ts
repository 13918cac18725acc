import { globSync, readFileSync } from 'node:fs'

/** Files of the repository, by path. */
export type Files = ReadonlyMap<string, string>

/** Reads the files that a pattern names. */
export const readFiles = (pattern: string): Files =>
  new Map(globSync(pattern).map((path) => [path, readFileSync(path, 'utf8')]))
