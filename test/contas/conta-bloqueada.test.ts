import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { blockConta, unblockConta } from '../../src/contas/store-contas.ts'
import { NOW } from '../kit/basics.ts'
import { newPostgres } from '../kit/databases.ts'
import { askAndReach, BANCO_DO_BRASIL, type House, queriesTo, start } from '../kit/house.ts'

const CNPJ = `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`
/** The state answers about this document after two seconds. */
const SLOW = '/api/consultar?uf=AM&cnpj=98765002000176'

describe('a blocked account', () => {
  let nodes: House[] = []
  const clock = { now: NOW }
  const later = (ms: number): void => {
    clock.now = new Date(clock.now.getTime() + ms)
  }

  before(async () => {
    const env = { DATABASE_URL: await newPostgres(), SERVER_SECRET: 'segredo-de-teste-com-mais-de-32-letras' }
    // They start one after the other, since the first makes the initial account.
    const first = await start(env, () => clock.now)
    nodes = [first, await start(env, () => clock.now)]
  })
  after(async () => {
    await Promise.all(nodes.map((node) => node.close()))
  })

  test('403 CONTA_BLOQUEADA: within five seconds every node refuses its keys and tells why; others go on', async () => {
    const [one, other] = nodes
    assert.ok(one && other)
    const { conta, key } = await one.open('lite')
    const bystander = await one.open('lite')
    for (const node of [one, other]) assert.equal((await node.ask(CNPJ, { key })).status, 200)
    await blockConta(one.rooms.platform.db, conta.id, {
      motivo: 'fatura de outubro em aberto',
      now: clock.now,
    })
    later(5_000)
    for (const node of [one, other]) {
      for (const path of [CNPJ, '/api/consultar', '/api/v1/fontes', '/api/v1/base-cnpj']) {
        const { status, headers, body } = await node.ask(path, { key })
        assert.deepEqual([status, body.error_code], [403, 'CONTA_BLOQUEADA'], path)
        assert.match(String(body.detail), /Motivo: fatura de outubro em aberto$/)
        assert.equal(headers.get('x-credits-charged'), '0')
        assert.equal(headers.get('x-credits-remaining'), '98')
        assert.equal(headers.get('retry-after'), null)
      }
      assert.equal((await node.ask(CNPJ, { key: bystander.key })).status, 200)
    }
  })

  test('its requests count for its rate limit, and without a valid key nobody learns of the block', async () => {
    const [one] = nodes
    assert.ok(one)
    const { conta, key } = await one.open('lite')
    await blockConta(one.rooms.platform.db, conta.id, { motivo: 'abuso', now: clock.now })
    const codes = []
    for (let i = 0; i < 31; i++) codes.push((await one.ask(CNPJ, { key })).body.error_code)
    assert.deepEqual(
      [codes[0], codes[29], codes[30]],
      ['CONTA_BLOQUEADA', 'CONTA_BLOQUEADA', 'RATE_LIMIT_EXCEEDED'],
    )
    const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
    assert.equal((await one.ask(CNPJ, { key: wrong })).body.error_code, 'NAO_AUTENTICADO')
  })

  test('what runs when the block comes is finished and charged; the next call asks nobody', async () => {
    const [one] = nodes
    assert.ok(one)
    const { conta, key } = await one.open('lite')
    const host = 'nfe.sefaz.am.gov.br'
    const before = await queriesTo(one, host)
    const { answer } = await askAndReach(one, { path: SLOW, key, host })
    await blockConta(one.rooms.platform.db, conta.id, { motivo: 'abuso', now: clock.now })
    later(5_000)
    assert.equal((await one.ask(SLOW, { key })).status, 403)
    const { status, headers } = await answer
    assert.deepEqual([status, headers.get('x-credits-charged')], [200, '1'])
    assert.equal((await queriesTo(one, host)) - before, 1)
  })

  test('once it is unblocked its keys are good again, within five seconds', async () => {
    const [one, other] = nodes
    assert.ok(one && other)
    const { conta, key } = await one.open('lite')
    const { db } = one.rooms.platform
    assert.equal(await unblockConta(db, conta.id), false)
    await blockConta(db, conta.id, { motivo: 'abuso', now: clock.now })
    assert.equal((await other.ask(CNPJ, { key })).status, 403)
    assert.equal(await unblockConta(db, conta.id), true)
    later(5_000)
    assert.equal((await other.ask(CNPJ, { key })).status, 200)
  })
})
