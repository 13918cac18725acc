import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { maskChave } from '../../src/documento/chave.ts'
import { pausa } from '../kit/basics.ts'
import { cacheControl, type House, newClock, queriesTo, start } from '../kit/house.ts'
import { startNfe, useNfe } from '../kit/nfe.ts'
import { parseEvents } from '../kit/portal.ts'
import { reservado } from '../kit/simulator.ts'

const IE = '/api/consultar-ie-todos'
const LATE = reservado('demorado')

/**
 * The calls of an account by their instant, once there are so many. The service tells of a call when its
 * response has ended; calls of one instant have no order.
 */
async function rowsOf({ rooms }: Pick<House, 'rooms'>, conta_id: string, count: number) {
  const { usos, db } = rooms.contas
  for (;;) {
    await usos.flush()
    const rows = await db.kysely
      .selectFrom('usos')
      .selectAll()
      .where('conta_id', '=', conta_id)
      .orderBy('criado_em')
      .execute()
    if (rows.length >= count) return rows
    await pausa()
  }
}

type Status = { status: string; error_code: string; retryable: boolean }

const silentOf = (results: readonly object[]): Status[] =>
  results.map((entry) => Object(entry).source_status).filter(({ status }) => status !== 'success')

/** What the states said that were asked and did not answer: some cannot be asked at all. */
const failedOf = (results: readonly object[]): Status[] =>
  silentOf(results).filter(({ error_code, retryable }) => retryable || error_code !== 'SITE_INDISPONIVEL')

/** The service logs nothing here: an outcome does not depend on the log. */
describe('what a call came to', () => {
  const { now, pass } = newClock()
  let house: House
  before(async () => {
    house = await start({ IE_SECONDS: '4', CND_SECONDS: '7' }, now)
  })
  after(() => house.close())
  // Answers of one test are too old for the next.
  const { headers } = cacheControl('max-age=60')
  beforeEach(() => pass(3_600_000))

  const askStream = (key: string, signal?: AbortSignal): Promise<Response> =>
    fetch(`${house.address}${IE}?cnpj=${LATE}`, {
      headers: { ...headers, 'x-api-key': key, accept: 'text/event-stream' },
      ...(signal && { signal }),
    })

  describe('that goes to its end', { concurrency: true }, () => {
    test('has what a stream charged in the end', async () => {
      const { conta, key } = await house.open('pro')
      const events = parseEvents(await (await askStream(key)).text())
      const { cobrados } = Object(events.find(({ event }) => event === 'creditos')?.data)
      assert.ok(cobrados > 0)
      const [row] = await rowsOf(house, conta.id, 1)
      assert.deepEqual([row?.http, row?.creditos, row?.error_code], [200, cobrados, ''])
      const { results } = Object(events.find(({ event }) => event === 'resultado')?.data)
      const failed = failedOf(results)
      assert.ok(failed.length > 0)
      assert.deepEqual([row?.fontes_falhas, row?.fonte_code], [failed.length, failed[0]?.error_code])
    })

    test('has the failures of the states in every section of a profile', async () => {
      const { conta, key } = await house.open('pro')
      const { body } = await house.ask(`/api/perfil-produtor?cnpj=${LATE}`, { key, headers })
      const sections = [body.inscricoes_estaduais, body.cnd_estaduais].map(Object)
      const failed = sections.flatMap(({ results }) => failedOf(results))
      assert.ok(failed.length > 1)
      const [row] = await rowsOf(house, conta.id, 1)
      assert.equal(row?.fontes_falhas, failed.length)
    })
  })

  test('is a failure where no state answered, whatever its status, and is free', async () => {
    const { conta, key } = await house.open('pro')
    const path = '/api/consultar-cnd-todos?cnpj=98765055000197'
    const { status, body, headers: sent } = await house.ask(path, { key, headers })
    const results = Object(body).results
    assert.deepEqual([status, sent.get('x-credits-charged'), silentOf(results).length], [200, '0', 27])
    const [row] = await rowsOf(house, conta.id, 1)
    assert.deepEqual(
      [row?.http, row?.creditos, row?.error_code, row?.fontes_falhas],
      [200, 0, 'SITE_INDISPONIVEL', 21],
    )
  })

  test('is 499 and free for a client that left before its answer', async () => {
    const { conta, key } = await house.open('pro')
    const before = await queriesTo(house, 'nfe.sefaz.ba.gov.br')
    const leave = new AbortController()
    const url = `${house.address}/api/consultar?uf=BA&cnpj=${LATE}`
    const asked = fetch(url, { headers: { ...headers, 'x-api-key': key }, signal: leave.signal })
    while ((await queriesTo(house, 'nfe.sefaz.ba.gov.br')) === before) await pausa()
    leave.abort()
    await assert.rejects(asked)
    const [row] = await rowsOf(house, conta.id, 1)
    assert.deepEqual([row?.http, row?.creditos, row?.error_code], [499, 0, ''])
  })

  test('is 499 for a stream that its client left, with the credits of what it took', async () => {
    const { conta, key } = await house.open('pro')
    await house.ask(`/api/consultar?uf=SP&cnpj=${LATE}`, { key, headers })
    const leave = new AbortController()
    const { body } = await askStream(key, leave.signal)
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    for (let text = ''; !text.includes('id: SP\n'); ) text += (await reader?.read())?.value ?? assert.fail()
    leave.abort()
    const rows = await rowsOf(house, conta.id, 2)
    const entries = await house.rooms.platform.ledger.extrato(conta.id)
    const charged = entries.find(({ endpoint }) => endpoint === IE)?.creditos ?? 0
    assert.ok(charged > 0)
    const stream = rows.find(({ endpoint }) => endpoint === IE)
    assert.deepEqual([stream?.http, stream?.creditos], [499, charged])
  })
})

describe('what a call for a note came to', () => {
  const nfeOf = useNfe(() => startNfe())

  test('has the key masked, the cache, and of a repetition that it was free', async () => {
    const { house } = nfeOf()
    const { conta, key } = await house.open('enterprise')
    const chave = house.chaveDe('ciencia')
    const corpo = { chave, ...(await house.a1('nfe-ciencia')) }
    const headers = { 'idempotency-key': 'uma-vez' }
    for (const init of [{ key, headers }, { key, headers }, { key }]) {
      const { status } = await house.post(corpo, init)
      assert.equal(status, 200)
      house.pass(1_000)
    }
    const rows = await rowsOf(house, conta.id, 3)
    assert.deepEqual(
      rows.map(({ creditos, cached, documento }) => [creditos, cached, documento]),
      [
        [3, 0, maskChave(chave)],
        [0, 1, maskChave(chave)],
        [3, 1, maskChave(chave)],
      ],
    )
  })
})
