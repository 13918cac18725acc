import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decryptKey, openSelo } from '../../src/platform/secrets.ts'
import { anyPoint } from '../kit/points.ts'

const SECRET = 'um segredo de teste bastante comprido'

test('what is sealed opens again, whatever it is, and never looks the same twice', () => {
  const selo = openSelo(SECRET, 'teste')
  fc.assert(
    fc.property(fc.string({ unit: anyPoint }), fc.string(), (text, aad) => {
      const sealed = selo.seal(text, aad)
      assert.match(sealed, /^[\w-]+$/)
      assert.notEqual(selo.seal(text, aad), sealed)
      assert.equal(selo.open(sealed, aad)?.toString(), text)
    }),
  )
})

test('what is sealed opens with no other secret, for no other purpose, beside nothing else, and with no bit changed', () => {
  const selo = openSelo(SECRET, 'teste')
  const sealed = selo.seal('nota', 'chave')
  assert.equal(openSelo(`${SECRET}!`, 'teste').open(sealed, 'chave'), undefined)
  assert.equal(openSelo(SECRET, 'outro').open(sealed, 'chave'), undefined)
  assert.equal(selo.open(sealed, 'outra chave'), undefined)
  const bytes = Buffer.from(sealed, 'base64url')
  for (let place = 0; place < bytes.length; place++) {
    const changed = Buffer.from(bytes)
    changed[place] = (changed[place] ?? 0) ^ 1
    assert.equal(selo.open(changed.toString('base64url'), 'chave'), undefined)
  }
  for (let length = 0; length < bytes.length; length++)
    assert.equal(selo.open(bytes.subarray(0, length).toString('base64url'), 'chave'), undefined)
})

test('a fingerprint is the same for the same text, and another under another secret or purpose', () => {
  const { mac } = openSelo(SECRET, 'teste')
  assert.match(mac('corpo'), /^[0-9a-f]{64}$/)
  assert.equal(openSelo(SECRET, 'teste').mac('corpo'), mac('corpo'))
  const others = [openSelo(`${SECRET}!`, 'teste').mac('corpo'), openSelo(SECRET, 'outro').mac('corpo')]
  assert.equal(new Set([mac('corpo'), mac('corpo '), ...others]).size, 4)
})

test('an API key that an older program stored is still shown', () => {
  const stored = 'tMtYEIVbxOo_u_2l5wP68xyLlDDq6wXeM6VegxE3Ge46vKbqGKMIgoaYVy3T'
  assert.equal(decryptKey(SECRET, 'conta-1', stored), 'fk_chave-de-antes')
})
