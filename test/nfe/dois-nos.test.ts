import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newPostgres } from '../kit/databases.ts'
import { type House, start } from '../kit/house.ts'
import { HORA_MS, type NfeHouse, startNfe } from '../kit/nfe.ts'

const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'

// The nodes have a suite of their own. They must not outlive it, nor dial their database while another file
// counts the connections.
describe('notes asked of two nodes on one database (PostgreSQL)', { concurrency: false }, () => {
  let house: NfeHouse
  let other: House
  let key: string
  let env: Record<string, string> = {}

  before(async () => {
    env = { DATABASE_URL: await newPostgres(), SERVER_SECRET }
    // They start one after the other, since the first makes the initial account.
    house = await startNfe(env)
    other = await start({ ...env, SIMULATOR_URL: house.simulador }, house.now)
    key = (await house.open('enterprise')).key
  })
  after(async () => {
    await other.close()
    await house.close()
  })

  test('equal calls to both at once ask once, register one event, and are both charged', async () => {
    const chave = house.chaveDe('ciencia')
    const body = { chave, ...(await house.a1('nfe-ciencia')) }
    house.passos()
    const answers = await Promise.all([house, other, house, other].map((em) => house.post(body, { key, em })))
    for (const { body: told, text } of answers) assert.match(text, /"status":"ok"/, String(told.detail))
    assert.deepEqual(house.eventos(chave), ['210210'])
    assert.equal(house.passos(), 'consulta 210210 consulta')
    for (const { headers } of answers) assert.equal(headers.get('x-credits-charged'), '3')
  })

  test('a note that one node got is served by the other, sealed in the database', async () => {
    const chave = house.chaveDe('ciencia-anterior')
    const first = await house.askFor('ciencia-anterior', { chave, key })
    const second = await house.askFor('ciencia-anterior', { chave, key, em: other })
    assert.deepEqual([second.item.from_cache, second.passos], [true, ''])
    assert.equal(second.item.xml, first.item.xml)
    const kept = await house.rooms.platform.db.kysely.selectFrom('cache').select('valor').execute()
    assert.ok(kept.length > 0)
    assert.doesNotMatch(JSON.stringify(kept), /nfeProc|98763001000192/)
  })

  test('equal calls with one Idempotency-Key to both at once are one call, paid once', async () => {
    const chave = house.chaveDe('ciencia-136')
    const body = { chave, ...(await house.a1('nfe-ciencia-136')) }
    const headers = { 'idempotency-key': 'pedido 7' }
    const answers = await Promise.all([house, other].map((em) => house.post(body, { headers, key, em })))
    const [one, two] = answers
    assert.equal(one?.status, 200, one?.text)
    assert.equal(one.text, two?.text)
    assert.deepEqual(house.eventos(chave), ['210210'])
    const charges = answers.map((answer) => answer.headers.get('x-credits-charged')).sort()
    assert.deepEqual(charges, ['0', '3'])
    const replayed = answers.map((answer) => answer.headers.get('idempotency-replayed')).sort()
    assert.deepEqual(replayed, [null, 'true'])
  })

  test("the queries of both nodes count together, and one node's 656 holds the other back", async () => {
    const left = async (em: House | NfeHouse, dias: number) => {
      const { headers } = await house.askFor('inexistente', { arquivo: 'empresa', dias, key, em })
      return headers.get('x-sefaz-consultas-restantes')
    }
    assert.deepEqual([await left(house, 1), await left(other, 2)], ['19', '18'])
    const refused = await house.askFor('limite', { key })
    assert.equal(refused.item.cstat, '656')
    assert.equal((await house.askFor('limite-portal-nega', { key })).headers.get('retry-after'), '3660')
    const held = await house.askFor('limite-portal-nega', { key, em: other })
    assert.equal(held.passos.includes('consulta'), false)
    house.pass(HORA_MS + 60_000)
    const asked = await house.askFor('limite-portal-nega', { key, em: other })
    assert.equal(asked.passos.startsWith('consulta'), true)
  })

  test('each of 30 queries sent at once to both is counted, and the authority sees 20', async () => {
    const file = await house.a1('empresa')
    house.pass(2 * HORA_MS)
    const bodies = Array.from({ length: 30 }, (_, i) => ({
      chave: house.chaveDe('inexistente', 10 + i / 86_400),
      manifestar: false,
      ...file,
    }))
    house.passos()
    const answers = await Promise.all(
      bodies.map((body, i) => house.post(body, { key, em: i % 2 ? other : house })),
    )
    for (const { status, text } of answers) assert.equal(status, 200, text)
    const queries = house
      .passos()
      .split(' ')
      .filter((passo) => passo === 'consulta')
    assert.equal(queries.length, 20)
  })
})
