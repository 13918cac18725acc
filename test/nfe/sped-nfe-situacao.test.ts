import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { chaveDo } from '../../simulator/nfe/nota.ts'
import { cutOut, openSpedNfe, openStage, type Stage } from '../kit/witnesses.ts'

let stage: Stage
before(async () => {
  stage = await openStage()
})
after(() => stage.close())

test('an independent client asks how notes stand, at the address that it has of the authorizer', async (t) => {
  const { documento: CNPJ } = comCenario('ciencia').titular
  const settings = { mod: '55', UF: 'SP', tpAmb: 1, CNPJ, certificate: 'nfe-ciencia' } as const
  const tools = await openSpedNfe(t, stage, settings)
  const hourAgo = new Date(Date.now() - 3_600_000)
  for (const [name, cStat, protocol] of [
    ['ciencia', '100', ['100']],
    ['cancelada', '101', ['100']],
    ['inexistente', '217', []],
  ] as const) {
    const chave = chaveDo(comCenario(name), hourAgo)
    const answer = cutOut(await tools.consultarNFe(chave), 'retConsSitNFe')
    assert.deepEqual(answer.text('cStat'), [cStat, ...protocol], name)
    assert.equal(answer.text('chNFe')[0], chave)
  }
})
