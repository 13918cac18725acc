import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buscaDeParcelas } from '../../src/consultas/sigef/trabalho.ts'
import { queriesTo } from '../queries.ts'
import { empresa } from './federal.ts'
import { consultar, detentor, startRural, toldBy } from './sigef.ts'

const SIGEF = 'sigef.incra.gov.br'

test('the log ties a call to what its job asked of the authority', async (t) => {
  const house = await startRural(t)
  const lines: Record<string, unknown>[] = []
  house.ctx.log.info = (...[fields, msg]: unknown[]) => void lines.push({ ...Object(fields), msg })
  for (const answer of [
    await house.ask(`/api/consultar-cnd-federal?cnpj=${empresa('valida')}`),
    await consultar(
      house,
      detentor(({ length }) => length === 1),
    ),
  ]) {
    const { request_id } = answer.body
    const waited = lines.find((line) => line.msg === 'waiting for a job' && line.request_id === request_id)
    assert.ok(waited?.job_id, 'the call names its job')
    assert.ok(
      lines.some((line) => line.msg === 'source answered' && line.request_id === waited.job_id),
      'the lines of the source name the job',
    )
  }
})

test('more than 200 searches in SIGEF at once are turned away, uncharged, and SIGEF is not asked', async (t) => {
  const house = await startRural(t)
  const { jobs } = house.ctx.store
  const later = { runAt: new Date(house.ctx.now().getTime() + 60 * 60_000) }
  for (let at = 0; at < 200; at++)
    await jobs.enqueue(buscaDeParcelas, { chave: `chave-${at}`, selado: '' }, later)
  const full = { http: 200, codigo: 'SIGEF_NETWORK_ERROR', retryable: true, repetir: '60', creditos: '0' }
  const documento = detentor(({ length }) => length === 1)
  const refused = await consultar(house, documento)
  assert.deepEqual(toldBy(refused), full)
  assert.match(String(Object(refused.body.source_status).error_message), /demais em andamento/)
  assert.equal(await queriesTo(house, SIGEF), 0)
})
