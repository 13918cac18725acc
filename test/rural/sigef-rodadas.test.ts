import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parcelasDe } from '../../simulator/rural/parcelas.ts'
import { findJob } from '../../src/platform/jobs/admin.ts'
import { searchParcelas } from '../../src/rural/job.ts'
import { buscaDeParcelas, sealPedido } from '../../src/rural/lookup-sigef.ts'
import { startTwo } from '../kit/authority.ts'
import { queriesTo } from '../kit/house.ts'
import { askSigef, detentor, parcelasIn, startRural, toldBy } from '../kit/rural.ts'

const HOST = 'sigef.incra.gov.br'
const LIDA = { http: 200, codigo: '', retryable: false, repetir: null, creditos: '1' }

test('a search that is longer than a run delivers nothing, and a next job goes on with it', async (t) => {
  const house = await startRural(t)
  const { secret, jobs, db } = house.rooms.platform
  const documento = detentor(({ length }) => length > 1)
  const tipo = documento.length === 11 ? 'cpf' : 'cnpj'
  const pedido = sealPedido(secret, { tipo, documento, desde: new Date(0).toISOString() })
  // A run whose time is over as soon as it has the list.
  const { run } = searchParcelas(house.rooms.rural, -1)
  const done = await run(pedido, {
    id: 'uma-busca',
    conta: 'uma-conta',
    signal: new AbortController().signal,
    attempt: 1,
  })
  assert.deepEqual(done.result, { fim: 'continua' })
  assert.equal(await queriesTo(house, HOST), 1, 'no page is begun')
  assert.equal(await jobs.findOpen(buscaDeParcelas.kind, pedido.chave), undefined)
  await db.kysely.transaction().execute((on) => done.write?.(on) ?? Promise.resolve())
  const id = (await jobs.findOpen(buscaDeParcelas.kind, pedido.chave)) ?? ''
  const { conta_id } = (await findJob(db, id)) ?? {}
  assert.equal(conta_id, 'uma-conta', 'it counts in the share of the account that asked')
  jobs.wake(buscaDeParcelas.kind)
  assert.deepEqual(await jobs.waitFor(id, 30_000), { state: 'done', result: { fim: 'guardada' } })
  const answer = await askSigef(house, documento)
  assert.deepEqual([answer.body.cached, toldBy(answer)], [true, LIDA])
  assert.equal(parcelasIn(answer).length, parcelasDe(documento).length)
})

test('whoever wants nothing kept waits for an order that what is kept answers, and then has his own search', async (t) => {
  const house = await startRural(t)
  const { secret, jobs, db, log, now } = house.rooms.platform
  const documento = detentor(({ length }) => length > 1)
  const count = parcelasDe(documento).length
  await askSigef(house, documento)
  house.turn(new Date(now().getTime() + 3_600_000))
  const tipo = documento.length === 11 ? 'cpf' : 'cnpj'
  const pedido = sealPedido(secret, { tipo, documento, desde: new Date(0).toISOString() })
  const runAt = new Date(now().getTime() + 3_600_000)
  const { id } = await jobs.enqueue(buscaDeParcelas, pedido, { runAt })
  const waited: unknown[] = []
  log.info = (fields: unknown, msg?: unknown) => {
    if (msg !== 'waiting for a job') return
    waited.push(Object(fields).job_id)
    const due = db.kysely.updateTable('trabalhos').set({ livre_em: 0 }).where('id', '=', id)
    void due.execute().then(() => jobs.wake(buscaDeParcelas.kind))
  }
  const anew = await askSigef(house, documento, { headers: { 'cache-control': 'no-cache' } })
  assert.deepEqual([anew.body.consultado_em, toldBy(anew)], [now().toISOString(), LIDA])
  assert.deepEqual([waited.length, waited[0]], [2, id])
  assert.equal(await queriesTo(house, HOST), 2 * (1 + count), 'the first order asks nothing')
})

test('two nodes asked for one holder at once are one search at the authority, and each call is charged', async (t) => {
  const { one, other, key } = await startTwo(t, 0)
  const documento = detentor(({ length }) => length > 1)
  const answers = await Promise.all(
    [one, other, one, other].map((node) => askSigef({ ask: (path) => node.ask(path, { key }) }, documento)),
  )
  assert.deepEqual(answers.map(toldBy), [LIDA, LIDA, LIDA, LIDA])
  assert.equal(await queriesTo(one, HOST), 1 + parcelasDe(documento).length)
  const { headers } = await askSigef({ ask: (path) => other.ask(path, { key }) }, documento)
  assert.equal(headers.get('x-credits-remaining'), '95')
})
