import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodePdf } from '../../src/federal/source.ts'

const bytes = Buffer.from('%PDF-1.4 um papel qualquer')
const base64 = bytes.toString('base64')

test('a PDF in base64 is read with white space, with data: and without padding', () => {
  const same = [
    base64,
    ` data:application/pdf;base64,${base64}`,
    base64.replace(/.{8}/g, '$&\r\n'),
    base64.replace(/=+$/, ''),
  ]
  for (const text of same) assert.deepEqual(decodePdf(text), bytes, text)
})

test('what is no base64, is empty, cut in the middle of a byte, or over 1 MiB is refused', () => {
  const big = Buffer.alloc(1024 * 1024 + 1).toString('base64')
  const odd = [
    '',
    '   ',
    'data:application/pdf;base64,',
    '<html></html>',
    `${base64}*`,
    'QQ==QQ==',
    'AAAAA',
    'AB',
    big,
  ]
  for (const text of odd) assert.equal(decodePdf(text), undefined, text.slice(0, 40))
  assert.equal(decodePdf(Buffer.alloc(1024 * 1024).toString('base64'))?.length, 1024 * 1024)
  assert.equal(decodePdf('A'.repeat(3_000_000)), undefined)
})
