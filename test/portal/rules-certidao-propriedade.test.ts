import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { vezes } from '../kit/basics.ts'
import { classeSua, marcas, nosso, nuncaMelhor, papeis } from '../kit/certidao-properties.ts'

test('no paper that carries a positive marker comes out negativa, nor with effects that it does not name', () => {
  fc.assert(nuncaMelhor(nosso), { numRuns: vezes(1500) })
})

test('every genuine paper keeps its class under the same noise', () => {
  fc.assert(classeSua(nosso), { numRuns: vezes(1500) })
})

test('every genuine paper is read as what it is, and every marker alone as positive', () => {
  for (const { nome, linhas, situacao } of papeis)
    assert.equal(nosso(linhas.join('\n')).situacao, situacao, nome)
  for (const marca of marcas) assert.equal(nosso(marca).situacao, 'positiva', marca)
})
