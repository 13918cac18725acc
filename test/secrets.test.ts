import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { listRoteiro } from '../simulator/roteiro/roteiro.ts'
import { parseA1 } from '../src/platform/wire/a1.ts'
import { askOf } from './harness.ts'
import { addressOf } from './kill.ts'
import { startProgram } from './program.ts'
import { sharedSimulator } from './simulator.ts'
import { SENHA, visitar } from './web/visitante.ts'

const API_KEY = 'chave-de-teste-0123456789'

/** Everything that the process left: its output and every file of its data folder. */
function leftBy(said: string, pasta: string): Buffer[] {
  const files = readdirSync(pasta, { recursive: true, encoding: 'utf8' }).map((name) => join(pasta, name))
  return [
    Buffer.from(said),
    ...files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file)),
  ]
}

test("the operator's certificate, its password and its key are in no log, file or answer", {
  // It asks a quarter of the list in turn; on a slow machine that took most of the usual 120 s (2026-11-24).
  timeout: 300_000,
}, async (t) => {
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
  for (const { endpoint, parametros, espera } of listRoteiro().filter((_, i) => i % 4 === 0)) {
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
})

test('passwords, tokens, cookies and keys of people are in no log and in no file', async (t) => {
  const pasta = mkdtempSync(join(tmpdir(), 'segredos-de-pessoas-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  const DATA_DIR = join(pasta, 'dados')
  const SIMULATOR_URL = await sharedSimulator()
  const env = { DATA_DIR, SIMULATOR_URL, PORT: '0', LOG_LEVEL: 'debug', SEFAZ_MONITOR: 'desligado' }
  const program = startProgram('bin/servidor.js', [], pasta, { ...env, BOOTSTRAP_API_KEY: API_KEY })
  t.after(() => program.child.kill('SIGKILL'))
  await program.says(/base-cnpj'\n/)
  const ask = askOf(addressOf(program), null)
  const send = (path: string, body: object, headers = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const [email, errada, nova] = ['ana@exemplo.test', 'senha que nunca valeu', 'outra frase bem comprida']
  assert.equal((await send('/api/v1/auth/registrar', { nome: 'Ana', email, senha: SENHA })).status, 200)
  assert.equal((await send('/api/v1/auth/login', { email, senha: errada })).status, 401)
  const { access_token } = (await send('/api/v1/auth/login', { email, senha: SENHA })).body
  const bearer = { authorization: `Bearer ${access_token}` }
  assert.equal((await ask('/api/v1/conta', { headers: bearer })).status, 200)
  const visitor = visitar({ ask })
  await visitor.enviar('/entrar/', { email, senha: errada })
  await visitor.enviar('/entrar/', { email, senha: SENHA })
  const cookies = [...visitor.cookies.values()]
  assert.equal((await visitor.get('/painel/')).status, 200)
  const shown = await visitor.get('/painel/configuracoes/')
  assert.equal(shown.status, 200)
  await send('/api/v1/auth/login', { email, senha: nova })
  await program.stop()
  const secrets = [
    SENHA,
    errada,
    nova,
    String(access_token),
    ...cookies.map((one) => decodeURIComponent(one)),
  ]
  assert.ok(cookies.length > 0 && secrets.every((secret) => secret.length >= 20))
  for (const secret of secrets)
    for (const found of leftBy(program.said(), DATA_DIR)) assert.ok(!found.includes(secret), secret)
})
