import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { newPostgres } from '../kit/databases.ts'
import { type House, start } from '../kit/house.ts'
import { HORA_MS, type NfeHouse, startNfe } from '../kit/nfe.ts'
import { startChild } from '../kit/processes.ts'

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

  test('a node that is killed at a call leaves its Idempotency-Key to who waits, and one is told of the charge', async (t) => {
    const pasta = mkdtempSync(join(tmpdir(), 'no-morto-'))
    const { DATABASE_URL = '' } = env
    const own = {
      DATABASE_URL,
      SERVER_SECRET,
      SIMULATOR_URL: house.simulador,
      LOG_LEVEL: 'silent',
      PORT: '0',
    }
    const doomed = startChild('bin/servidor.js', [], pasta, { ...own, DATA_DIR: pasta })
    t.after(async () => {
      doomed.child.kill('SIGKILL')
      await doomed.ended
      rmSync(pasta, { recursive: true, force: true })
    })
    await doomed.says(/base-cnpj'\n/)
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(doomed.said())?.[0] ?? ''
    const body = { chave: house.chaveDe('autorizado', 3), ...(await house.a1('nfe-autorizado')) }
    const headers = { 'idempotency-key': 'pedido 8' }
    const consulta = house.reter('consulta')
    const unanswered = fetch(`${address}/api/consultar-nfe-xml`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...headers, 'X-API-Key': key, 'Content-Type': 'application/json' },
    })
    await consulta.chegam(1)
    doomed.child.kill('SIGKILL')
    await assert.rejects(unanswered, { message: 'fetch failed' })
    consulta.soltar()
    const answers = await Promise.all(
      [house, other, house, other].map((em) => house.post(body, { headers, key, em })),
    )
    for (const answer of answers) assert.match(answer.text, /"status":"ok"/, String(answer.body.detail))
    const charges = answers.map((answer) => answer.headers.get('x-credits-charged')).sort()
    assert.deepEqual(charges, ['0', '0', '0', '3'])
    for (const answer of answers) assert.equal(answer.body.creditos_cobrados, 3)
    const paid = answers.find((answer) => answer.headers.get('x-credits-charged') === '3')
    assert.equal(paid?.headers.get('idempotency-replayed'), null)
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
