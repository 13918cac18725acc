import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LeituraSefaz, Resultado } from '../../src/sefaz/rules.ts'
import { classify, type Situacao } from '../../src/sefaz/rules.ts'

const leitura = (resultado: Resultado, respostaMs: number | null = null): LeituraSefaz => ({
  autorizador: 'nfe-sp',
  em: 0,
  resultado,
  conexaoMs: null,
  tlsMs: null,
  respostaMs,
  cStat: resultado === 'resposta' ? 107 : null,
  motivo: '',
  desmentida: null,
})

/** Readings of answers, the newest first. */
const respostas = (...ms: number[]): LeituraSefaz[] => ms.map((one) => leitura('resposta', one))

describe('the status codes of the specification', () => {
  const linhas: [nome: string, leituras: LeituraSefaz[], esperada: Situacao][] = [
    ['0: no reading', [], { status_code: 0, status: 'Indisponível', status_avg: 0 }],
    ['1: below 2 seconds', respostas(1_994), { status_code: 1, status: 'Normal', status_avg: 1.99 }],
    ['2: from 2 seconds', respostas(2_000), { status_code: 2, status: 'Lento', status_avg: 2 }],
    ['2: to 6 seconds', respostas(5_990), { status_code: 2, status: 'Lento', status_avg: 5.99 }],
    ['3: from 6 seconds', respostas(6_000), { status_code: 3, status: 'Muito lento', status_avg: 6 }],
    ['3: to 30 seconds', respostas(29_990), { status_code: 3, status: 'Muito lento', status_avg: 29.99 }],
    ['4: an error', [leitura('erro')], { status_code: 4, status: 'Erro', status_avg: 0 }],
    [
      '5: no answer within the limit',
      [leitura('timeout')],
      { status_code: 5, status: 'Timeout', status_avg: 0 },
    ],
  ]
  for (const [nome, leituras, esperada] of linhas)
    test(nome, () => assert.deepEqual(classify(leituras), esperada))
})

test('an error or a time-out is the class of the last reading, whatever came before', () => {
  assert.equal(classify([leitura('erro'), ...respostas(300, 300)]).status_code, 4)
  assert.equal(classify([leitura('timeout'), leitura('erro')]).status_code, 5)
})

test('else the mean of the answered readings of the last rounds is rounded, then classified', () => {
  assert.deepEqual(classify(respostas(1_000, 2_000, 2_970)), {
    status_code: 1,
    status: 'Normal',
    status_avg: 1.99,
  })
  // 1.996 s is 2.00 s when rounded.
  assert.equal(classify(respostas(1_996)).status_code, 2)
  // An authority that says at once that it is paused answers soon, and is no answer.
  assert.deepEqual(classify([...respostas(900), leitura('erro', 40), ...respostas(1_100)]), {
    status_code: 1,
    status: 'Normal',
    status_avg: 1,
  })
})

test('a public page tells no time: normal or an error, with an average of 0', () => {
  assert.deepEqual(classify([leitura('disponivel')]), {
    status_code: 1,
    status: 'Normal',
    status_avg: 0,
  })
  assert.equal(classify([leitura('indisponivel')]).status_code, 4)
  // The certificate ended a round ago: the times of the services are no longer those of now.
  assert.deepEqual(classify([leitura('disponivel'), ...respostas(7_000, 7_000)]), {
    status_code: 1,
    status: 'Normal',
    status_avg: 0,
  })
})
