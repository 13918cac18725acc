import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RAIZ_KEY_LIMIT } from '../../src/cnpj/base/bytes.ts'
import { createSlices, firstOf, sliceOf } from '../../src/cnpj/importacao/leitura.ts'
import { planMerges, type RunFile } from '../../src/cnpj/importacao/merge.ts'

const FATIAS = 16

/** A run file whose slices have these many bytes. */
function runFile(bytes: number[]): RunFile {
  let at = 0
  const fatias = Array.from({ length: FATIAS * 2 }, (_, slice) => {
    const trecho = { at, bytes: bytes[slice] ?? 0 }
    at += trecho.bytes
    return trecho.bytes > 0 ? [trecho] : []
  })
  const particao = { bytes: at, crc32: 0, fatias }
  const conjunto = 'estabelecimentos'
  const run = {
    conjunto,
    nome: 'x',
    particao,
    contagens: {},
    desconhecidos: {},
    quarentena: {},
    amostra: [],
  } as const
  return { path: 'x', run: { ...run, amostra: [] } }
}

test('small slices go together, and the ranges of roots follow each other without gaps', () => {
  const tasks = planMerges([runFile(Array.from({ length: FATIAS * 2 }, () => 40))], FATIAS, 100)
  assert.equal(tasks.length, FATIAS)
  assert.equal(tasks[0]?.low, 0)
  assert.equal(tasks.at(-1)?.high, RAIZ_KEY_LIMIT)
  for (const [i, task] of tasks.entries()) if (i > 0) assert.equal(task.low, tasks[i - 1]?.high)
})

test('a slice far too large is divided by ranges of its roots', () => {
  const tasks = planMerges([runFile([10, 4000])], FATIAS, 100)
  const fatias = createSlices(FATIAS)
  assert.ok(tasks.length > 9)
  assert.equal(tasks[1]?.low, firstOf(fatias, 1))
  assert.equal(tasks.at(-1)?.high, firstOf(fatias, 2))
  for (const { low, high } of tasks.slice(1)) assert.equal(sliceOf(fatias, low), sliceOf(fatias, high - 1))
})

test('nothing to write is no task', () => {
  assert.deepEqual(planMerges([runFile([])], FATIAS, 100), [])
})
