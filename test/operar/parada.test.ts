import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pausa } from '../kit/basics.ts'
import { BANCO_DO_BRASIL } from '../kit/house.ts'
import { pedidosTo } from '../kit/kill.ts'
import { addressOf, headers, LONGA, refused, setup } from '../kit/processes.ts'

test('with DRAIN_SECONDS a node that is told to stop says so in /ready, and answers new calls until then', async (t) => {
  const { start } = await setup(t)
  const program = await start({ DRAIN_SECONDS: '2' })
  const address = addressOf(program)
  const ready = async () => {
    const response = await fetch(`${address}/ready`)
    return [response.status, Object(await response.json()).status]
  }
  assert.deepEqual(await ready(), [200, 'ok'])
  program.child.kill('SIGTERM')
  await program.says(/Encerrando/)
  assert.deepEqual(await ready(), [503, 'encerrando'])
  const path = `${address}/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`
  const response = await fetch(path, { headers: { ...headers, connection: 'close' } })
  assert.equal(response.status, 200)
  await response.text()
  await refused(address)
  assert.equal(await program.ended, 0)
})

test('SIGTERM in the middle of a long look-up: it is answered and charged, and nobody else is let in', async (t) => {
  const { start, simulador } = await setup(t)
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
  const again = await start()
  const conta = await fetch(`${addressOf(again)}/api/v1/conta`, { headers })
  assert.equal(Object(await conta.json()).creditos.disponiveis, 9_999)
  assert.equal(await again.stop(), 0)
})
