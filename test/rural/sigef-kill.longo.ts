import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parcelasDe } from '../../simulator/rural/parcelas.ts'
import { openSimulatorAt } from '../kit/authority.ts'
import { pausa } from '../kit/basics.ts'
import { forEachDatabase } from '../kit/databases.ts'
import { openMortal, pedidosTo } from '../kit/kill.ts'
import type { Child } from '../kit/processes.ts'
import { addressOf } from '../kit/processes.ts'
import { reservado } from '../kit/simulator.ts'

const HOST = 'sigef.incra.gov.br'
const MUITAS = reservado('sigef-25')
const PATH = `/api/consultar-sigef?${MUITAS.length === 11 ? 'cpf' : 'cnpj'}=${MUITAS}`
const PAGINAS = 3 + parcelasDe(MUITAS).filter(({ historica }) => !historica).length

// It starts the service time after time and reads at SIGEF's pace, so `npm test` leaves it to CI.
forEachDatabase((_dialect, fresh) => {
  test('kill -9 in the middle of a search of SIGEF keeps what was read: after a restart only the rest is asked', async (t) => {
    const simulador = await openSimulatorAt(() => new Date(), { ritmo: 0.2 })
    t.after(() => simulador.close())
    const { open, startServer } = await openMortal(t, fresh)
    const { key } = await open('starter')
    const env = { SIMULATOR_URL: simulador.endereco }
    const first = await startServer(env)
    const cut = ask(first, key).catch(() => undefined)
    while ((await pedidosTo(simulador.endereco, HOST)) < 14) await pausa()
    first.child.kill('SIGKILL')
    await first.ended
    assert.equal(await cut, undefined, 'nobody was answered')
    const before = await pedidosTo(simulador.endereco, HOST)
    assert.ok(before < PAGINAS)
    const second = await startServer(env)
    const { source_status, result } = Object(await ask(second, key))
    assert.equal(source_status.status, 'success', source_status.error_message)
    assert.equal(result.total_parcelas, PAGINAS - 3)
    // The list is asked again, and the pages that were under way or not yet written down; no other.
    const asked = (await pedidosTo(simulador.endereco, HOST)) - before
    assert.ok(asked <= PAGINAS - before + 3 + 6, `${asked} after ${before}`)
    await second.stop()
  })
})

async function ask(program: Child, key: string): Promise<unknown> {
  return (await fetch(addressOf(program) + PATH, { headers: { 'X-API-Key': key } })).json()
}
