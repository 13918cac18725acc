import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { esperaDaLinha, pedidoDaLinha, porEndpoint } from '../../simulator/roteiro/escrita.ts'
import { listarRoteiro } from '../../simulator/roteiro/roteiro.ts'
import { type House, start } from '../harness.ts'

/**
 * Each endpoint has a service of its own, which is asked in the order of the rows. The services wait for slow
 * states at the same time.
 */
describe('the list is right', { concurrency: true }, () => {
  for (const [endpoint, linhas] of porEndpoint(listarRoteiro())) {
    describe(endpoint, { concurrency: false }, () => {
      let house: House
      before(async () => {
        // Half of this time may pass in waiting for a turn at the portals, which have a pace of 3 seconds.
        // The federal tax office dates its certificates by the simulator's clock, and the connector takes the
        // time of now alone.
        const isOfToday = ['/api/consultar-cnd-federal', '/api/consultar-cnir'].includes(endpoint)
        const now = isOfToday ? () => new Date() : undefined
        const seconds = { IE_SECONDS: '7', CND_SECONDS: '8', CND_FEDERAL_SECONDS: '10', CNIR_SECONDS: '4' }
        // SIGEF is asked twice a second, and 25 parcels take thirty questions.
        house = await start({ ...seconds, SIGEF_SECONDS: '40' }, now)
      })
      after(() => house.close())

      for (const linha of linhas) {
        const { espera, nota } = linha
        test(`${pedidoDaLinha(linha)} → ${esperaDaLinha(linha)} (${nota})`, async () => {
          const { status, headers, body, text } = await house.ask(pedidoDaLinha(linha))
          const told = text.slice(0, 4_000)
          assert.equal(status, espera.http, told)
          assert.equal(body.error_code, espera.error_code, told)
          assert.equal(Object(body.source_status).error_code || undefined, espera.source_error, told)
          assert.equal(Object(body.result).status, espera.status, told)
          assert.equal(headers.get('x-ambiente'), 'simulador')
          assert.equal(headers.get('x-credits-charged'), String(espera.creditos), told)
        })
      }
    })
  }
})
