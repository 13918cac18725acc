import { readFileSync } from 'node:fs'

/** What docs/simulator.md says before its tables. */
export const prosa = readFileSync(new URL('./prosa.md', import.meta.url), 'utf8')
