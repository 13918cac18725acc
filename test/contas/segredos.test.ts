import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { API_KEY, leftBy } from '../kit/contas.ts'
import { askOf } from '../kit/house.ts'
import { newVisitor, SENHA } from '../kit/pages.ts'
import { addressOf, startChild } from '../kit/processes.ts'
import { sharedSimulator } from '../kit/simulator.ts'

// `npm run test:longo` looks for the operator's secrets, by a quarter of the list.
test('passwords, tokens, cookies and keys of people are in no log and in no file', async (t) => {
  const pasta = mkdtempSync(join(tmpdir(), 'segredos-de-pessoas-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  const DATA_DIR = join(pasta, 'dados')
  const SIMULATOR_URL = await sharedSimulator()
  const env = { DATA_DIR, SIMULATOR_URL, PORT: '0', LOG_LEVEL: 'debug', SEFAZ_MONITOR: 'desligado' }
  const program = startChild('bin/servidor.js', [], pasta, { ...env, BOOTSTRAP_API_KEY: API_KEY })
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
  const visitor = newVisitor({ ask })
  await visitor.submit('/entrar/', { email, senha: errada })
  await visitor.submit('/entrar/', { email, senha: SENHA })
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
