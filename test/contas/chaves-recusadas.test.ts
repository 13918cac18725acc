import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { formatApiKey } from '../../src/contas/rules.ts'
import { issueKey } from '../../src/contas/store-chaves.ts'
import { networkOf } from '../../src/platform/limits.ts'
import { NOW } from '../kit/basics.ts'
import { BANCO_DO_BRASIL, type House, start } from '../kit/house.ts'

let plain: House
let proxied: House
let now = NOW
before(async () => {
  plain = await start({}, () => now)
  proxied = await start({ TRUST_PROXY: '1' }, () => now)
})
after(async () => {
  await plain.close()
  await proxied.close()
})

const PATH = `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`

/** A key whose checksum is right, but which belongs to nobody. */
const stranger = (): string => formatApiKey(crypto.getRandomValues(new Uint8Array(64)))

/** Sends `count` refused keys from an address. Gives the different statuses of the answers. */
async function refuse(house: House, count: number, from = '', kinds = [stranger]): Promise<number[]> {
  const headers = from ? { 'X-Forwarded-For': from } : {}
  const statuses: number[] = []
  for (let n = 0; n < count; n++)
    statuses.push((await house.ask(PATH, { key: kinds[n % kinds.length]?.() ?? null, headers })).status)
  return [...new Set(statuses)]
}

/** Sends one refused key from each address, on one connection. How many were answered 401. */
async function refusedAtOnce({ address }: House, from: readonly string[]): Promise<number> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  const last = 'Connection: close\r\n'
  const requests = from.map(
    (one, n) =>
      `GET ${PATH} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${n}\r\nX-Forwarded-For: ${one}\r\n${n === from.length - 1 ? last : ''}\r\n`,
  )
  socket.write(requests.join(''))
  return (await text(socket)).split('HTTP/1.1 401 ').length - 1
}

/** This call has a minute of its own. */
const nextMinute = (): void => {
  now = new Date(now.getTime() + 60_000)
}

test('after 60 refused keys in a minute, unknown ones are turned away unread, with Retry-After', async () => {
  nextMinute()
  const kinds = [stranger, () => 'x', () => '', stranger]
  assert.deepEqual(await refuse(plain, 60, '', kinds), [401])
  for (const key of [stranger(), 'x', null]) {
    const { status, body, headers } = await plain.ask(PATH, { key })
    assert.deepEqual([status, body.error_code], [429, 'RATE_LIMIT_EXCEEDED'])
    assert.equal(headers.get('retry-after'), '60')
    assert.equal(body.retryable ?? true, true)
  }
  // The key is good and was never seen. Only the database knows it, and the database is not asked.
  const { key } = await plain.open('lite')
  assert.equal((await plain.ask(PATH, { key })).status, 429)
  const post = { method: 'POST', body: '{', headers: { 'Content-Type': 'application/json' } }
  assert.equal((await plain.ask('/api/consultar-nfe-xml', { ...post, key })).body.error_code, 'RATE_LIMIT')
  now = new Date(now.getTime() + 59_999)
  assert.equal((await plain.ask(PATH, { key })).headers.get('retry-after'), '1')
  now = new Date(now.getTime() + 1)
  assert.equal((await plain.ask(PATH, { key })).status, 200)
})

test('a valid key that was seen is never refused for its address, not when it is read anew either', async () => {
  nextMinute()
  const { conta, key } = await plain.open('lite')
  assert.equal((await plain.ask(PATH, { key })).status, 200)
  assert.deepEqual(await refuse(plain, 70), [401, 429])
  assert.equal((await plain.ask(PATH, { key })).status, 200)
  now = new Date(now.getTime() + 6_000)
  assert.equal((await plain.ask(PATH, { key })).status, 200)
  await issueKey(plain.rooms.platform.db, plain.rooms.platform.secret, conta.id, { now })
  now = new Date(now.getTime() + 6_000)
  assert.equal((await plain.ask(PATH, { key })).status, 401, 'revoked: found out by one look')
  assert.equal((await plain.ask(PATH, { key })).status, 429)
})

test("what is wrong with a valid key's request counts in its plan's limit alone", async () => {
  nextMinute()
  const { key } = await plain.open('starter')
  for (const [path, status] of [
    ['/api/consultar-cnpj', 400],
    ['/api/consultar-cnpj?cnpj=1', 400],
    [`${PATH}&api_key=${key}`, 401],
  ] as const)
    for (let n = 0; n < 20; n++) assert.equal((await plain.ask(path, { key })).status, status, path)
  assert.equal((await plain.ask(PATH, { key })).status, 429, 'its plan has 60 a minute')
  assert.equal((await plain.ask(PATH, { key: stranger() })).status, 401, 'its address has refused nothing')
})

test('X-Forwarded-For names the address where TRUST_PROXY says so, and nowhere else', async () => {
  nextMinute()
  assert.deepEqual(await refuse(proxied, 61, '203.0.113.7'), [401, 429])
  assert.deepEqual(await refuse(proxied, 1, '203.0.113.8'), [401])
  assert.deepEqual(await refuse(proxied, 1, '198.51.100.1, 203.0.113.7'), [429])
  assert.deepEqual(await refuse(plain, 60, '203.0.113.7'), [401])
  assert.deepEqual(await refuse(plain, 1, '203.0.113.8'), [429])
})

test('guesses from more addresses than are counted one by one make it forget none', async () => {
  nextMinute()
  assert.deepEqual(await refuse(proxied, 61, '203.0.113.7'), [401, 429])
  const others = Array.from({ length: 10_001 }, (_, n) => `2001:db8:${(n >> 8).toString(16)}:${n & 255}::1`)
  assert.equal(await refusedAtOnce(proxied, others), others.length)
  assert.deepEqual(await refuse(proxied, 60, '203.0.113.7'), [429])
  // Nor does one guess on that comes when there is no room.
  assert.deepEqual(await refuse(proxied, 61, '203.0.113.99'), [401, 429])
})

test('an IPv6 address counts by its /64', async () => {
  nextMinute()
  assert.deepEqual(await refuse(proxied, 30, '2001:db8:1:2::1'), [401])
  assert.deepEqual(await refuse(proxied, 31, '2001:0db8:0001:0002:ffff:ffff:ffff:ffff'), [401, 429])
  assert.deepEqual(await refuse(proxied, 1, '2001:db8:1:3::1'), [401])
})

test('addresses by their network', () => {
  for (const [address, network] of [
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['[2001:db8:a:b:c::1]:443', '2001:db8:a:b'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4'],
    ['1::3:4:5:6:7:8', '1:0:3:4'],
    ['unknown', ''],
    ['', ''],
    [undefined, ''],
  ] as const)
    assert.equal(networkOf(address), network, address)
})
