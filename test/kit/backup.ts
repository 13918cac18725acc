import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fiscal } from './fiscal.ts'
import { BANCO_DO_BRASIL } from './harness.ts'
import { addressOf } from './kill.ts'
import { pausa } from './pausa.ts'
import { type Program, startProgram } from './program.ts'
import { putSample } from './sample-base.ts'
import { sharedSimulator } from './simulator.ts'

/** An installation on the embedded database, in a folder that is lost with the test. */
export async function install(t: TestContext) {
  const pasta = mkdtempSync(join(tmpdir(), 'backup-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  const dados = join(pasta, 'dados')
  const env = {
    DATA_DIR: dados,
    PORT: '0',
    LOG_LEVEL: 'silent',
    SEFAZ_MONITOR: 'desligado',
    SIMULATOR_URL: await sharedSimulator(),
  }
  const startServer = async (): Promise<Program> => {
    await putSample(join(dados, 'cnpj'))
    const program = startProgram('bin/servidor.js', [], pasta, env)
    t.after(() => program.child.kill('SIGKILL'))
    await program.says(/base-cnpj'\n/)
    return program
  }
  const open = async (email: string): Promise<{ id: string; chave: string }> => {
    const made = await fiscal(
      env,
      'contas',
      'criar',
      '--nome',
      'A',
      '--email',
      email,
      '--plano',
      'enterprise',
      '--json',
    )
    assert.equal(made.code, 0, made.stderr)
    return JSON.parse(made.stdout)
  }
  return { pasta, dados, env, banco: join(dados, 'consulta-fiscal.db'), startServer, open }
}

/** Asks without pause until the server dies. Notes the ids of the answers that came whole. */
export async function askUntilDeath(address: string, chave: string, answered: string[]): Promise<void> {
  for (;;) {
    try {
      const url = `${address}/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`
      const response = await fetch(url, { headers: { 'X-API-Key': chave } })
      const { request_id } = JSON.parse(await response.text())
      if (response.status !== 200) throw new Error(`HTTP ${response.status}`)
      answered.push(request_id)
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) return
      throw error
    }
  }
}

export const send = (program: Program, path: string, body: object): Promise<Response> =>
  fetch(addressOf(program) + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

export const until = async (ready: () => boolean): Promise<void> => {
  while (!ready()) await pausa()
}
