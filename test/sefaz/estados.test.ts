import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CasoImposto } from '../../simulator/sefaz/clima.ts'
import { autorizadores } from '../../src/sefaz/rules.ts'
import { RODADA_MS, startMonitor, todosOsCodigos } from '../kit/sefaz-rounds.ts'

/** Lets the time of all answers of a round pass at once, when all questions have come. */
function juntos() {
  let waiting: (() => void)[] = []
  return (ms: number, relogio: { instant: number }) =>
    new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length < autorizadores.length) return
      relogio.instant += ms
      for (const go of waiting) go()
      waiting = []
    })
}

const lentos: [ms: number, esperado: string][] = [
  [300, '27: 1 0.3'],
  [1_994, '27: 1 1.99'],
  [2_000, '27: 2 2'],
  [5_990, '27: 2 5.99'],
  [6_000, '27: 3 6'],
  [29_990, '27: 3 29.99'],
  // All time-outs at once are our own network: nothing is known.
  [30_000, '27: 0 0'],
  [120_000, '27: 0 0'],
]

for (const [ms, esperado] of lentos)
  test(`all 27 states of each document when every authorizer answers after ${ms} ms`, async (t) => {
    const monitor = await startMonitor(t, { esperar: juntos() })
    monitor.impor({ padrao: { caso: 'lento', ms } })
    const { rodada, leituras } = await monitor.rodada()
    const met = ms < 30_000 ? 'resposta' : 'timeout'
    assert.deepEqual(new Set(leituras.map(({ resultado }) => resultado)), new Set([met]))
    assert.deepEqual(todosOsCodigos(monitor.nos[0]), [esperado])
    assert.equal(rodada.fim - rodada.em, ms)
  })

const casos: [caso: CasoImposto, esperado: string][] = [
  ['108', '27: 4 0'],
  ['109', '27: 4 0'],
  ['113', '27: 4 0'],
  ['114', '27: 4 0'],
  ['656', '27: 4 0'],
  ['fault', '27: 4 0'],
  ['http-403', '27: 4 0'],
  ['http-500', '27: 4 0'],
  ['html', '27: 4 0'],
  ['malformado', '27: 4 0'],
  ['recusa-tls', '27: 4 0'],
  ['corte', '27: 4 0'],
]

test('all 27 states of each document in every way in which an authorizer may fail', async (t) => {
  const monitor = await startMonitor(t)
  const [house] = monitor.nos
  assert.equal(house.rooms.sefaz.monitor.quadro(), undefined)
  for (const [caso, esperado] of casos) {
    monitor.impor({ padrao: caso })
    monitor.relogio.instant += 70 * 60_000
    const { leituras } = await monitor.rodada()
    assert.equal(leituras.length, 27)
    assert.deepEqual(todosOsCodigos(house), [esperado], String(caso))
  }
  // Older than three rounds, a reading is none.
  monitor.relogio.instant += 3 * RODADA_MS
  assert.deepEqual(todosOsCodigos(house), ['27: 4 0'])
  monitor.relogio.instant += 1
  assert.deepEqual(todosOsCodigos(house), ['27: 0 0'])
})
