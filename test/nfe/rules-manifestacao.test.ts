import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cstatDe } from '../../src/nfe/rules-resultado.ts'
import { answerRows } from '../kit/nfe-rows-answers.ts'
import { flowRows } from '../kit/nfe-rows-flow.ts'
import { limitedRows } from '../kit/nfe-rows-limited.ts'
import { comeco, walk } from '../kit/nfe-walk.ts'

const rows = { ...flowRows, ...answerRows, ...limitedRows }

for (const [regra, { dias, start, respostas, passos, fim }] of Object.entries(rows))
  test(regra, () => {
    const { passos: taken, andamento, desfecho } = walk(comeco(dias, start), respostas)
    assert.equal(taken.join(', '), passos)
    const [status, manifestacao, motivo, cstat, again] = fim
    assert.deepEqual(
      { ...desfecho, cstat: cstatDe(andamento, desfecho) },
      { fazer: 'responder', status, manifestacao, motivo, tentarDeNovo: again !== undefined, cstat },
    )
  })

test('the table reaches every status and every value of manifestacao', () => {
  const reached = new Set<string | null>(
    Object.values(rows).flatMap(({ fim: [status, valor] }) => [status, valor]),
  )
  const events = ['ciencia', 'confirmacao'].flatMap((e) =>
    ['registrada', 'ja_registrada', 'rejeitada', 'erro', 'nao_suportada'].map((s) => `${e}_${s}`),
  )
  const all =
    'ok somente_resumo nao_autorizado nao_encontrado fora_prazo chave_invalida erro cancelada'.split(' ')
  for (const valor of [...all, ...events, 'ciencia_fora_prazo', null])
    assert.ok(reached.has(valor), `${valor}`)
})
