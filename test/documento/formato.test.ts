import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateFormat, listFormat, numberFormat } from '../../src/documento/formato.ts'
import { thousands } from '../../src/platform/texto.ts'

test('a format that is made with its first use says what ICU says, each time', () => {
  const instant = new Date('2026-11-28T02:30:00Z')
  const dia = dateFormat({ dateStyle: 'short' })
  const mes = dateFormat({ timeZone: 'UTC', month: 'long', year: 'numeric' })
  for (const when of [instant, instant.getTime()]) assert.equal(dia.format(when), '27/11/2026')
  assert.equal(mes.format(instant), 'novembro de 2026')
  assert.equal(numberFormat({ maximumFractionDigits: 1 }).format(1234.56), '1.234,6')
  assert.equal(listFormat('conjunction').format(['a', 'b', 'c']), 'a, b e c')
  assert.equal(listFormat('disjunction').format(['a', 'b']), 'a ou b')
})

test('a whole number has the points that ICU gives it', () => {
  for (const value of [0, 7, 100, 999, 1000, 3507, 99_999, 100_000, 1_234_567, -507, -3507, 2 ** 40])
    assert.equal(thousands(value), value.toLocaleString('pt-BR'))
})
