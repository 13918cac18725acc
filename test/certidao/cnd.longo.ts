import { test } from 'node:test'
import fc from 'fast-check'
import { classeSua, nosso, nuncaMelhor } from '../kit/certidao-properties.ts'
import { partesSuas } from '../kit/certidoes.ts'

/** Less than a minute of CPU. The seed makes the same papers each time: more of them are for a hunt. */
const numRuns = Number(process.env.RUNS ?? 30_000)

/** A run can be repeated as it was. A hunt gives another seed, and more papers: `SEED=7 RUNS=500000`. */
const seed = Number(process.env.SEED ?? 20261124)

test('no paper that carries a positive marker comes out better, in tens of thousands', () => {
  fc.assert(nuncaMelhor(nosso), { numRuns, seed })
})

test('every genuine paper keeps its class, in tens of thousands', () => {
  fc.assert(classeSua(nosso), { numRuns, seed })
})

test('number, emission and validity of genuine papers are right or empty, in tens of thousands of orders', () => {
  fc.assert(partesSuas, { numRuns: 30_000, seed })
})
