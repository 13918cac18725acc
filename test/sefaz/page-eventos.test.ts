import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOW } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import { EVERY_MS, feita, fillMonitor, MALDADE } from '../kit/sefaz.ts'

/** A service whose clock is `clock`, with the monitor's past. */
async function open() {
  const clock = { instant: NOW.getTime() }
  const house = await start({}, () => new Date(clock.instant))
  await fillMonitor(house, clock.instant)
  return { house, clock }
}

/** The answer of the live events, and each event's data in its turn. */
async function listen(house: House) {
  const leaving = new AbortController()
  const response = await fetch(`${house.address}/sefaz/eventos`, { signal: leaving.signal })
  assert.ok(response.body)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<Record<string, unknown> | undefined> => {
    for (;;) {
      const found = /event: agora\ndata: (.*)\n\n/.exec(text)
      if (found) {
        text = text.slice(found.index + found[0].length)
        return Object(JSON.parse(found[1] ?? ''))
      }
      const { value, done } = await reader.read()
      if (done) return undefined
      text += value
    }
  }
  return { response, next, leave: () => leaving.abort() }
}

test('the live events begin with how things stand, and go on with each board', async (t) => {
  const { house, clock } = await open()
  t.after(() => house.close())
  const { response, next, leave } = await listen(house)
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
  const first = await next()
  assert.equal(Object(first).em, NOW.getTime() - 5_000)
  const { nfe } = Object(first).docs
  assert.deepEqual([nfe.normais, nfe.situacoes.length], [22, 27])
  assert.deepEqual(nfe.situacoes[2], [5, ''])
  assert.deepEqual(nfe.situacoes[4], [3, '7,31 s'])
  assert.ok(JSON.stringify(Object(first).incidentes).includes(JSON.stringify(MALDADE).slice(1, -1)))
  clock.instant += EVERY_MS
  await house.rooms.sefaz.monitor.keep(feita(clock.instant))
  const second = await next()
  assert.equal(Object(second).em, clock.instant)
  assert.equal(Object(second).docs.nfe.situacoes[2][0], 1)
  leave()
})

test('one address may keep 10 pages live, and the next one is told to do without', async (t) => {
  const { house } = await open()
  t.after(() => house.close())
  const all = await Promise.all(Array.from({ length: 10 }, () => listen(house)))
  for (const { response } of all) assert.equal(response.status, 200)
  const { status, headers } = await house.ask('/sefaz/eventos', { key: null })
  assert.deepEqual([status, headers.get('retry-after')], [429, '60'])
  for (const { leave } of all) leave()
})

test('a stop ends the live events', async () => {
  const { house } = await open()
  const { next } = await listen(house)
  await next()
  await house.close()
  assert.equal(await next(), undefined)
})
