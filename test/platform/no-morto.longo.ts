import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { LEASE_MS } from '../../src/platform/jobs/lease.ts'
import { openTurnos } from '../../src/platform/jobs/turnos.ts'
import { pausa } from '../kit/basics.ts'
import { newPostgres, openFor } from '../kit/databases.ts'
import { type House, start } from '../kit/house.ts'
import { type Child, startChild } from '../kit/processes.ts'
import { sharedSimulator } from '../kit/simulator.ts'

const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'

describe('a node that is killed while it asks (PostgreSQL)', () => {
  let alive: House
  let doomed: Child
  const pasta = mkdtempSync(join(tmpdir(), 'no-morto-'))

  before(async () => {
    const DATABASE_URL = await newPostgres()
    const SIMULATOR_URL = await sharedSimulator()
    const env = { DATABASE_URL, SERVER_SECRET, SIMULATOR_URL, IE_SECONDS: '5', LOG_LEVEL: 'silent' }
    // Its clock is the machine's, like that of the other process.
    alive = await start(env, () => new Date())
    doomed = startChild('bin/servidor.js', [], pasta, { ...env, DATA_DIR: pasta, PORT: '0' })
    await doomed.says(/base-cnpj'\n/)
  })
  after(async () => {
    doomed.child.kill('SIGKILL')
    await doomed.ended
    await alive.close()
    rmSync(pasta, { recursive: true, force: true })
  })

  const turns = () =>
    alive.rooms.platform.db.kysely
      .selectFrom('posses')
      .select('nome')
      .where('nome', 'like', 'carga:%')
      .execute()

  test('leaves its turn to who waits, who has the whole time of a question: it is answered, and not called late', async () => {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(doomed.said())?.[0] ?? ''
    // The state answers about it after two seconds. What is left of five seconds when the turn is found free
    // would not be enough.
    const path = '/api/consultar?uf=AM&cnpj=98765002000176'
    const unanswered = fetch(address + path, { headers: { 'X-API-Key': alive.apiKey ?? '' } })
    while ((await turns()).length === 0) await pausa()
    doomed.child.kill('SIGKILL')
    await assert.rejects(unanswered, { message: 'fetch failed' })
    assert.equal((await turns()).length, 1, 'its turn stands')
    const { status, body, headers } = await alive.ask(path)
    assert.deepEqual(
      [status, body.cached, headers.get('x-credits-charged')],
      [200, false, '1'],
      String(body.detail),
    )
    assert.deepEqual(await turns(), [])
  })
})

test('a node that is killed in its place at a source keeps it while it lives, and no longer than its lease', async (t) => {
  const databaseUrl = await newPostgres()
  const db = await openFor(t, { databaseUrl, arquivo: '' })
  const doomed = startChild('test/kit/children.ts', ['place', databaseUrl, 'BR/sigef'], tmpdir(), {})
  t.after(() => doomed.child.kill('SIGKILL'))
  await doomed.says(/in its place/)
  let free = false
  const { inPlace } = openTurnos(db, { ambiente: 'producao' })
  const living = inPlace('BR/sigef', { places: 1, longestMs: 60_000 }, async () => {
    free = true
  })
  // Past its lease it has its place, because it renews it.
  const since = performance.now()
  while (performance.now() - since < 1.5 * LEASE_MS) await pausa()
  assert.equal(free, false)
  doomed.child.kill('SIGKILL')
  await doomed.ended
  await living
  assert.equal(free, true)
})
