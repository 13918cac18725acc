import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emissaoFederal } from '../../src/federal/lookup.ts'
import { CONTRATO, dito, empresa, HOUR_MS, startFederal } from '../kit/federal.ts'
import { queriesTo } from '../kit/house.ts'

const FALHOU = { error: 'PROVIDER_ERROR', cached: false, creditos: 0 }

test('the failure of a question is not that of a caller who wanted a new one: his is issued', async (t) => {
  const { ask, emissoes } = await startFederal(t)
  const [plain, anew] = await Promise.all([ask('analise'), ask('analise', '&emitir_nova=true')])
  assert.equal(plain.status, 200)
  const { cached: _, ...told } = dito(anew)
  assert.deepEqual(told, { situacao: 'negativa', modo: 'emissao', creditos: 1 })
  assert.equal(await emissoes('analise'), 1)
})

test('an issuance that is dead for good is PROVIDER_ERROR, uncharged, and the next call begins another', async (t) => {
  const { ask, house } = await startFederal(t)
  const { jobs, certidoes } = house.rooms.federal
  const look = jobs.findOpen
  jobs.findOpen = async () => {
    jobs.findOpen = look
    const { chave } = certidoes.seal(empresa('emite'))
    const { id } = await jobs.enqueue(emissaoFederal, {
      chave,
      selado: 'de outro segredo',
      emitir: 'sempre',
    })
    return id
  }
  assert.deepEqual(dito(await ask('emite')), FALHOU)
  assert.equal(dito(await ask('emite')).creditos, 1)
})

test('a positiva on paper is delivered for an hour, and then asked for again', async (t) => {
  const { ask, house, pass } = await startFederal(t)
  assert.equal(Object((await ask('positiva-no-papel')).body.result).status, 'positiva')
  const asked = await queriesTo(house, CONTRATO)
  pass(HOUR_MS)
  assert.equal(dito(await ask('positiva-no-papel')).cached, true)
  assert.equal(await queriesTo(house, CONTRATO), asked)
  pass(1)
  assert.equal(dito(await ask('positiva-no-papel')).cached, false)
  assert.ok((await queriesTo(house, CONTRATO)) > asked)
})
