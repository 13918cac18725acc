import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHAVE_RAIZ_LIMITE } from '../../../src/base-cnpj/formato/key.ts'
import { type Corrida, planTarefas } from '../../../src/base-cnpj/importar/gravacao/plan.ts'
import { createFatias, fatiaDe, firstOf } from '../../../src/base-cnpj/importar/leitura/slices.ts'

const FATIAS = 16

/** A run file whose slices have these many bytes. */
function corrida(bytes: number[]): Corrida {
  let at = 0
  const fatias = Array.from({ length: FATIAS * 2 }, (_, fatia) => {
    const trecho = { at, bytes: bytes[fatia] ?? 0 }
    at += trecho.bytes
    return trecho.bytes > 0 ? [trecho] : []
  })
  const particao = { bytes: at, crc32: 0, fatias }
  const conjunto = 'estabelecimentos'
  const leitura = {
    conjunto,
    nome: 'x',
    particao,
    contagens: {},
    desconhecidos: {},
    quarentena: {},
    amostra: [],
  } as const
  return { path: 'x', leitura: { ...leitura, amostra: [] } }
}

test('small slices go together, and the ranges of roots follow each other without gaps', () => {
  const tarefas = planTarefas([corrida(Array.from({ length: FATIAS * 2 }, () => 40))], FATIAS, 100)
  assert.equal(tarefas.length, FATIAS)
  assert.equal(tarefas[0]?.low, 0)
  assert.equal(tarefas.at(-1)?.high, CHAVE_RAIZ_LIMITE)
  for (const [i, tarefa] of tarefas.entries()) if (i > 0) assert.equal(tarefa.low, tarefas[i - 1]?.high)
})

test('a slice far too large is divided by ranges of its roots', () => {
  const tarefas = planTarefas([corrida([10, 4000])], FATIAS, 100)
  const fatias = createFatias(FATIAS)
  assert.ok(tarefas.length > 9)
  assert.equal(tarefas[1]?.low, firstOf(fatias, 1))
  assert.equal(tarefas.at(-1)?.high, firstOf(fatias, 2))
  for (const { low, high } of tarefas.slice(1)) assert.equal(fatiaDe(fatias, low), fatiaDe(fatias, high - 1))
})

test('nothing to write is no task', () => {
  assert.deepEqual(planTarefas([corrida([])], FATIAS, 100), [])
})
