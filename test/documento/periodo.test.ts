import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextRenewal, periodoOf } from '../../src/documento/dia.ts'

test('the month turns at midnight in Brasília, three hours after midnight UTC', () => {
  assert.equal(periodoOf(new Date('2026-12-01T02:59:59.999Z')), '2026-11')
  assert.equal(periodoOf(new Date('2026-12-01T03:00:00Z')), '2026-12')
  assert.equal(periodoOf(new Date('2027-01-01T02:59:59.999Z')), '2026-12')
})

test('the next renewal is the first instant of the next month, over the end of a year too', () => {
  assert.equal(nextRenewal(new Date('2026-11-30T23:00:00Z')).toISOString(), '2026-12-01T03:00:00.000Z')
  assert.equal(nextRenewal(new Date('2026-12-01T02:59:59Z')).toISOString(), '2026-12-01T03:00:00.000Z')
  assert.equal(nextRenewal(new Date('2026-12-31T12:00:00Z')).toISOString(), '2027-01-01T03:00:00.000Z')
})

/** From another source than ours: the calendar of the machine's time zones. */
const calendar = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  year: 'numeric',
  month: '2-digit',
})

const instantes = fc.date({
  min: new Date('2020-01-01T03:00:00Z'),
  max: new Date('2040-12-31T00:00:00Z'),
  noInvalidDate: true,
})

test('a month in Brasília begins at its midnight, and the quota renews when it ends, in any order of questions', () => {
  fc.assert(
    fc.property(fc.array(instantes, { minLength: 1 }), (asked) => {
      for (const instant of asked) {
        assert.equal(periodoOf(instant), calendar.format(instant))
        const renewal = nextRenewal(instant)
        assert.ok(renewal > instant)
        assert.equal(calendar.format(new Date(renewal.getTime() - 1)), calendar.format(instant))
        assert.notEqual(calendar.format(renewal), calendar.format(instant))
        assert.equal(periodoOf(renewal), calendar.format(renewal), 'the first instant of the next')
        assert.equal(periodoOf(instant), calendar.format(instant), 'asked again, after a later one')
      }
    }),
  )
})
