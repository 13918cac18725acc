import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { pausa } from '../kit/basics.ts'
import { assertBooks, newPostgres, openFor } from '../kit/databases.ts'
import { BANCO_DO_BRASIL, start } from '../kit/house.ts'
import { openPorta } from '../kit/transport.ts'

const PATH = `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`
const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'

test('a database that is down is an outage: 503 BANCO_INDISPONIVEL, retryable, and no defect of ours', async (t) => {
  const place = { databaseUrl: await newPostgres(), arquivo: '' }
  const porta = await openPorta(t, place.databaseUrl)
  const house = await start({ DATABASE_URL: porta.databaseUrl, SERVER_SECRET, METRICS_PORT: '0' })
  t.after(() => house.close())
  const { key, conta } = await house.open('lite')
  assert.equal((await house.ask(PATH, { key })).status, 200)
  const logged: string[] = []
  t.mock.method(house.rooms.platform.log, 'error', (fields: object, message: string) => {
    // A job may meet the outage too, and tells of it in its own line.
    if (message !== 'a job failed') logged.push(`${Object(fields).error_code} ${message}`)
  })
  await porta.close()
  const { status, headers, body } = await house.ask(PATH, { key })
  assert.deepEqual(
    [status, body.error_code, body.retryable, headers.get('retry-after'), headers.get('x-credits-charged')],
    [503, 'BANCO_INDISPONIVEL', true, '10', '0'],
  )
  assert.match(String(body.detail), /banco de dados.*Nada foi cobrado/)
  assert.deepEqual(new Set(logged), new Set(['BANCO_INDISPONIVEL the database is away']))
  const page = await house.ask('/entrar/', { key: null })
  assert.notEqual(page.status, 500)
  assert.equal((await house.ask('/ready', { key: null })).status, 503)
  const figures = await (await fetch(`${house.figures}/metrics`)).text()
  assert.match(figures, /http_errors_total\{[^}]*code="BANCO_INDISPONIVEL"[^}]*\} 1/)
  assert.doesNotMatch(figures, /code="ERRO_INTERNO"/)
  await porta.open()
  assert.equal((await house.ask(PATH, { key })).status, 200)
  const { cota } = await assertBooks(await openFor(t, place), conta.id)
  assert.equal(cota, 98)
})

test('while no charge goes through /ready says so, though the rest of the database answers', async (t) => {
  const place = { databaseUrl: await newPostgres(), arquivo: '' }
  const house = await start({ DATABASE_URL: place.databaseUrl, SERVER_SECRET, METRICS_PORT: '0' })
  t.after(() => house.close())
  const { key } = await house.open('lite')
  const ready = async () => (await house.ask('/ready', { key: null })).status
  const figure = async (name: string) => {
    const text = await (await fetch(`${house.figures}/metrics`)).text()
    return Number(new RegExp(`^consulta_fiscal_${name} (\\S+)$`, 'm').exec(text)?.[1])
  }
  assert.deepEqual([await ready(), await figure('database_usable')], [200, 1])
  assert.equal(await figure('ledger_oldest_order_seconds'), 0)
  // As a process does that is frozen in the middle of a charge.
  const frozen = await openFor(t, place)
  const answer = await frozen.kysely.transaction().execute(async (trx) => {
    await sql`select 1 from saldos for update`.execute(trx)
    const waiting = house.ask(PATH, { key })
    while ((await ready()) === 200) await pausa()
    assert.equal(await figure('database_usable'), 0)
    assert.ok((await figure('ledger_oldest_order_seconds')) > 0)
    return { waiting }
  })
  assert.equal((await answer.waiting).status, 200)
  while ((await ready()) !== 200) await pausa()
  assert.equal(await figure('ledger_oldest_order_seconds'), 0)
})
