import assert from 'node:assert/strict'
import { test } from 'node:test'
import { autorizadores } from '../../src/sefaz/rules.ts'
import { NOW, vezes } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import { boa, EVERY_MS, feita, muda } from '../kit/sefaz.ts'

const PATH = '/api/v1/sefaz/status'
const START = NOW.getTime() - 10_000
const ACCEPT = { Accept: 'text/event-stream' }

type Evento = { id: string | undefined; event: string; data: Record<string, unknown> }

/** Opens a stream. `next` gives its events, one by one; undefined where it has ended. */
async function listen(
  { address, apiKey = '' }: House,
  options: { path?: string; lastId?: string; key?: string } = {},
) {
  const { path = PATH, lastId, key = apiKey } = options
  const leave = new AbortController()
  const response = await fetch(address + path, {
    headers: { ...ACCEPT, 'X-API-Key': key, ...(lastId && { 'Last-Event-ID': lastId }) },
    signal: leave.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const nextBlock = async (): Promise<string | undefined> => {
    while (!text.includes('\n\n')) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) return undefined
      text += value
    }
    const [block = '', ...rest] = text.split('\n\n')
    text = rest.join('\n\n')
    return block
  }
  const next = async (): Promise<Evento | undefined> => {
    const block = await nextBlock()
    if (block === undefined) return undefined
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    const event = field('event')
    if (event === undefined) return next()
    return { id: field('id'), event, data: JSON.parse(field('data') ?? '') }
  }
  return { response, next, nextBlock, leave: () => leave.abort() }
}

async function open(t: { after: (fn: () => unknown) => void }) {
  const clock = { instant: NOW.getTime() }
  const house = await start({}, () => new Date(clock.instant))
  t.after(() => house.close())
  const { monitor } = house.rooms.sefaz
  await monitor.keep(feita(START))
  return { house, monitor, clock }
}

test('a stream begins with the whole state, tells each change, and the whole state of each round', async (t) => {
  const { house, monitor } = await open(t)
  const json = await house.ask(PATH)
  const { response, next, leave } = await listen(house)
  t.after(leave)
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(response.headers.get('x-credits-charged'), '0')
  // No proxy keeps the events, or holds them back until it has a page of them.
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('x-accel-buffering'), 'no')
  const first = await next()
  assert.equal(first?.event, 'estado')
  assert.deepEqual(first.data, json.body)

  const em = START + EVERY_MS
  await monitor.keep(feita(em, { leituras: [muda('nfe-sp', em), boa('nfe-rs', em)] }))
  const change = await next()
  assert.equal(change?.event, 'mudanca')
  const timestamp = new Date(em + 3_000).toISOString()
  assert.deepEqual(change.data, {
    doc: 'nfe',
    timestamp,
    uf: 'SP',
    status_code: 5,
    status: 'Timeout',
    status_avg: 0,
    antes: 1,
  })
  const second = await next()
  assert.equal(second?.event, 'estado')
  assert.equal(second.data.timestamp, timestamp)
  assert.notEqual(second.id, first.id)

  await monitor.keep(feita(em + EVERY_MS, { leituras: [muda('nfe-sp', em + EVERY_MS)] }))
  assert.equal((await next())?.event, 'estado')
})

test('a stream tells nothing of other documents', async (t) => {
  const { house, monitor } = await open(t)
  const { next, leave } = await listen(house, { path: `${PATH}?doc=cte` })
  t.after(leave)
  await next()
  const em = START + EVERY_MS
  await monitor.keep(feita(em, { leituras: [muda('nfe-sp', em), muda('cte-svsp', em)] }))
  for (const uf of ['AP', 'PE', 'RR', 'SP']) {
    const change = await next()
    assert.deepEqual([change?.event, change?.data.doc, change?.data.uf], ['mudanca', 'cte', uf])
  }
  assert.equal((await next())?.event, 'estado')
})

test('a client that comes back with the last event gets the state only if it has changed', async (t) => {
  const { house, monitor } = await open(t)
  const one = await listen(house)
  const id = (await one.next())?.id ?? ''
  one.leave()
  const same = await listen(house, { lastId: id })
  t.after(same.leave)
  assert.equal(await same.nextBlock(), 'retry: 5000')
  assert.equal(await same.nextBlock(), ': nada mudou')
  await monitor.keep(feita(START + EVERY_MS))
  assert.equal((await same.next())?.event, 'estado')
  const later = await listen(house, { lastId: id })
  t.after(later.leave)
  assert.equal((await later.next())?.event, 'estado')
})

test('a class that changes by time alone is told, and so is a monitor that stands still', async (t) => {
  const { house, monitor, clock } = await open(t)
  const { next, leave } = await listen(house)
  t.after(leave)
  await next()
  await monitor.refresh()
  clock.instant = START + 3 * EVERY_MS + 1
  await monitor.refresh()
  const seen = [await next(), await next()]
  assert.deepEqual(
    seen.map((event) => [event?.event, event?.data.status_code, event?.data.antes]),
    [
      ['mudanca', 0, 1],
      ['mudanca', 0, 1],
    ],
  )
  let event = await next()
  while (event?.event === 'mudanca') event = await next()
  assert.equal(event?.event, 'estado')
  clock.instant = START + 3_001 + 600_000
  await monitor.refresh()
  const error = await next()
  assert.equal(error?.event, 'erro')
  assert.equal(error.data.error_code, 'MONITOR_INDISPONIVEL')
  await monitor.keep(feita(clock.instant))
  assert.equal((await next())?.event, 'estado')
})

test('what time alone changes in one document is not told to those who listen to another', async (t) => {
  const { house, monitor, clock } = await open(t)
  const em = START + EVERY_MS
  const served = autorizadores.filter(({ id }) => id !== 'nfe-sp').map(({ id }) => boa(id, em))
  await monitor.keep(feita(em, { leituras: served }))
  const { next, leave } = await listen(house, { path: `${PATH}?doc=cte` })
  t.after(leave)
  await next()
  // The reading of nfe-sp is older than three rounds, and every other one is not.
  clock.instant = START + 3 * EVERY_MS + 1
  await monitor.refresh()
  await monitor.keep(feita(clock.instant))
  const event = await next()
  assert.equal(event?.data.timestamp, new Date(clock.instant + 3_000).toISOString())
})

test('an account has 20 streams at most; the next is refused, and its other calls and others’ streams are not', async (t) => {
  const { house } = await open(t)
  const { key } = await house.open('pro')
  const streams = await Promise.all(Array.from({ length: 20 }, () => listen(house, { key })))
  t.after(() => {
    for (const { leave } of streams) leave()
  })
  for (const { response } of streams) assert.equal(response.status, 200)
  const refused = await house.ask(PATH, { key, headers: ACCEPT })
  assert.equal(refused.status, 429)
  assert.equal(refused.body.error_code, 'RATE_LIMIT_EXCEEDED')
  assert.equal(refused.headers.get('retry-after'), '60')
  assert.equal((await house.ask(PATH, { key })).status, 200)
  const other = await listen(house)
  t.after(other.leave)
  assert.equal(other.response.status, 200)
})

const OUVINTES = vezes(300)

test(`${OUVINTES} listeners of many accounts hear the same events, and a stop ends their streams`, async () => {
  const house = await start()
  const { monitor } = house.rooms.sefaz
  await monitor.keep(feita(START))
  const keys = await Promise.all(Array.from({ length: 15 }, async () => (await house.open('enterprise')).key))
  const streams = await Promise.all(
    Array.from({ length: OUVINTES }, (_, n) => listen(house, { key: keys[n % 15] ?? '' })),
  )
  for (const { next } of streams) assert.equal((await next())?.event, 'estado')
  const em = START + EVERY_MS
  await monitor.keep(feita(em, { leituras: [muda('nfe-sp', em)] }))
  for (const { next } of streams) {
    assert.equal((await next())?.event, 'mudanca')
    assert.equal((await next())?.event, 'estado')
  }
  const closed = house.close()
  for (const { next } of streams) assert.equal(await next(), undefined)
  await closed
})

test('the event that the documentation shows has the fields and members of one that is sent', async (t) => {
  const house = await start()
  t.after(() => house.close())
  const { monitor } = house.rooms.sefaz
  await monitor.keep(feita(START))
  const { next, leave } = await listen(house)
  t.after(leave)
  await next()
  await monitor.keep(
    feita(START + 4_000, { leituras: autorizadores.map(({ id }) => muda(id, START + 4_000)) }),
  )
  const sent = await next()
  const { paths } = Object((await house.ask('/openapi.json', { key: null })).body)
  const [, shown = ''] = /```\n(.*?)\n```/s.exec(paths[PATH].get.description) ?? []
  const [, event, data = ''] = /^event: (.*)\ndata: (.*)$/.exec(shown) ?? []
  assert.deepEqual([event, sent?.id], [sent?.event, undefined])
  assert.deepEqual(Object.keys(JSON.parse(data)), Object.keys(sent?.data ?? {}))
})
