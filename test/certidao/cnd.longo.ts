import { test } from 'node:test'
import fc from 'fast-check'
import { classeSua, nosso, nuncaMelhor } from '../kit/certidao-properties.ts'
import { partesSuas } from '../kit/certidoes.ts'

/** Some 20 s of CPU. The seed makes the same papers each time: more of them are for a hunt. */
const numRuns = Number(process.env.RUNS ?? 10_000)

/** A run can be repeated as it was. A hunt gives another seed, and more papers: `SEED=7 RUNS=500000`. */
const seed = Number(process.env.SEED ?? 20261124)

test('no paper that carries a positive marker comes out better, of ten thousand', () => {
  fc.assert(nuncaMelhor(nosso), { numRuns, seed })
})

test('every genuine paper keeps its class, of ten thousand', () => {
  fc.assert(classeSua(nosso), { numRuns, seed })
})

test('number, emission and validity of genuine papers are right or empty, in ten thousand orders', () => {
  fc.assert(partesSuas, { numRuns, seed })
})
