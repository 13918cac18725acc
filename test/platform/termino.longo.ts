import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { openSimulatorAt } from '../kit/authority.ts'
import { pausa } from '../kit/basics.ts'
import { type Fresh, forEachDatabase } from '../kit/databases.ts'
import { emissoesOf, empresa } from '../kit/federal.ts'
import { openMortal, pedidosTo } from '../kit/kill.ts'
import type { Child } from '../kit/processes.ts'
import { addressOf } from '../kit/processes.ts'
import { reservado } from '../kit/simulator.ts'

const HOST = 'sigef.incra.gov.br'
/** Its issuance takes three minutes of the tax office's clock, and the search some at this pace. */
const CNPJ = empresa('processa-muito')
const MUITAS = reservado('sigef-25')
const FEDERAL = `/api/consultar-cnd-federal?cnpj=${CNPJ}`
const SIGEF = `/api/consultar-sigef?${MUITAS.length === 11 ? 'cpf' : 'cnpj'}=${MUITAS}`

forEachDatabase((_dialect, fresh) => {
  describe('SIGTERM in the middle of durable work', { concurrency: true }, () => {
    test('of an issuance: its caller is told EM_PROCESSAMENTO, and the next process ends the same one', async (t) => {
      const { begin, simulador, pass } = await setup(t, fresh, 0.02)
      const first = await begin()
      const asked = ask(first, FEDERAL)
      while ((await emissoesOf(simulador, CNPJ)) === 0) await pausa()
      first.program.child.kill('SIGTERM')
      const told = await asked
      assert.deepEqual(told.source_status.error_code, 'EM_PROCESSAMENTO')
      assert.deepEqual([told.retry, told.creditos], ['30', '0'])
      assert.equal(await first.program.ended, 0, 'it ended by itself, and in time')
      pass(180_000)
      const second = await begin()
      const { source_status, result, left } = await ask(second, FEDERAL)
      assert.equal(source_status.status, 'success', source_status.error_message)
      assert.deepEqual([result.modo, left], ['emissao', '999'])
      assert.equal(await emissoesOf(simulador, CNPJ), 1)
      await second.program.stop()
    })

    test('of a search of SIGEF: its caller is told SIGEF_NETWORK_ERROR, and the next process goes on', async (t) => {
      const { begin, simulador } = await setup(t, fresh, 2)
      const first = await begin()
      const asked = ask(first, SIGEF)
      while ((await pedidosTo(simulador, HOST)) < 3) await pausa()
      first.program.child.kill('SIGTERM')
      const told = await asked
      assert.equal(told.source_status.error_code, 'SIGEF_NETWORK_ERROR')
      assert.match(told.source_status.error_message, /A busca continua/)
      assert.deepEqual([told.source_status.retryable, told.retry, told.creditos], [true, '60', '0'])
      assert.equal(await first.program.ended, 0, 'it ended by itself, and in time')
      const second = await begin()
      const { source_status, left } = await ask(second, SIGEF)
      assert.equal(source_status.status, 'success', source_status.error_message)
      assert.equal(left, '999')
      await second.program.stop()
    })
  })
})

type Servico = { program: Child; key: string }

/** A database, a tax office and SIGEF of one test, and how to begin a service of them. */
async function setup(t: TestContext, fresh: Fresh, ritmo: number) {
  let ahead = 0
  const simulador = await openSimulatorAt(() => new Date(Date.now() + ahead), { ritmo })
  t.after(() => simulador.close())
  const { open, startServer } = await openMortal(t, fresh)
  const { key } = await open('starter')
  const env = { SIMULATOR_URL: simulador.endereco, CND_FEDERAL_SECONDS: '100', SHUTDOWN_SECONDS: '24' }
  const begin = async (): Promise<Servico> => ({ program: await startServer(env), key })
  return { begin, simulador: simulador.endereco, pass: (ms: number) => (ahead += ms) }
}

async function ask({ program, key }: Servico, path: string) {
  const response = await fetch(addressOf(program) + path, { headers: { 'X-API-Key': key } })
  const body = Object(await response.json())
  const header = (name: string): string | null => response.headers.get(name)
  return {
    source_status: Object(body.source_status),
    result: Object(body.result),
    retry: header('retry-after'),
    creditos: header('x-credits-charged'),
    left: header('x-credits-remaining'),
  }
}
