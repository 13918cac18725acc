import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseXml } from '../../src/platform/wire/xml.ts'

const numbered = (count: number, write: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => write(at)).join('')

test('an answer with more tags or attributes than any authority sends is not read', () => {
  assert.ok(parseXml(`<r>${numbered(2_000, (at) => `<a>${at}</a>`)}</r>`))
  assert.equal(parseXml(`<r>${numbered(10_000, (at) => `<a${at}/>`)}</r>`), undefined)
  assert.equal(parseXml(`<r ${numbered(2_001, (at) => `b${at}="1" `)}/>`), undefined)
  assert.equal(parseXml('<a>'.repeat(20_000)), undefined)
})

test('a base64 text of a megabyte is one text', () => {
  const text = Buffer.alloc(1024 * 1024, 7).toString('base64')
  assert.deepEqual(parseXml(`<r><a>${text}</a></r>`), { r: { a: text } })
})
