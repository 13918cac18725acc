import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUf, isUf, ufProblem, ufs, unidades } from '../../src/documento/uf.ts'

test('there are 27 UFs, in alphabetical order, each with a name and a code of its own', () => {
  assert.equal(ufs.length, 27)
  assert.deepEqual([...ufs], [...ufs].sort())
  assert.deepEqual(Object.keys(unidades), [...ufs])
  assert.equal(new Set(ufs.map((uf) => unidades[uf].codigo)).size, 27)
  assert.equal(new Set(ufs.map((uf) => unidades[uf].nome)).size, 27)
  assert.deepEqual(unidades.SP, { codigo: '35', nome: 'São Paulo', em: 'em' })
})

test('a UF is found in either case, and nothing that only resembles one is', () => {
  for (const text of ['SP', 'sp', 'Sp', 'sP']) assert.equal(findUf(text), 'SP')
  // `ſ` and `ı` become S and I in upper case.
  for (const text of ['', 'XX', 'EX', 'BR', ' SP', 'SP ', 'SPX', 'S', 'ſp', 'pı', '35', 'toString']) {
    assert.equal(findUf(text), undefined, text)
    assert.match(ufProblem(text) ?? '', /AC, AL, .*, TO$/)
  }
  assert.equal(ufProblem('sp'), undefined)
  assert.equal(isUf('sp'), false)
})
