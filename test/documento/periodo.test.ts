import assert from 'node:assert/strict'
import { test } from 'node:test'
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
