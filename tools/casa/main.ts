/**
 * The figures of the house beside their targets, with the worst of each. Usage: node tools/casa/main.ts
 * [--piores 3] [--ao-vivo] [--exigir] [--raiz FOLDER]
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureLive } from './ao-vivo.ts'
import { measureTree } from './medidas.ts'
import { judge, rowOf } from './metas.ts'

const { values } = parseArgs({
  options: {
    /** How many of the worst are shown for each measure that misses its target. */
    piores: { type: 'string', default: '3' },
    /** Also starts the service, and measures what runs for one call. */
    'ao-vivo': { type: 'boolean', default: false },
    /** Ends with 1 if a target is missed that no exception accepts. */
    exigir: { type: 'boolean', default: false },
    /** The repository that is measured. */
    raiz: { type: 'string', default: join(import.meta.dirname, '../..') },
  },
})

const medidas = [...measureTree(values.raiz), ...(values['ao-vivo'] ? await measureLive(values.raiz) : [])]
for (const medida of medidas) {
  const [what = '', now = '', target = '', verdict = ''] = rowOf(medida, values.raiz)
  console.log(`${what.padEnd(42)}${now.padStart(8)}  ${target.padEnd(12)}${verdict}`.trimEnd())
  if (verdict !== 'met')
    for (const line of medida.worst.slice(0, Number(values.piores))) console.log(`    ${line}`)
}
const missed = medidas.filter((medida) => judge(medida, values.raiz) === 'missed')
if (values.exigir && missed.length > 0) process.exitCode = 1
