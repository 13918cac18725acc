import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { generateDump } from '../../simulator/dados-abertos/dump.ts'
import { BANCO_DO_BRASIL } from '../harness.ts'
import { addressOf, pedidosTo } from '../kill.ts'
import { pausa } from '../pausa.ts'
import { type Program, startProgram } from '../program.ts'
import { putSample } from '../sample-base.ts'
import { sharedSimulator } from '../simulator.ts'

const KEY = 'chave-de-teste-0123456789'
const headers = { 'X-API-Key': KEY }
/** The state answers about it after two seconds. */
const LONGA = '/api/consultar?uf=AM&cnpj=98765002000176'

/** Waits until the service takes no connection. */
async function refused(address: string): Promise<void> {
  const knock = () => fetch(`${address}/health`, { headers: { connection: 'close' } })
  const isOpen = () =>
    knock().then(
      () => true,
      ({ message }) => assert.equal(message, 'fetch failed'),
    )
  while (await isOpen()) await pausa()
}

async function setup(t: TestContext) {
  const pasta = mkdtempSync(join(tmpdir(), 'parada-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  await putSample(join(pasta, 'dados/cnpj'))
  const SIMULATOR_URL = await sharedSimulator()
  const env = {
    DATA_DIR: join(pasta, 'dados'),
    SIMULATOR_URL,
    BOOTSTRAP_API_KEY: KEY,
    SEFAZ_MONITOR: 'desligado',
    PORT: '0',
    LOG_LEVEL: 'info',
  }
  const start = async (given = {}): Promise<Program> => {
    const program = startProgram('bin/servidor.js', [], pasta, { ...env, ...given })
    t.after(() => program.child.kill('SIGKILL'))
    await program.says(/base-cnpj'\n/)
    return program
  }
  return { pasta, env, start, simulador: SIMULATOR_URL }
}

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

test('SIGTERM to a service while a base is imported beside it: both end well, and the next start serves the new base', async (t) => {
  const { pasta, env, start } = await setup(t)
  const zips = join(pasta, 'zips')
  await generateDump({ pasta: zips, estabelecimentos: 3_000, versao: '2026-11' })
  const program = await start()
  const importing = startProgram(
    'bin/fiscal.js',
    ['cnpj', 'importar', zips, '--amostra', '--json'],
    pasta,
    env,
  )
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
  const halted = startProgram('bin/fiscal.js', command, pasta, env)
  await halted.says(/andamento/)
  halted.child.kill('SIGTERM')
  assert.equal(await halted.ended, 130, halted.said())
  assert.match(halted.said(), /Rode o mesmo comando de novo/)
  const between = await start()
  assert.match(between.said(), /Base CNPJ +2026-10/, 'the base before goes on answering')
  const again = startProgram('bin/fiscal.js', command, pasta, env)
  assert.equal(await again.ended, 0, again.said())
  assert.equal(await between.stop(), 0)
})
