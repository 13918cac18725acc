import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { openCatalogo } from '../../src/rejeicoes/rejeicoes.ts'
import { entradas, writeCatalogo } from '../kit/catalogo.ts'

/** A catalogue file that is followed, with a clock that the test moves and what was logged. */
function seguir(t: TestContext) {
  const { arquivo, write, remove } = writeCatalogo()
  t.after(remove)
  const clock = { instant: 1_000_000 }
  const logged: string[] = []
  const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line).msg) })
  const aberto = openCatalogo({ arquivo, now: () => new Date(clock.instant), log })
  const total = (): number | undefined => aberto.read()?.rejeicoes.length
  return { arquivo, write, clock, logged, aberto, total }
}

const READ = 'o catálogo de rejeições foi lido'
const FAILED = 'o catálogo de rejeições não pôde ser lido'

test('a catalogue file is read when it is first asked for, and never again while it is the same', (t) => {
  const { clock, logged, total } = seguir(t)
  assert.deepEqual(logged, [])
  for (let at = 0; at < 5; at++) {
    assert.equal(total(), entradas.length)
    clock.instant += 2_000
  }
  assert.deepEqual(logged, [READ])
})

test('a file that is missing or broken is logged once, however often it is asked for', (t) => {
  const { arquivo, write, clock, logged, aberto, total } = seguir(t)
  rmSync(arquivo)
  const askOften = (): void => {
    for (let at = 0; at < 5; at++) {
      assert.equal(total(), undefined)
      assert.match(aberto.falha(), /\S/)
      clock.instant += 2_000
    }
  }
  askOften()
  assert.deepEqual(logged, [FAILED])
  write('[')
  askOften()
  assert.deepEqual(logged, [FAILED, FAILED])
})

test('a file is looked at every two seconds, and at once when the clock went back', (t) => {
  const { write, clock, total } = seguir(t)
  assert.equal(total(), entradas.length)
  write(JSON.stringify(entradas.slice(1)))
  clock.instant += 1_999
  assert.equal(total(), entradas.length)
  clock.instant += 1
  assert.equal(total(), entradas.length - 1)
  write(JSON.stringify(entradas.slice(2)))
  clock.instant -= 3_600_000
  assert.equal(total(), entradas.length - 2)
})
