import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emissaoFederal } from '../../src/federal/lookup.ts'
import { buscaDeParcelas, sealPedido } from '../../src/rural/lookup-sigef.ts'
import { dito, empresa } from '../kit/federal.ts'
import { start } from '../kit/house.ts'
import { askSigef, detentor, startRural, toldBy } from '../kit/rural.ts'

test('the log ties a call to what its job asked of the authority', async (t) => {
  const house = await startRural(t)
  const lines: Record<string, unknown>[] = []
  house.rooms.platform.log.info = (...[fields, msg]: unknown[]) => void lines.push({ ...Object(fields), msg })
  for (const answer of [
    await house.ask(`/api/consultar-cnd-federal?cnpj=${empresa('valida')}`),
    await askSigef(
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

test('a service that stops tells whoever waits for a job that it goes on, uncharged, and cuts nobody', async () => {
  const house = await start({ SIGEF_SECONDS: '120', CND_FEDERAL_SECONDS: '60' })
  const { jobs, certidoes, secret } = house.rooms.federal
  const documento = detentor(({ length }) => length === 1)
  const tipo = documento.length === 11 ? 'cpf' : 'cnpj'
  // Jobs that do not begin before the stop.
  const later = { runAt: new Date(house.rooms.platform.now().getTime() + 60 * 60_000) }
  await jobs.enqueue(buscaDeParcelas, sealPedido(secret, { tipo, documento, desde: '' }), later)
  await jobs.enqueue(emissaoFederal, { ...certidoes.seal(empresa('emite')), emitir: 'se-preciso' }, later)
  const waiting = Promise.withResolvers<void>()
  let callers = 0
  house.rooms.platform.log.info = (_fields: unknown, msg?: unknown) => {
    if (msg === 'waiting for a job' && ++callers === 2) waiting.resolve()
  }
  const asked = Promise.all([
    askSigef(house, documento),
    house.ask(`/api/consultar-cnd-federal?cnpj=${empresa('emite')}`),
  ])
  await waiting.promise
  await house.close()
  const [parcelas, certidao] = await asked
  const goesOn = { http: 200, codigo: 'SIGEF_NETWORK_ERROR', retryable: true, repetir: '60', creditos: '0' }
  assert.deepEqual(toldBy(parcelas), goesOn)
  assert.match(String(Object(parcelas.body.source_status).error_message), /A busca continua/)
  assert.deepEqual(dito(certidao), { error: 'EM_PROCESSAMENTO', cached: false, creditos: 0 })
})
