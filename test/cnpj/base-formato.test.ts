import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  createBlocks,
  decodeIndex,
  encodeIndex,
  endBlock,
  findBlock,
  findInBlock,
  putGroup,
} from '../../src/cnpj/base/block.ts'
import {
  dataIso,
  diasDaData,
  getData,
  getVarint,
  ordemKey,
  ordemOfKey,
  putData,
  putVarint,
  raizKey,
  raizOfKey,
} from '../../src/cnpj/base/bytes.ts'
import { createWordEncoder, getTexto, putTextoSempre } from '../../src/cnpj/base/text.ts'

const saida = () => ({ bytes: Buffer.alloc(1 << 16), at: 0 })
const cursor = (bytes: Buffer) => ({ bytes, at: 0 })

const palavra = fc
  .array(fc.integer({ min: 33, max: 255 }), { minLength: 1, maxLength: 60 })
  .map((codes) => String.fromCharCode(...codes))
const numero = fc.stringMatching(/^[0-9]{1,20}$/)

test('any text of latin-1 words comes back whole, in the dictionary or not', () => {
  const words = ['LTDA', 'DA', 'SILVA', '1', '302', 'A"B', ...Array.from({ length: 400 }, (_, i) => `P${i}`)]
  const wordEncoder = createWordEncoder(words)
  const texto = fc.array(fc.oneof(palavra, numero, fc.constantFrom(...words)), { maxLength: 12 })
  fc.assert(
    fc.property(texto, (list) => {
      const out = saida()
      const bytes = Buffer.from(list.join(' '), 'latin1')
      putTextoSempre(out, wordEncoder, bytes, { start: 0, end: bytes.length })
      const read = cursor(out.bytes)
      assert.equal(getTexto(read, words, false), list.join(' '))
      assert.equal(read.at, out.at)
    }),
  )
})

test('a varint holds any safe integer', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (value) => {
      const out = saida()
      putVarint(out, value)
      assert.equal(getVarint(cursor(out.bytes)), value)
    }),
  )
})

test('a date is the day it was, from 1800 on', () => {
  const days = fc.date({ min: new Date('1800-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(days, (date) => {
      const out = saida()
      putData(out, diasDaData(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()))
      assert.equal(dataIso(getData(cursor(out.bytes))), date.toISOString().slice(0, 10))
    }),
  )
  for (const [y, m, d] of [
    [2023, 2, 29],
    [1799, 1, 1],
    [2023, 13, 1],
    [2023, 4, 31],
    [2023, 0, 1],
  ] as const) {
    assert.equal(diasDaData(y, m, d), 0)
  }
})

test('keys sort digits first, then letters in ASCII order, and come back', () => {
  const raiz = fc.stringMatching(/^[0-9A-Z]{8}$/)
  const kind = (text: string): string => `${/^\d+$/.test(text) ? 0 : 1}${text}`
  const key = (text: string): number => raizKey(Buffer.from(text), 0)
  fc.assert(
    fc.property(raiz, raiz, (a, b) => {
      assert.equal(raizOfKey(key(a)), a)
      assert.equal(key(a) < key(b), kind(a) < kind(b))
    }),
  )
  assert.equal(ordemOfKey(ordemKey(Buffer.from('0A1Z'), 0)), '0A1Z')
  assert.equal(raizKey(Buffer.from('1234567a'), 0), -1)
})

/**
 * Companies as the property gives them: the root, the length of the company's part, the orders of the
 * establishments.
 */
const grupos = fc.uniqueArray(
  fc.record({
    raiz: fc.integer({ min: 0, max: 300 }),
    empresa: fc.integer({ min: 0, max: 3000 }),
    ordens: fc.uniqueArray(fc.integer({ min: 0, max: 1_600_000 }), { minLength: 1, maxLength: 120 }),
  }),
  { selector: (group) => group.raiz, maxLength: 40 },
)

test('every establishment is found by one block, whole, and no other is', () => {
  fc.assert(
    fc.property(grupos, (list) => {
      const blocks = createBlocks(1)
      for (const { raiz, empresa, ordens } of list.toSorted((a, b) => a.raiz - b.raiz)) {
        const sorted = ordens.toSorted((a, b) => a - b)
        const bytes = Buffer.alloc(sorted.length * 4)
        sorted.forEach((ordem, i) => {
          bytes.writeUInt32LE(ordem, i * 4)
        })
        const starts = sorted.map((_, i) => i * 4)
        const ends = starts.map((start) => start + 4)
        const parte = Buffer.alloc(empresa + 1, raiz & 255)
        putGroup(blocks, {
          raiz,
          empresa: parte,
          empresaEnd: parte.length,
          bytes,
          ordens: sorted,
          starts,
          ends,
          count: sorted.length,
        })
      }
      endBlock(blocks)
      const indice = decodeIndex(
        encodeIndex(
          Float64Array.from(blocks.raizes),
          Uint32Array.from(blocks.lengths),
          Uint32Array.from(blocks.ordens),
        ),
      )
      const dados = Buffer.from(blocks.out.bytes)
      const found = { empresa: 0, estabelecimento: 0 }
      const find = (raiz: number, ordem: number): boolean => {
        const block = findBlock(indice, raiz, ordem)
        if (block < 0) return false
        const at = { bytes: dados, at: indice.offsets[block] ?? 0 }
        return findInBlock(at, blocks.lengths[block] ?? 0, indice.raizes[block] ?? 0, raiz, ordem, found)
      }
      for (const { raiz, ordens } of list) {
        for (const ordem of ordens) {
          assert.ok(find(raiz, ordem))
          assert.equal(dados.readUInt32LE(found.estabelecimento), ordem)
          assert.equal(dados[found.empresa], raiz & 255)
        }
        const absent = ordens.find((ordem) => !ordens.includes(ordem + 1))
        if (absent !== undefined) assert.ok(!find(raiz, absent + 1))
        assert.ok(find(raiz, -1))
      }
      assert.ok(!find(301, 1))
    }),
    { numRuns: 50 },
  )
})
