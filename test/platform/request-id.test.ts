import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newRequestId } from '../../src/platform/jobs/kind.ts'

const START = Date.parse('2026-11-29T12:00:00.000Z')

test('a request has a UUID 7 (RFC 9562): the millisecond, and 74 random bits', () => {
  // Ids of one millisecond, of later ones, and of a clock that was set back.
  const instants = Array.from({ length: 20_000 }, (_, n) => START + Math.floor(n / 50) - (n % 3))
  const ids = instants.map((ms) => newRequestId(new Date(ms)))
  assert.equal(new Set(ids).size, ids.length)
  for (const [n, id] of ids.entries()) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(Number.parseInt(id.replace('-', '').slice(0, 12), 16), instants[n])
  }
  const digitsAt = (place: number) => new Set(ids.map((id) => id[place])).size
  for (const place of [15, 16, 17, 20, 21, 22, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35])
    assert.equal(digitsAt(place), 16, `each digit stands at ${place}`)
  assert.equal(digitsAt(19), 4, 'each variant')
})
