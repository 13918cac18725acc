/**
 * All benches that have goals, short, and the table of bench/README.md from what they told. With names of
 * benches it runs those alone and writes nothing: `npm run bench -- tudo [name]...`
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { benches } from './benches.ts'
import { type Figure, runBench } from './figures.ts'
import { commitOf, loadNow, machineLine } from './machine.ts'
import { placeTable, type Ran, tableOf } from './table.ts'

/** Longer than any of the short runs takes on a busy machine. */
const LIMIT_MS = 480_000
const README = join(import.meta.dirname, 'README.md')

const only = process.argv.slice(2)
const load = loadNow()
const ran: Record<string, Ran> = {}
for (const [name, { short = [], goals }] of Object.entries(benches)) {
  if (!goals || (only.length > 0 && !only.includes(name))) continue
  const figures: Figure[] = []
  const failures: string[] = []
  for (const args of short) {
    console.log(`\n== ${name} ${args.join(' ')}`)
    try {
      figures.push(...(await runBench(name, args, { limitMs: LIMIT_MS })))
    } catch (error) {
      failures.push(String(error))
      console.error(error)
    }
  }
  ran[name] = { figures, failures }
}
const [day] = new Date().toISOString().split('T')
const table = tableOf(ran, {
  machine: machineLine(),
  day: day ?? '',
  commit: commitOf(join(import.meta.dirname, '..')),
  load: `${load} at the start, ${loadNow()} at the end`,
})
console.log(`\n${table}`)
if (only.length === 0) writeFileSync(README, placeTable(readFileSync(README, 'utf8'), table))
