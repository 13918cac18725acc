import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pausa } from '../kit/basics.ts'
import { start as startHere } from '../kit/house.ts'
import { pedidosTo } from '../kit/kill.ts'
import { addressOf, headers, LONGA, refused, setup } from '../kit/processes.ts'

// `npm run test:longo` has DRAIN_SECONDS, and the ends of an import.
test('SIGTERM in the middle of a long look-up: it is answered and charged, and nobody else is let in', async (t) => {
  const { start, env, simulador } = await setup(t)
  const program = await start()
  const address = addressOf(program)
  const before = await pedidosTo(simulador, 'nfe.sefaz.am.gov.br')
  const asked = fetch(address + LONGA, { headers })
  while ((await pedidosTo(simulador, 'nfe.sefaz.am.gov.br')) === before) await pausa()
  program.child.kill('SIGTERM')
  await program.says(/Encerrando/)
  await refused(address)
  const response = await asked
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('x-credits-charged'), '1')
  await response.text()
  assert.equal(await program.ended, 0)
  const again = await startHere({ ...env, LOG_LEVEL: 'silent' }, () => new Date())
  t.after(again.close)
  const conta = await again.ask('/api/v1/conta', { headers })
  assert.equal(Object(conta.body.creditos).disponiveis, 9_999)
})
