import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { load } from 'cheerio'
import type { House } from '../kit/house.ts'
import { newVisitor } from '../kit/pages.ts'
import { startChild } from '../kit/processes.ts'
import { sharedSimulator } from '../kit/simulator.ts'

const SENHA = 'uma senha que ninguém vê'
const NOVA = 'outra senha que ninguém vê'
const CODIGO = 'codigo-que-ninguem-ve-0123456789'

test('no log and no file holds a password, a session, a code of a letter or a key that passed the pages', async (t) => {
  const pasta = mkdtempSync(join(tmpdir(), 'rastro-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  const program = startChild('bin/servidor.js', [], pasta, {
    DATA_DIR: join(pasta, 'dados'),
    PORT: '0',
    LOG_LEVEL: 'debug',
    SIMULATOR_URL: await sharedSimulator(),
    SEFAZ_MONITOR: 'desligado',
  })
  await program.says(/base-cnpj'\n/)
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(program.said())?.[0] ?? ''
  const house: Pick<House, 'ask'> = {
    ask: async (path, { key: _, ...init } = {}) => {
      const response = await fetch(address + path, { redirect: 'manual', ...init })
      return { status: response.status, headers: response.headers, text: await response.text(), body: {} }
    },
  }
  const email = 'maria@exemplo.test'
  const visitor = newVisitor(house)
  await visitor.submit('/criar-conta/', { nome: 'Maria', email, senha: 'curta!!' })
  await visitor.submit('/criar-conta/', { nome: 'Maria', email, senha: SENHA })
  const acesso = visitor.cookies.get('acesso') ?? ''
  const shown = await visitor.submit('/painel/configuracoes/chave/mostrar/', {}, '/painel/configuracoes/')
  const key = load(shown.text)('#chave').text()
  const _csrf = load(shown.text)('[name="_csrf"]').attr('value') ?? ''
  await visitor.submit(
    '/painel/configuracoes/senha/',
    { atual: 'errada errada', nova: NOVA },
    '/painel/configuracoes/',
  )
  await visitor.submit('/painel/configuracoes/senha/', { atual: SENHA, nova: NOVA }, '/painel/configuracoes/')
  await newVisitor(house).get(`/nova-senha/?codigo=${CODIGO}`)
  await newVisitor(house).submit('/confirmar-email/', {}, `/confirmar-email/?codigo=${CODIGO}`)
  await program.stop()
  assert.match(key, /^fk_/)
  const files = readdirSync(pasta, { recursive: true, encoding: 'utf8' }).map((name) => join(pasta, name))
  const left = [
    Buffer.from(program.said()),
    ...files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file)),
  ]
  assert.match(program.said(), /"endpoint":"\/painel\/configuracoes\/senha\/"/)
  assert.match(program.said(), /"endpoint":"\/nova-senha\/?"/)
  for (const segredo of [SENHA, NOVA, 'curta!!', 'errada errada', acesso, key, _csrf, CODIGO])
    for (const found of left) assert.ok(!found.includes(segredo), segredo)
  assert.ok(!program.said().includes(email), 'no e-mail in the log')
})
