/**
 * A bench by turns for this tree and for another, each round in new processes: `npm run bench -- <name>
 * [arguments] --contra <folder> [--rodadas 5]`. It prints each figure's medians and the ratios of the pairs.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { benches } from './benches.ts'
import { type Figure, formatFigure, runBench } from './figures.ts'
import { commitOf, loadNow, machineLine, median } from './machine.ts'

const LIMIT_MS = 900_000
const here = join(import.meta.dirname, '..')

const [name = '', ...args] = process.argv.slice(2)
/** Takes an option and its value out of the arguments; the rest is for the bench. */
function take(option: string): string | undefined {
  const at = args.indexOf(option)
  return at < 0 ? undefined : args.splice(at, 2)[1]
}
const other = resolve(take('--contra') ?? '')
const rounds = Number(take('--rodadas') ?? 5)
const short = benches[name]?.short
if (!short) throw new Error(`${name} tells no figures that could be compared`)
if (!existsSync(join(other, 'src/server.ts'))) throw new Error(`${other} has no src/server.ts`)

const runs = args.length > 0 ? [args] : short
const before = `${machineLine()}; ${commitOf(here)} beside ${commitOf(other)}, ${rounds} rounds by turns, load ${loadNow()}`
const measured: { mine: Figure[]; theirs: Figure[] }[] = []

async function measure(tree?: string): Promise<Figure[]> {
  console.log(`\n== ${tree ?? here}`)
  const figures: Figure[] = []
  for (const run of runs) figures.push(...(await runBench(name, run, { tree, limitMs: LIMIT_MS })))
  return figures
}

for (let round = 0; round < rounds; round++) {
  // The first finds the machine as others left it.
  const early = round % 2 ? await measure(other) : undefined
  const mine = await measure()
  measured.push({ mine, theirs: early ?? (await measure(other)) })
}

const told = (figures: readonly Figure[], wanted: string): number =>
  figures.find((figure) => figure.name === wanted)?.value ?? Number.NaN

console.log(`\n${before}, then ${loadNow()}`)
console.table(
  (measured[0]?.mine ?? []).map((figure) => {
    const pairs = measured.map(({ mine, theirs }) => [told(mine, figure.name), told(theirs, figure.name)])
    const ratios = pairs.map(([a = 0, b = 0]) => a / b)
    return {
      figure: figure.name,
      unit: figure.unit,
      this: formatFigure(median(pairs.map(([a = 0]) => a))),
      other: formatFigure(median(pairs.map(([, b = 0]) => b))),
      'this ÷ other': median(ratios).toFixed(3),
      least: Math.min(...ratios).toFixed(3),
      most: Math.max(...ratios).toFixed(3),
    }
  }),
)
