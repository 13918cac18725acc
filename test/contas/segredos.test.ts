import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { load } from 'cheerio'
import { API_KEY, leftBy } from '../kit/contas.ts'
import { putSample } from '../kit/databases.ts'
import { askOf, type House } from '../kit/house.ts'
import { newVisitor, SENHA } from '../kit/pages.ts'
import { addressOf, type Child, startChild } from '../kit/processes.ts'
import { sharedSimulator } from '../kit/simulator.ts'

// `npm run test:longo` looks for the operator's secrets, by a quarter of the list.
describe('what people keep secret, in one service that logs all', { concurrency: false }, () => {
  const pasta = mkdtempSync(join(tmpdir(), 'segredos-de-pessoas-'))
  let program: Child
  let ask: House['ask']
  /** What may be nowhere, and what may not be in the log. */
  const secrets: string[] = []
  const unlogged = ['argon2id']

  before(async () => {
    const DATA_DIR = join(pasta, 'dados')
    await putSample(join(DATA_DIR, 'cnpj'))
    const SIMULATOR_URL = await sharedSimulator()
    const env = { DATA_DIR, SIMULATOR_URL, PORT: '0', LOG_LEVEL: 'debug', SEFAZ_MONITOR: 'desligado' }
    program = startChild('bin/servidor.js', [], pasta, { ...env, BOOTSTRAP_API_KEY: API_KEY })
    await program.says(/base-cnpj'\n/)
    ask = askOf(addressOf(program), null)
  })
  after(() => {
    program.child.kill('SIGKILL')
    rmSync(pasta, { recursive: true, force: true })
  })

  const send = (path: string, body: object, headers = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  test('a person signs up and logs in, by the API and by the pages', async () => {
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
    assert.ok(cookies.length > 0)
    const own = [SENHA, errada, nova, String(access_token), ...cookies.map((one) => decodeURIComponent(one))]
    assert.ok(own.every((secret) => secret.length >= 20))
    secrets.push(...own)
  })

  test('a person puts a password and a token where none belongs', async () => {
    const email = 'bia@exemplo.com.br'
    const senha = `senha ${randomBytes(12).toString('hex')}`
    await send('/api/v1/auth/registrar', { nome: 'Bia Souza', email, senha })
    await send('/api/v1/auth/registrar', { nome: 'Bia Souza', email, senha: [senha] })
    await send('/api/v1/auth/login', { email: senha, senha })
    const { access_token } = (await send('/api/v1/auth/login', { email, senha })).body
    await ask('/api/v1/conta', { headers: { Authorization: `Bearer ${access_token}` } })
    await ask(`/api/v1/conta?access_token=${access_token}`)
    assert.equal(typeof access_token, 'string')
    secrets.push(senha, String(access_token))
    unlogged.push(email)
  })

  test('a person uses the forms of passwords, keys and letters', async () => {
    const [senha, nova] = ['uma senha que ninguém vê', 'outra senha que ninguém vê']
    const codigo = 'codigo-que-ninguem-ve-0123456789'
    const email = 'maria@exemplo.test'
    const visitor = newVisitor({ ask })
    await visitor.submit('/criar-conta/', { nome: 'Maria', email, senha: 'curta!!' })
    await visitor.submit('/criar-conta/', { nome: 'Maria', email, senha })
    const acesso = visitor.cookies.get('acesso') ?? ''
    const settings = '/painel/configuracoes/'
    const shown = await visitor.submit(`${settings}chave/mostrar/`, {}, settings)
    const key = load(shown.text)('#chave').text()
    const _csrf = load(shown.text)('[name="_csrf"]').attr('value') ?? ''
    await visitor.submit(`${settings}senha/`, { atual: 'errada errada', nova }, settings)
    await visitor.submit(`${settings}senha/`, { atual: senha, nova }, settings)
    await newVisitor({ ask }).get(`/nova-senha/?codigo=${codigo}`)
    await newVisitor({ ask }).submit('/confirmar-email/', {}, `/confirmar-email/?codigo=${codigo}`)
    assert.match(key, /^fk_/)
    secrets.push(senha, nova, 'curta!!', 'errada errada', acesso, key, _csrf, codigo)
    unlogged.push(email)
  })

  test('no password, token, cookie, code or key is in the log or in a file, and no e-mail in the log', async () => {
    await program.stop()
    const log = program.said()
    for (const endpoint of ['/api/v1/auth/login', '/painel/configuracoes/senha/', '/nova-senha'])
      assert.ok(log.includes(`"endpoint":"${endpoint}`), endpoint)
    assert.ok(secrets.length >= 15 && secrets.every((secret) => secret.length > 6))
    const left = leftBy(log, pasta)
    for (const secret of secrets) for (const found of left) assert.ok(!found.includes(secret), secret)
    for (const secret of unlogged) assert.ok(!log.includes(secret), secret)
  })
})
