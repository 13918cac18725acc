import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOW } from '../kit/basics.ts'
import { useCatalogo } from '../kit/catalogo.ts'
import type { House } from '../kit/house.ts'

const PATH = '/api/v1/public/rejeicoes'
let now = NOW
const plain = useCatalogo({ now: () => now })
const proxied = useCatalogo({ env: { TRUST_PROXY: '1' }, now: () => now })

/** This call has a minute of its own. */
const nextMinute = (): void => {
  now = new Date(now.getTime() + 60_000)
}

const ask = (house: House, { from = '', query = '' } = {}) =>
  house.ask(PATH + query, { key: null, headers: from ? { 'X-Forwarded-For': from } : {} })

test('without a key: the parameters and the answer of the keyed list', async () => {
  for (const query of [
    '',
    '?q=duplicidade',
    '?categoria=Destinat%C3%A1rio',
    '?page=2&page_size=3',
    '?page=9',
  ]) {
    nextMinute()
    const { status, text, headers } = await ask(plain(), { query })
    assert.equal(status, 200)
    assert.equal(text, (await plain().ask(`/api/v1/rejeicoes${query}`)).text)
    assert.match(headers.get('content-type') ?? '', /^application\/json; charset=utf-8$/)
    assert.equal(headers.get('x-credits-charged'), null)
  }
})

test('30 requests per minute per IP, then 429 RATE_LIMIT with Retry-After until the minute ends', async () => {
  nextMinute()
  for (let left = 29; left >= 0; left--) {
    const { status, headers } = await ask(plain())
    assert.equal(status, 200)
    assert.equal(headers.get('x-ratelimit-limit'), '30')
    assert.equal(headers.get('x-ratelimit-remaining'), String(left))
    assert.equal(headers.get('ratelimit-policy'), '"minuto";q=30;w=60')
    assert.equal(headers.get('ratelimit'), `"minuto";r=${left};t=60`)
  }
  now = new Date(now.getTime() + 20_000)
  const { status, body, headers } = await ask(plain())
  assert.deepEqual([status, body.error_code, body.retryable], [429, 'RATE_LIMIT', true])
  assert.equal(headers.get('retry-after'), '40')
  assert.equal(headers.get('x-ratelimit-reset'), '40')
  assert.equal(headers.get('x-ratelimit-remaining'), '0')
  assert.equal((await plain().ask('/api/v1/rejeicoes')).status, 200, 'a key has its own limit')
  now = new Date(now.getTime() + 39_999)
  assert.equal((await ask(plain())).status, 429)
  now = new Date(now.getTime() + 1)
  assert.equal((await ask(plain())).status, 200)
})

test('what is wrong with a request counts, and is told before the limit is reached', async () => {
  nextMinute()
  for (let n = 0; n < 30; n++) {
    const { status, body } = await ask(plain(), { query: '?page=0' })
    assert.deepEqual([status, body.error_code], [400, 'PARAMETRO_INVALIDO'])
  }
  assert.equal((await ask(plain(), { query: '?page=0' })).status, 429)
})

test('IPv6 counts by /64, and an address behind a trusted proxy is the one that it names', async () => {
  nextMinute()
  for (let n = 0; n < 30; n++) {
    assert.equal((await ask(proxied(), { from: `2001:db8:1:2::${n.toString(16)}` })).status, 200)
    assert.equal((await ask(proxied(), { from: '203.0.113.9' })).status, 200)
  }
  assert.equal((await ask(proxied(), { from: '2001:db8:1:2:ffff::1' })).body.error_code, 'RATE_LIMIT')
  assert.equal((await ask(proxied(), { from: '203.0.113.9' })).body.error_code, 'RATE_LIMIT')
  assert.equal((await ask(proxied(), { from: '2001:db8:1:3::1' })).status, 200)
  assert.equal((await ask(proxied(), { from: '203.0.113.10' })).status, 200)
})

test('without TRUST_PROXY nobody chooses the address that is counted', async () => {
  nextMinute()
  for (let n = 0; n < 30; n++) await ask(plain(), { from: `198.51.100.${n}` })
  assert.equal((await ask(plain(), { from: '198.51.100.200' })).status, 429)
})

test('a key that was sent is not looked at', async () => {
  nextMinute()
  const { status, headers } = await plain().ask(PATH, { key: 'fk_nada' })
  assert.equal(status, 200)
  assert.equal(headers.get('x-credits-remaining'), null)
})
