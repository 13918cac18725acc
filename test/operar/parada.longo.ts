import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { generateDump } from '../../simulator/dados-abertos/dump.ts'
import { BANCO_DO_BRASIL } from '../kit/house.ts'
import { addressOf, headers, refused, setup, startChild } from '../kit/processes.ts'

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

test('SIGTERM to a service while a base is imported beside it: both end well, and the next start serves the new base', async (t) => {
  const { pasta, env, start } = await setup(t)
  const zips = join(pasta, 'zips')
  await generateDump({ pasta: zips, estabelecimentos: 3_000, versao: '2026-11' })
  const program = await start()
  const importing = startChild('bin/fiscal.js', ['cnpj', 'importar', zips, '--amostra', '--json'], pasta, env)
  await importing.says(/andamento/)
  const answer = await fetch(`${addressOf(program)}/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { headers })
  assert.equal(answer.status, 200)
  program.child.kill('SIGTERM')
  assert.equal(await program.ended, 0)
  assert.equal(await importing.ended, 0, importing.said())
  const again = await start()
  assert.match(again.said(), /Base CNPJ +2026-11/)
  assert.equal(await again.stop(), 0)
})

test('SIGTERM to an import: it says how to go on, and the same command does', async (t) => {
  const { pasta, env, start } = await setup(t)
  const zips = join(pasta, 'zips')
  await generateDump({ pasta: zips, estabelecimentos: 8_000, versao: '2026-11' })
  const command = ['cnpj', 'importar', zips, '--amostra', '--json']
  const halted = startChild('bin/fiscal.js', command, pasta, env)
  await halted.says(/andamento/)
  halted.child.kill('SIGTERM')
  assert.equal(await halted.ended, 130, halted.said())
  assert.match(halted.said(), /Rode o mesmo comando de novo/)
  const between = await start()
  assert.match(between.said(), /Base CNPJ +2026-10/, 'the base before goes on answering')
  const again = startChild('bin/fiscal.js', command, pasta, env)
  assert.equal(await again.ended, 0, again.said())
  assert.equal(await between.stop(), 0)
})
