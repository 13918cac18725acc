import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { formatApiKey } from '../../src/contas/rules.ts'
import { type House, start } from '../kit/house.ts'

const open: House[] = []
after(() => Promise.all(open.map((house) => house.close())))

const newHouse = async (TRUST_PROXY: string): Promise<House> => {
  const house = await start({ TRUST_PROXY })
  open.push(house)
  return house
}

/** The status of a refused key that comes with such a chain. After 60 in a minute its address gets 429. */
const refused = async (house: House, chain: string): Promise<number> => {
  const key = formatApiKey(crypto.getRandomValues(new Uint8Array(64)))
  const { status } = await house.ask('/api/v1/conta', { key, headers: { 'X-Forwarded-For': chain } })
  return status
}

/** Each chain that names `client` where he stands must count as his, whatever is written before him. */
async function assertCounted(house: House, chain: (forged: string, client: string) => string): Promise<void> {
  for (let n = 0; n < 60; n++)
    assert.equal(await refused(house, chain(`198.51.100.${n}`, '203.0.113.7')), 401, `${n}`)
  assert.equal(
    await refused(house, chain('198.51.100.200', '203.0.113.7')),
    429,
    'a forged address hides him',
  )
  assert.equal(
    await refused(house, chain('203.0.113.7', '203.0.113.8')),
    401,
    'he spends the limit of another',
  )
}

test('behind one proxy the last address of X-Forwarded-For is the client, whatever he wrote before it', async () => {
  const house = await newHouse('1')
  await assertCounted(house, (forged, client) => `${forged}, ${client}`)
  assert.equal(await refused(house, '203.0.113.7'), 429, 'a proxy that writes the header anew')
})

test('behind two proxies it is the one before the last', async () =>
  assertCounted(await newHouse('2'), (forged, client) => `${forged}, ${client}, 10.0.0.9`))

test('with a list, the first address from the right that is no proxy of ours is the client', async () => {
  const house = await newHouse('127.0.0.0/8, ::1, 10.0.0.0/8, 2001:db8:5::/48')
  await assertCounted(house, (forged, client) => `${forged}, ${client}, 2001:db8:5::1, 10.1.2.3`)
  assert.equal(await refused(house, '203.0.113.7'), 429)
  assert.equal(await refused(house, '203.0.113.7, ::ffff:10.1.2.3'), 429)
})

test('a connection that comes from none of the listed proxies chooses no address', async () => {
  const house = await newHouse('192.0.2.0/24')
  for (let n = 0; n < 60; n++) assert.equal(await refused(house, `198.51.100.${n}`), 401)
  assert.equal(await refused(house, '203.0.113.7'), 429)
})

test('the old switch means one proxy, not whatever the client wrote first', async () =>
  assertCounted(await newHouse('true'), (forged, client) => `${forged}, ${client}`))

test('a value that is neither stops the start with what to send', async () => {
  await assert.rejects(newHouse('proxy.exemplo.test'), /TRUST_PROXY: envie o número de proxies/)
})
