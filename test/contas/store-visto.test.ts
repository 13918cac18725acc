import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVistos } from '../../src/platform/ledger/ledger.ts'
import type { Saldo } from '../../src/platform/ledger/rules.ts'

const saldo = (cota: number): Saldo => ({ cota, extra: 0, periodo: '2026-11' })

/** The balances seen by a process whose clock begins at `start`; the database has `stored`. */
function vistosFrom(start: string) {
  const clock = { instant: Date.parse(start) }
  const vistos = openVistos(() => new Date(clock.instant))
  const of = (stored: number) => vistos.of('conta', async () => saldo(stored))
  return { clock, vistos, of }
}

test('the quota of a new month shows at once, however lately the old one was seen', async () => {
  const { clock, of } = vistosFrom('2026-12-01T02:59:58Z')
  assert.equal((await of(3)).cota, 3)
  clock.instant += 1_999
  assert.equal((await of(100)).cota, 3)
  clock.instant += 1
  assert.equal((await of(100)).cota, 100)
})

test('a clock that is set back keeps no balance', async () => {
  const { clock, of } = vistosFrom('2026-11-14T15:00:00Z')
  await of(3)
  clock.instant -= 3_600_000
  assert.equal((await of(7)).cota, 7)
})

test('a balance that was read while an order ended is not remembered in the place of what the order left', async () => {
  const { vistos, of } = vistosFrom('2026-11-14T15:00:00Z')
  const reading = Promise.withResolvers<Saldo>()
  const asked = vistos.of('conta', () => reading.promise)
  vistos.note('conta', saldo(5))
  reading.resolve(saldo(10))
  await asked
  assert.equal((await of(10)).cota, 5)
})
