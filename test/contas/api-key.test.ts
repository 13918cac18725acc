import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { API_KEY_BYTES, formatApiKey, isApiKey } from '../../src/contas/rules.ts'

const bytes = fc.uint8Array({ minLength: 1_000, maxLength: 1_000 })

test('every key that is made is shaped as documented and recognised', () => {
  fc.assert(
    fc.property(bytes, (random) => {
      fc.pre(random.filter((byte) => byte < 248).length >= 32)
      const key = formatApiKey(random)
      assert.match(key, /^fk_[0-9A-Za-z]{38}$/)
      assert.ok(isApiKey(key))
    }),
  )
})

test('any one wrong character is noticed', () => {
  const key = formatApiKey(randomBytes(API_KEY_BYTES))
  for (let place = 3; place < key.length; place++)
    for (const character of '0Zz')
      if (character !== key[place])
        assert.equal(isApiKey(key.slice(0, place) + character + key.slice(place + 1)), false)
})

test('the checksum is the CRC-32 that everyone computes', () => {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const key = formatApiKey(randomBytes(API_KEY_BYTES))
  const value = [...key.slice(-6)].reduce((sum, character) => sum * 62 + alphabet.indexOf(character), 0)
  assert.equal(value, crc32(key.slice(0, -6)))
})

test('what is not a key is not one', () => {
  for (const text of ['', 'fk_', 'x'.repeat(41), `${formatApiKey(randomBytes(API_KEY_BYTES))} `])
    assert.equal(isApiKey(text), false)
  assert.throws(() => formatApiKey(new Uint8Array(64).fill(255)), RangeError)
})
