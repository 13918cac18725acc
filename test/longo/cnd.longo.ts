import { test } from 'node:test'
import fc from 'fast-check'
import { classeSua, nosso, nuncaMelhor } from '../domain/cnd/propriedade.ts'

/** This takes some two minutes on one core. */
const numRuns = 150_000

test('no paper that carries a positive marker comes out better, in hundreds of thousands', () => {
  fc.assert(nuncaMelhor(nosso), { numRuns })
})

test('every genuine paper keeps its class, in hundreds of thousands', () => {
  fc.assert(classeSua(nosso), { numRuns })
})
