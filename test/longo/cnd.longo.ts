import { test } from 'node:test'
import fc from 'fast-check'
import { classeSua, nosso, nuncaMelhor } from '../domain/cnd/propriedade.ts'
import { partesSuas } from '../sources/certidao-campos.ts'

/** This takes some two minutes on one core. */
const numRuns = 150_000

test('no paper that carries a positive marker comes out better, in hundreds of thousands', () => {
  fc.assert(nuncaMelhor(nosso), { numRuns })
})

test('every genuine paper keeps its class, in hundreds of thousands', () => {
  fc.assert(classeSua(nosso), { numRuns })
})

test('number, emission and validity of genuine papers are right or empty, in tens of thousands of orders', () => {
  fc.assert(partesSuas, { numRuns: 60_000 })
})
