import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openSimulatorAt } from '../kit/authority.ts'
import { pausa } from '../kit/basics.ts'
import { forEachDatabase } from '../kit/databases.ts'
import { CONTRATO, emissoesOf, empresa, PORTAL } from '../kit/federal.ts'
import { openMortal, pedidosTo } from '../kit/kill.ts'
import type { Child } from '../kit/processes.ts'
import { addressOf } from '../kit/processes.ts'

/** Its issuance takes three minutes of the tax office's clock. */
const CNPJ = empresa('processa-muito')
const PATH = `/api/consultar-cnd-federal?cnpj=${CNPJ}`

// It starts the service time after time and waits out its deadline, so `npm test` leaves it to CI.
forEachDatabase((_dialect, fresh) => {
  describe('kill -9 in the middle of an issuance', { concurrency: true }, () => {
    // Before the contract is asked, a new process gets a token.
    for (const [rota, host, asks] of [
      ['contrato', CONTRATO, 2],
      ['portal', PORTAL, 1],
    ] as const)
      test(`${rota}: after a restart a later call gets the certificate, and the authority saw one issuance`, async (t) => {
        let ahead = 0
        const simulador = await openSimulatorAt(() => new Date(Date.now() + ahead), { ritmo: 0.02 })
        t.after(() => simulador.close())
        const { open, startServer } = await openMortal(t, fresh)
        const { key } = await open('starter')
        const env = { SIMULATOR_URL: simulador.endereco, CND_FEDERAL_ROTAS: rota }
        const first = await startServer({ ...env, CND_FEDERAL_SECONDS: '5' })
        // On a busy machine the deadline may pass before the issuance: it goes on, and is asked about again.
        do {
          const { source_status } = await ask(first, key)
          assert.equal(source_status.error_code, 'EM_PROCESSAMENTO')
        } while ((await emissoesOf(simulador.endereco, CNPJ)) === 0)
        assert.equal(await emissoesOf(simulador.endereco, CNPJ), 1)
        first.child.kill('SIGKILL')
        await first.ended
        const sinceThen = await pedidosTo(simulador.endereco, host)
        const second = await startServer({ ...env, CND_FEDERAL_SECONDS: '100' })
        const answer = ask(second, key)
        // It goes on while the tax office still works.
        while ((await pedidosTo(simulador.endereco, host)) < sinceThen + asks) await pausa()
        ahead = 180_000
        const { source_status, result } = await answer
        assert.equal(source_status.status, 'success', source_status.error_message)
        assert.deepEqual([result.status, result.modo], ['negativa', 'emissao'])
        assert.equal(await emissoesOf(simulador.endereco, CNPJ), 1)
        await second.stop()
      })
  })
})

async function ask(program: Child, key: string) {
  const response = await fetch(addressOf(program) + PATH, { headers: { 'X-API-Key': key } })
  const body = Object(await response.json())
  return { source_status: Object(body.source_status), result: Object(body.result) }
}
