import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { pausa } from './pausa.ts'
import { type Program, startProgram } from './program.ts'
import { putSample } from './sample-base.ts'
import { sharedSimulator } from './simulator.ts'

export const KEY = 'chave-de-teste-0123456789'
export const headers = { 'X-API-Key': KEY }
/** The state answers about it after two seconds. */
export const LONGA = '/api/consultar?uf=AM&cnpj=98765002000176'

/** Waits until the service takes no connection. */
export async function refused(address: string): Promise<void> {
  const knock = () => fetch(`${address}/health`, { headers: { connection: 'close' } })
  const isOpen = () =>
    knock().then(
      () => true,
      ({ message }) => assert.equal(message, 'fetch failed'),
    )
  while (await isOpen()) await pausa()
}

export async function setup(t: TestContext) {
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
