import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOW } from '../kit/basics.ts'
import { DAY_MS, dito, empresa, startFederal } from '../kit/federal.ts'

test('an issuance that was noted before the clock was set back by a year holds no later one up', async (t) => {
  const { ask, emissoes, house } = await startFederal(t, {
    CND_FEDERAL_ROTAS: 'portal',
    CND_FEDERAL_SECONDS: '10',
  })
  const desde = new Date(NOW.getTime() + 365 * DAY_MS).toISOString()
  const andamento = { rota: 'portal', desde, chave: 'EmProcessamento', cookies: '' }
  await house.rooms.federal.certidoes.noteAndamento(empresa('emite'), andamento)
  assert.deepEqual(dito(await ask('emite')), {
    situacao: 'negativa',
    modo: 'emissao',
    cached: false,
    creditos: 1,
  })
  assert.equal(await emissoes('emite'), 1)
})
