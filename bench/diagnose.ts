/**
 * Measures the diagnosis of notes of 5 kB, 50 kB and 800 kB in a thread, and through the pool; how long the
 * event loop stood still meanwhile; memory. Usage: node bench/diagnose.ts [rounds] [notes of the memory run]
 */
import { loadavg } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { diagnose } from '../src/rejeicoes/diagnostico/diagnostico.ts'
import { makeLaudo } from '../src/rejeicoes/diagnostico/laudo.ts'
import { AGORA, notaDeItens } from '../test/kit/rejeicoes.ts'
import { machineLine, median } from './machine.ts'

const [rounds = 30, notes = 300] = process.argv.slice(2).map(Number)
const PARTS = 5
const MIB = 1024 * 1024
const catalogo =
  process.env.REJEICOES_FILE ?? fileURLToPath(new URL('../data/rejeicoes.json', import.meta.url))

async function timeDiagnosis(xml: string): Promise<number> {
  const started = performance.now()
  const { suspeitas, assinatura } = await diagnose({ xml, agora: AGORA, catalogo }, { owner: 'bench' })
  if (suspeitas.length > 0 || assinatura.situacao !== 'valida')
    throw new Error('the note is good, and is refused')
  return performance.now() - started
}

console.log(`${machineLine()}, load ${loadavg()[0]?.toFixed(1)}`)
/** What the work itself takes, without the way to a thread and back. */
function measureInThread(xml: string): string {
  const times: number[] = []
  // A small note is diagnosed more often, until its code is compiled.
  const often = Math.max(rounds, Math.min(2000, Math.round(2e7 / xml.length)))
  for (let round = 0; round < often + 20; round++) {
    const started = performance.now()
    makeLaudo({ xml, agora: AGORA, catalogo })
    if (round >= 20) times.push(performance.now() - started)
  }
  return `least ${Math.min(...times).toFixed(2)} ms, median ${median(times).toFixed(2)} ms`
}

const small = await notaDeItens(55)
for (const xml of [await notaDeItens(1), small, await notaDeItens(980)]) {
  console.log(`${Math.round(xml.length / 1000)} kB in the thread: ${measureInThread(xml)}`)
  const first = await timeDiagnosis(xml)
  for (let round = 0; round < 10; round++) await timeDiagnosis(xml)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await timeDiagnosis(xml))
  delay.disable()
  console.log(
    `${Math.round(xml.length / 1000)} kB, ${xml.split('<det ').length - 1} items: least ${Math.min(...times).toFixed(1)} ms, median ${median(times).toFixed(1)} ms, ` +
      `at most ${Math.max(...times).toFixed(1)} ms, first ${first.toFixed(0)} ms; ` +
      `the loop stood still for at most ${(delay.max / 1e6).toFixed(1)} ms`,
  )
}
const memory: number[] = [process.memoryUsage.rss()]
for (let count = 1; count <= notes; count++) {
  await timeDiagnosis(small)
  if (count % Math.ceil(notes / PARTS) === 0) memory.push(process.memoryUsage.rss())
}
console.log(
  `memory, before and after each of ${PARTS} parts of ${notes} notes: ${memory.map((bytes) => Math.round(bytes / MIB)).join(', ')} MB`,
)
process.exit()
