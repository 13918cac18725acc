import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  fimDoPrazo,
  formatPrazo,
  inicioDoMes,
  mesesDepois,
  noPrazo,
} from '../../src/nfe/rules-manifestacao.ts'

test('a window ends at the same time of day, its last second included', () => {
  const de = new Date('2026-02-20T10:20:30-03:00')
  assert.equal(fimDoPrazo(de, 10).toISOString(), '2026-03-02T13:20:30.000Z')
  assert.equal(noPrazo(de, 10, new Date('2026-03-02T10:20:30.999-03:00')), true)
  assert.equal(noPrazo(de, 10, new Date('2026-03-02T10:20:31-03:00')), false)
})

test('the end of a window is told to the second, in Brasília', () => {
  assert.equal(formatPrazo(new Date('2027-01-01T02:59:59Z')), '31/12/2026, 23:59:59 (horário de Brasília)')
})

test('a month later is the same day, or the last one of a shorter month, in Brasília', () => {
  const rows = [
    ['2026-01-31T12:00:00-03:00', 1, '2026-02-28T12:00:00-03:00'],
    ['2026-12-31T23:30:00-03:00', 2, '2027-02-28T23:30:00-03:00'],
    ['2026-10-31T00:00:00-03:00', 3, '2027-01-31T00:00:00-03:00'],
  ] as const
  for (const [de, meses, expected] of rows)
    assert.equal(mesesDepois(new Date(de), meses).getTime(), Date.parse(expected), de)
})

test('months later never go back, and never past the month that is meant', () => {
  const day = fc.date({ min: new Date('2020-01-01Z'), max: new Date('2040-01-01Z'), noInvalidDate: true })
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 30 }), (de, meses) => {
      const days = (mesesDepois(de, meses).getTime() - de.getTime()) / 86_400_000
      assert.ok(days >= meses * 30.43 - 4 && days <= meses * 30.5 + 2, `${days}`)
    }),
  )
})

test('a month begins at midnight in Brasília, and the 13th is January', () => {
  assert.equal(inicioDoMes(2026, 11).toISOString(), '2026-11-01T03:00:00.000Z')
  assert.equal(inicioDoMes(2026, 13).toISOString(), '2027-01-01T03:00:00.000Z')
})
