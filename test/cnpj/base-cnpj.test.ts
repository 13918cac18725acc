import assert from 'node:assert/strict'
import { closeSync, openSync, readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { BANCO_DO_BRASIL, type House, start } from '../kit/house.ts'

let house: House
before(async () => {
  house = await start()
})
after(() => house.close())

test('the service tells which monthly base it answers from, free of charge', async () => {
  const { status, body, headers } = await house.ask('/api/v1/base-cnpj')
  assert.equal(status, 200)
  assert.equal(body.versao, '2026-10')
  assert.equal(body.data_extracao, '2026-10-10')
  assert.equal(body.amostra, true)
  assert.ok(Number(body.estabelecimentos) > 3000)
  assert.equal(headers.get('x-base-cnpj'), '2026-10')
  assert.equal(headers.get('x-credits-charged'), '0')
})

test('the version of the base needs a key', async () => {
  assert.equal((await house.ask('/api/v1/base-cnpj', { key: null })).status, 401)
})

test('503 SITE_INDISPONIVEL: without a base, in production, the answer says what is missing and charges nothing', async () => {
  const key = `fk_${'0'.repeat(32)}`
  const live = await start({ AUTHORITIES: 'live', BOOTSTRAP_API_KEY: house.apiKey ?? key })
  try {
    for (const path of [`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, '/api/v1/base-cnpj']) {
      const { status, body, headers } = await live.ask(path)
      assert.equal(status, 503)
      assert.equal(body.error_code, 'SITE_INDISPONIVEL')
      assert.match(String(body.detail), /importada/)
      assert.equal(headers.get('x-credits-charged'), '0')
      assert.equal(headers.get('x-ambiente'), 'producao')
    }
    assert.equal((await live.ask('/ready', { key: null })).status, 503)
  } finally {
    await live.close()
  }
})

test('500 ERRO_INTERNO: a damaged base tells nothing of the inside and charges nothing', async () => {
  const broken = await start()
  try {
    const folder = join(broken.pasta, 'cnpj/versoes/2026-10')
    const largest = readdirSync(folder)
      .map((name) => join(folder, name))
      .sort((a, b) => statSync(b).size - statSync(a).size)[0]
    assert.ok(largest)
    truncateSync(largest, 16)
    closeSync(openSync(largest, 'r'))
    const { status, body, text, headers } = await broken.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`)
    assert.equal(status, 500)
    assert.equal(body.error_code, 'ERRO_INTERNO')
    assert.doesNotMatch(text, /\.ts|at |Error|versoes/)
    assert.equal(headers.get('x-credits-charged'), '0')
  } finally {
    await broken.close()
  }
})
