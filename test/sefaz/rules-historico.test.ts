import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addUpPalavra, countDia, totalize } from '../../src/sefaz/rules-historico.ts'
import type { DiaSefaz } from '../../src/sefaz/rules-rodada.ts'

const dia = (rest: Partial<DiaSefaz> = {}): DiaSefaz => ({
  autorizador: 'nfe-sp',
  dia: '2026-11-14',
  leituras: 0,
  erros: 0,
  timeouts: 0,
  tempos: new Uint16Array(),
  confirmadas: 0,
  desmentidas: 0,
  ...rest,
})

test('of no reading there is neither availability nor a time', () => {
  for (const dias of [[], [dia()], [dia(), dia()]])
    assert.deepEqual(totalize(dias), {
      leituras: 0,
      erros: 0,
      timeouts: 0,
      disponibilidade: null,
      p50: null,
      p95: null,
    })
})

test('availability has two decimals, and is never 100 while there is a failure nor 0 while there is an answer', () => {
  const of = (leituras: number, erros: number, timeouts = 0) =>
    totalize([dia({ leituras, erros, timeouts })]).disponibilidade
  assert.equal(of(3, 0), 100)
  assert.equal(of(3, 1), 66.67)
  assert.equal(of(8, 1, 2), 62.5)
  assert.equal(of(64_800, 1), 99.99)
  assert.equal(of(64_800, 64_799), 0.01)
  assert.equal(of(64_800, 64_800), 0)
})

test('percentiles are those of all times together, by nearest rank, however the days share them out', () => {
  const days = fc.array(fc.array(fc.integer({ min: 0, max: 65_535 }), { maxLength: 30 }), { maxLength: 5 })
  fc.assert(
    fc.property(days, (lists) => {
      const { p50, p95 } = totalize(lists.map((times) => dia({ tempos: Uint16Array.from(times).sort() })))
      const all = lists.flat().sort((a, b) => a - b)
      const rank = (share: number) => all.find((_, i) => (i + 1) / all.length >= share) ?? null
      assert.deepEqual([p50, p95], [rank(0.5), rank(0.95)])
    }),
  )
})

test('a day has its times in ascending order, and one that is longer than a day can tell is the longest', () => {
  const leituras = [70_000, 300, 100].map((respostaMs) => ({
    resultado: 'resposta' as const,
    respostaMs,
    cStat: 107,
    desmentida: null,
  }))
  const { tempos } = countDia({ autorizador: 'nfe-sp', dia: '2026-11-14' }, leituras)
  assert.deepEqual([...tempos], [100, 300, 65_535])
})

test('the authority’s own word is the share that was disproved of the readings that could be checked', () => {
  const said = [dia({ leituras: 900, confirmadas: 199, desmentidas: 1 }), dia({ confirmadas: 100 })]
  assert.deepEqual(addUpPalavra(said), { conferidas: 300, desmentidas: 1, desmentida: 0.33 })
  assert.deepEqual(addUpPalavra([dia({ leituras: 9 })]), {
    conferidas: 0,
    desmentidas: 0,
    desmentida: null,
  })
})
