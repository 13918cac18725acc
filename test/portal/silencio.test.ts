import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTurns } from '../kit/basics.ts'
import { capturasDe, casosDe, provaDe, replay } from '../kit/mutations.ts'
import { openMeios } from '../kit/portal.ts'

const meios = openMeios()

/** A few of the cases of `npm run test:longo`: every route, each with mutations of its own. */
test('a page that answered yesterday, changed without an error, is no answer that is wrong or charged', async () => {
  const capturas = await capturasDe(meios)
  for (const captura of capturas) {
    const last = captura.replies.at(-1)
    assert.ok(last)
    const fim = await replay(captura, meios(), last)
    assert.deepEqual(
      'answer' in fim && fim.answer,
      captura.answer,
      `${captura.alvo.nome}: repeated as it came`,
    )
    assert.deepEqual(fim.rotulos, [], `${captura.alvo.nome}: labels that nobody knows`)
  }
  const casos = casosDe(capturas, 2)
  assert.ok(casos.length >= 60, `${casos.length} mutations`)
  await inTurns(casos, 4, ({ captura, mutacao }) => provaDe(captura, mutacao, meios))
})
