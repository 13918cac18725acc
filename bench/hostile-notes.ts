/**
 * Times the diagnosis of notes with many equal elements, in the thread of the caller: twice the elements
 * should take twice the time. Prints the median of some rounds: `node bench/hostile-notes.ts [rounds]`.
 */
import { readFileSync } from 'node:fs'
import { makeLaudo } from '../src/rejeicoes/diagnostico/laudo.ts'
import { machineLine, median } from './machine.ts'

const [rounds = 3] = process.argv.slice(2).map(Number)
const catalogo = new URL('../data/rejeicoes.json', import.meta.url).pathname
const nota = readFileSync(new URL('../data/rejeicoes/notas/venda-interna.xml', import.meta.url), 'utf8')
const agora = new Date('2026-11-24T12:00:00Z')

/** The note with so many more elements of one kind before `place`. */
const hostil = (element: string, place: string, many: number): string =>
  nota.replace(place, element.repeat(many) + place)

const kinds = {
  'items more than a note may have': (many: number) => hostil('<det/>', '<total>', many),
  'groups in the wrong order': (many: number) => hostil('<ide/>', '</infNFe>', many),
}

console.log(machineLine())
for (const [name, make] of Object.entries(kinds))
  for (const many of [10_000, 20_000, 40_000, 60_000]) {
    const xml = make(many)
    const times = Array.from({ length: rounds }, () => {
      const started = performance.now()
      makeLaudo({ xml, agora, catalogo })
      return performance.now() - started
    })
    console.log(`${name}, ${many}: ${(median(times) / 1000).toFixed(2)} s`)
  }
