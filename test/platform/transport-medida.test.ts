import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Http } from '../../src/platform/wire/http.ts'
import { idle } from '../kit/sefaz-rounds.ts'
import { ask, HOST, useTransport } from '../kit/transport.ts'

const { authority } = useTransport()

/** Every look at this clock takes a millisecond, so that each step that is measured takes one. */
function ticking(): Http {
  let now = 0
  return authority().open({}, { clock: () => now++ })
}

const fresh = { conexaoMs: 1, tlsMs: 1, respostaMs: 1 }
const reused = { conexaoMs: null, tlsMs: null, respostaMs: 1 }

test('a door without a clock measures nothing', async () => {
  assert.equal('tempos' in (await authority().http.send(ask('/eco'))), false)
})

test('a door with a clock tells how long connecting, TLS and the answer took', async () => {
  const http = ticking()
  const { tempos, elapsedMs } = await http.send(ask('/eco'))
  assert.deepEqual(tempos, fresh)
  // The whole goes by the same clock, which nothing else moves.
  assert.ok(elapsedMs >= 3 && elapsedMs < 20, String(elapsedMs))
  await idle()
  assert.deepEqual((await http.send(ask('/eco'))).tempos, reused)
})

test('a connection without TLS has no time of TLS', async () => {
  const { tempos } = await ticking().send(ask(`http://${HOST}/eco`))
  assert.deepEqual(tempos, { ...fresh, tlsMs: null })
})

test('requests at once to one host have each the times of its own connection', async () => {
  const http = ticking()
  const all = () => Promise.all([1, 2, 3].map(() => http.send(ask('/eco'))))
  for (const { tempos } of await all()) assert.equal(tempos?.conexaoMs === null, false)
  await idle()
  for (const { tempos } of await all()) assert.equal(tempos?.conexaoMs, null)
})

test('after a redirect, and after a connection that broke, the times are those of the last request', async () => {
  const http = ticking()
  const redirected = await http.send(ask('/repetir', { redirects: 1 }))
  assert.equal(redirected.url, `https://${HOST}/eco`)
  assert.equal(redirected.tempos?.respostaMs, 1)
  await idle()
  await assert.rejects(http.send(ask('/derruba')))
  assert.deepEqual((await http.send(ask('/eco'))).tempos, fresh)
})
