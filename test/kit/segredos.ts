import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Linha } from '../../simulator/roteiro/linha.ts'
import { parseA1 } from '../../src/platform/wire/a1.ts'
import { startProgram } from './program.ts'
import { sharedSimulator } from './simulator.ts'

export const API_KEY = 'chave-de-teste-0123456789'

/** Everything that the process left: its output and every file of its data folder. */
export function leftBy(said: string, pasta: string): Buffer[] {
  const files = readdirSync(pasta, { recursive: true, encoding: 'utf8' }).map((name) => join(pasta, name))
  return [
    Buffer.from(said),
    ...files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file)),
  ]
}

/** Looks for the operator's secrets in all that a service leaves that answered these rows of the list. */
export async function provarOperador(t: TestContext, linhas: readonly Linha[]): Promise<void> {
  const pasta = mkdtempSync(join(tmpdir(), 'segredos-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  const simulador = await sharedSimulator()
  const pfx = Buffer.from(await (await fetch(`${simulador}/certificados/filial.pfx`)).arrayBuffer())
  const A1_FILE = join(pasta, 'operador.pfx')
  writeFileSync(A1_FILE, pfx)
  const env = {
    DATA_DIR: join(pasta, 'dados'),
    PORT: '0',
    LOG_LEVEL: 'debug',
    SIMULATOR_URL: simulador,
    IE_SECONDS: '1',
    CND_SECONDS: '1',
  }
  const program = startProgram('bin/servidor.js', [], pasta, {
    ...env,
    A1_FILE,
    A1_PASSWORD: 'senha-filial',
    BOOTSTRAP_API_KEY: API_KEY,
  })
  await program.says(/base-cnpj'\n/)
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(program.said())?.[0]
  const documents = new Set<string>()
  let answers = ''
  for (const { endpoint, parametros, espera } of linhas) {
    const query = new URLSearchParams(parametros)
    const answer = await fetch(`${address}${endpoint}?${query}`, { headers: { 'X-API-Key': API_KEY } })
    answers += await answer.text()
    if (espera.http !== 200) continue
    for (const document of [parametros.cnpj, parametros.cpf]) if (document) documents.add(document)
  }
  await program.stop()
  const { key } = parseA1(pfx, 'senha-filial')
  const secrets = [
    Buffer.from('senha-filial'),
    pfx.subarray(100, 160),
    Buffer.from(pfx.toString('base64').slice(200, 260)),
    key.subarray(60, 120),
  ]
  const left = leftBy(program.said() + answers, env.DATA_DIR)
  for (const secret of secrets)
    for (const found of left) assert.ok(!found.includes(secret), secret.toString('latin1'))
  const log = program.said().slice(program.said().indexOf('{'))
  assert.ok(!log.includes(API_KEY), 'no key in the log')
  assert.match(log, /"endpoint":"\/api\/consultar"/, 'the log has a line a request')
  assert.ok(documents.size > 20, `only ${documents.size} documents were answered about`)
  for (const document of documents) assert.ok(!log.includes(document), 'no whole document in the log')
}
