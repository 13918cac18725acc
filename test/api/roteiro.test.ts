import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listarRoteiro } from '../../simulator/roteiro.ts'
import { type House, start } from '../harness.ts'

let house: House
before(async () => {
  house = await start({ IE_SECONDS: '4' })
})
after(() => house.close())

for (const { endpoint, parametros, espera, nota } of listarRoteiro()) {
  const query = new URLSearchParams(parametros)
  test(`the list is right: ${endpoint}?${query} → ${espera.http} ${espera.error_code ?? ''} (${nota})`, async () => {
    const { status, headers, body } = await house.ask(`${endpoint}?${query}`)
    assert.equal(status, espera.http, JSON.stringify(body))
    assert.equal(body.error_code, espera.error_code)
    assert.equal(headers.get('x-ambiente'), 'simulador')
    assert.equal(headers.get('x-credits-charged'), espera.http === 200 ? '1' : '0')
  })
}
