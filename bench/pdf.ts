/**
 * Measures how long the reading of one federal certificate takes, each producer's kind by turns, and the
 * memory of the process meanwhile: `node bench/pdf.ts [certificates]`.
 */
import { leitura, linhasDe, produtores } from '../test/kit/papers.ts'
import { report } from './figures.ts'
import { loadNow, machineLine, median } from './machine.ts'
import { fromTree } from './tree.ts'

const { readCertidaoFederal } = await fromTree<typeof import('../src/federal/source-certidao.ts')>(
  'src/federal/source-certidao.ts',
)

const [certificates = 2_000] = process.argv.slice(2).map(Number)
const WARM_UP = 20
const PARTS = 5
const MIB = 1024 * 1024

const papers: [name: string, pdf: Buffer, times: number[]][] = []
for (const [name, produzir] of Object.entries(produtores)) papers.push([name, await produzir(linhasDe()), []])

async function read(pdf: Buffer): Promise<number> {
  const started = performance.now()
  await readCertidaoFederal(pdf, leitura())
  return performance.now() - started
}

console.log(`${machineLine()}, load ${loadNow()}`)
for (let round = 0; round < WARM_UP; round++) for (const [, pdf] of papers) await read(pdf)
const memory: string[] = [`${Math.round(process.memoryUsage.rss() / MIB)}`]
for (let count = 1; count <= certificates; count++) {
  const paper = papers[count % papers.length]
  if (paper) paper[2].push(await read(paper[1]))
  if (count % Math.ceil(certificates / PARTS) === 0)
    memory.push(`${Math.round(process.memoryUsage.rss() / MIB)}`)
}
for (const [name, pdf, times] of papers)
  console.log(
    `${name} (${pdf.length} bytes): ${median(times).toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)} ms`,
  )
const all = papers.flatMap(([, , times]) => times)
report('a certificate', median(all), 'ms')
console.log(`memory, before and after each of ${PARTS} parts: ${memory.join(', ')} MB`)
process.exit()
