import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { House } from '../harness.ts'

/** A question that is refused: what is wrong with it, its query, the code, and what the words must say. */
export type Fault = [name: string, query: string, code: string, says: RegExp]

/** Each is refused with its code and in words, and costs nothing. */
export function testFaults(house: () => House, path: string, faults: readonly Fault[]): void {
  for (const [name, query, code, says] of faults) {
    test(`${code}: ${name}`, async () => {
      const { status, headers, body } = await house().ask(`${path}?${query}`)
      assert.equal(status, 400)
      assert.equal(body.error_code, code)
      assert.match(String(body.detail), says)
      assert.equal(headers.get('x-credits-charged'), '0')
    })
  }
}

/** Who asks, and how often, is looked at before what is asked. */
export function testWhoAsksFirst(house: () => House, path: string): void {
  test('401 and 429 come before everything else', async () => {
    const { ask, open, ctx } = house()
    assert.equal((await ask(path, { key: null })).status, 401)
    const { key, conta } = await open('lite')
    for (let i = 0; i < 30; i++) await ctx.rateLimit.consume(conta)
    assert.equal((await ask(path, { key })).body.error_code, 'RATE_LIMIT_EXCEEDED')
  })
}
