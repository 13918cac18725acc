import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { esperaDaLinha } from '../../simulator/roteiro/escrita.ts'
import { listarNotas } from '../../simulator/roteiro.ts'
import { type House, start } from '../harness.ts'
import { sharedSimulator } from '../simulator.ts'

/** The keys are of notes of the moment: the service and the simulator go by the same clock. */
const now = (): Date => new Date()

describe('the list of notes is right', { concurrency: false }, () => {
  let house: House
  let pages: string
  let key: string
  before(async () => {
    // The longest row that is answered takes two queries of 2 seconds; the one that never is takes all of it.
    house = await start({ NFE_SECONDS: '8' }, now)
    pages = await sharedSimulator()
    key = (await house.open('enterprise')).key
  })
  after(() => house.close())

  for (const linha of listarNotas(now())) {
    const { endpoint, envio, espera, nota } = linha
    assert.ok(envio)
    const { cenario, certificado, senha, corpo } = envio
    test(`${cenario} (${certificado}) → ${esperaDaLinha(linha)}: ${nota}`, async () => {
      const file = await (await fetch(`${pages}/certificados/${certificado}.pfx`)).arrayBuffer()
      const { status, headers, body, text } = await house.ask(endpoint, {
        key,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...corpo, certificado: Buffer.from(file).toString('base64'), senha }),
      })
      const [result]: Record<string, unknown>[] = Array.isArray(body.resultados) ? body.resultados : []
      const told = text.slice(0, 2_000)
      assert.equal(status, espera.http, told)
      assert.equal(body.error_code, espera.error_code, told)
      assert.equal(headers.get('x-credits-charged'), String(espera.creditos), told)
      assert.equal(result?.status, espera.status, told)
      assert.equal(result?.manifestacao, espera.manifestacao, told)
      assert.equal(result?.cstat, espera.cstat, told)
      assert.equal(typeof result?.xml === 'string', espera.status === 'ok', told)
    })
  }
})
