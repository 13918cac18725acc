/**
 * Measures how long the reading of one federal certificate takes, each producer's kind by turns, and the
 * memory of the process meanwhile: `node bench/pdf.ts [certificates]`.
 */
import { loadavg } from 'node:os'
import { readCertidaoFederal } from '../src/federal/source-certidao.ts'
import { leitura, linhasDe, produtores } from '../test/kit/papers.ts'
import { machineLine, median } from './machine.ts'

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

console.log(`${machineLine()}, load ${loadavg()[0]?.toFixed(1)}`)
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
console.log(`all ${all.length}: median ${median(all).toFixed(1)} ms`)
console.log(`memory, before and after each of ${PARTS} parts: ${memory.join(', ')} MB`)
process.exit()
