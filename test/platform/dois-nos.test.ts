import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newPostgres } from '../kit/databases.ts'
import { type House, queriesTo, start } from '../kit/house.ts'
import { entriesOf, succeeded } from '../kit/portal.ts'

const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'
// The nodes have a suite of their own. They must not outlive it, nor dial their database while another file
// counts the connections.
describe('two nodes on one database', () => {
  let nodes: House[] = []
  let env: Record<string, string> = {}

  before(async () => {
    env = { DATABASE_URL: await newPostgres(), SERVER_SECRET, IE_SECONDS: '6' }
    // They start one after the other, since the first makes the initial account.
    const first = await start(env)
    nodes = [first, await start(env)]
  })
  after(async () => {
    await Promise.all(nodes.map((node) => node.close()))
  })

  test('what the operator must mend is said as on the embedded database, though the way there takes longer', async () => {
    const broken = { ...env, AUTHORITIES: 'live', A1_FILE: '/nao/existe.pfx' }
    await assert.rejects(start(broken), { name: 'StartError', message: /A1_FILE.*não existe/ })
  })

  describe('that wait for one state', { concurrency: true }, () => {
    test('equal questions to two nodes at once are asked of the state once, and each is charged', async () => {
      const [one, other] = nodes
      assert.ok(one && other)
      const { key } = await one.open('starter')
      const before = await queriesTo(one, 'nfe.sefaz.am.gov.br')
      // The state answers about this document after two seconds, so all calls wait when it does.
      const path = '/api/consultar?uf=AM&cnpj=98765002000176'
      const answers = await Promise.all([one, other, one, other].map((node) => node.ask(path, { key })))
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200],
      )
      const [first] = answers
      for (const { body } of answers) assert.deepEqual(body.results, first?.body.results)
      assert.equal((await queriesTo(one, 'nfe.sefaz.am.gov.br')) - before, 1)
      const { headers, body } = await other.ask(path, { key })
      assert.equal(body.cached, true)
      assert.equal(headers.get('x-credits-remaining'), '995')
    })

    test('a failing state keeps no node waiting for another past its own deadline', async () => {
      const [one, other] = nodes
      assert.ok(one && other)
      const { key } = await one.open('lite')
      const path = '/api/consultar?uf=AC&cnpj=98765001000121'
      const answers = await Promise.all([one, other].map((node) => node.ask(path, { key })))
      for (const { status, headers } of answers) {
        assert.equal(status, 503)
        assert.equal(headers.get('x-credits-charged'), '0')
      }
      const { headers } = await one.ask('/api/consultar?uf=SP&cnpj=99001002000162', { key })
      assert.equal(headers.get('x-credits-remaining'), '99')
    })
  })

  test('one question to every state on two nodes at once is asked of each state once, and each call is charged', async () => {
    const [one, other] = nodes
    assert.ok(one && other)
    const accounts = await Promise.all([one.open('lite'), one.open('lite')])
    const hosts = ['nfe.sefaz.pe.gov.br', 'nfe.fazenda.sp.gov.br']
    const before = await Promise.all(hosts.map((host) => queriesTo(one, host)))
    const path = '/api/consultar-ie-todos?cnpj=98765002000176'
    const answers = await Promise.all(
      [one, other].map((node, at) => node.ask(path, { key: accounts[at]?.key ?? '' })),
    )
    // A state that failed for one node is asked again by the other, which has its own deadline.
    for (const { body } of answers)
      assert.deepEqual(
        succeeded(entriesOf(body)).filter((uf) => uf === 'PE' || uf === 'SP'),
        ['PE', 'SP'],
      )
    const after = await Promise.all(hosts.map((host) => queriesTo(one, host)))
    assert.deepEqual(
      after.map((count, at) => count - (before[at] ?? 0)),
      [1, 1],
    )
    for (const { body, headers } of answers) {
      const charged = succeeded(entriesOf(body)).length
      assert.ok(charged > 2)
      assert.equal(headers.get('x-credits-charged'), String(charged))
      assert.equal(headers.get('x-credits-remaining'), String(100 - charged))
    }
  })
})
