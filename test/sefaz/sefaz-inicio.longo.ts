import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMonitor } from '../kit/sefaz-rounds.ts'

test('a first round that does not end is waited for 10 seconds, then the answer is MONITOR_INDISPONIVEL', async (t) => {
  const esperar = () => new Promise<void>(() => {})
  const { nos } = await startMonitor(t, { envs: [{ SEFAZ_MONITOR: 'ligado' }], esperar })
  const begun = performance.now()
  const { status, body } = await nos[0].ask('/api/v1/sefaz/status')
  const ms = performance.now() - begun
  assert.deepEqual([status, body.error_code], [502, 'MONITOR_INDISPONIVEL'])
  assert.ok(ms >= 10_000, `${ms} ms`)
})
