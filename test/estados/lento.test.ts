import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openMeios, perguntaCnd, rotasCnd, rotasIe } from '../kit/portal.ts'
import { reservado } from '../kit/simulator.ts'

const meios = openMeios()

/** This is time enough for the pages before the one that does not answer, with all states at it at once. */
const DEADLINE_MS = 15_000

/**
 * These tests run by themselves. Each waits out its deadline, and the questions of other files would use that
 * up before the slow page is asked.
 */
describe('slow states', { concurrency: 100 }, () => {
  for (const [nome, , rota] of rotasIe.filter(([, , { aceita }]) => aceita.includes('cnpj')))
    test(`${nome} is given up at the deadline`, async () => {
      const pergunta = { tipo: 'cnpj', documento: reservado('lento') } as const
      await assert.rejects(rota.ask(pergunta, meios({ deadlineMs: DEADLINE_MS })), { kind: 'timeout' })
    })

  for (const [nome, uf, rota] of rotasCnd)
    test(`${nome} is given up at the deadline`, async () => {
      const pergunta = await perguntaCnd(uf, reservado('cnd-lenta'), meios())
      await assert.rejects(rota.ask(pergunta, meios({ deadlineMs: DEADLINE_MS })), { kind: 'timeout' })
    })
})
