import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { RotaNaoAtende } from '../../src/platform/wire/fonte.ts'
import { inTurns } from '../kit/basics.ts'
import { alvos, askAlvo, capturasDe, casosDe, documentosDe, perguntaDe, provaDe } from '../kit/mutations.ts'
import { openMeios } from '../kit/portal.ts'

const meios = openMeios()

test('none of the mutations of all routes’ pages becomes an answer that is wrong or charged', async (t) => {
  const casos = casosDe(await capturasDe(meios))
  assert.ok(casos.length >= 400, `${casos.length} mutations`)
  await inTurns(casos, 4, ({ captura, mutacao }) => provaDe(captura, mutacao, meios))
  t.diagnostic(`${casos.length} mutations`)
})

/** Documents asked of each route. */
const EACH = 42

test('none of 2,000 good answers becomes a failure, or shows a label that nobody knows', async (t) => {
  const routes = alvos.filter(({ rota }) => rota.certeza !== 'desconhecido')
  const counts = await inTurns(routes, 4, async (alvo) => {
    // MG issues no certificate to a holder without an address there. That is an outcome of its own.
    const nobody = alvo.servico === 'ie' ? [exemplos().semInscricao] : []
    const documentos = [...documentosDe(alvo, EACH), ...nobody]
    let good = 0
    for (const documento of documentos) {
      const fim = await askAlvo(alvo, await perguntaDe(alvo, meios(), documento), meios())
      // A question that the state does not take (a CPF, cStat 262) is neither an answer nor a failure.
      if ('error' in fim && fim.error instanceof RotaNaoAtende) continue
      assert.ok('answer' in fim, `${alvo.nome} ${documento}: ${'error' in fim ? fim.error : ''}`)
      assert.deepEqual(fim.rotulos, [], `${alvo.nome} ${documento}`)
      good += 1
    }
    return good
  })
  const good = counts.reduce((sum, one) => sum + one, 0)
  assert.ok(good >= 2_000, `${good} good answers`)
  t.diagnostic(`${good} good answers`)
})
