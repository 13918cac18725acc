import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchParcelas } from '../../src/rural/job.ts'
import { buscaDeParcelas } from '../../src/rural/lookup-sigef.ts'
import { openSimulatorAt } from '../kit/authority.ts'
import { pausa } from '../kit/basics.ts'
import { forEachDatabase } from '../kit/databases.ts'
import { openMortal, pedidosTo } from '../kit/kill.ts'
import type { Child } from '../kit/processes.ts'
import { addressOf } from '../kit/processes.ts'
import { startRural } from '../kit/rural.ts'
import { reservado } from '../kit/simulator.ts'

const HOST = 'sigef.incra.gov.br'
const MUITAS = reservado('sigef-25')
const PATH = `/api/consultar-sigef?${MUITAS.length === 11 ? 'cpf' : 'cnpj'}=${MUITAS}`

forEachDatabase((_dialect, fresh) => {
  test('a search whose process is killed at its last attempt is SIGEF_NETWORK_ERROR, and uncharged', async (t) => {
    const { attempts } = searchParcelas((await startRural(t)).rooms.rural)
    const simulador = await openSimulatorAt(() => new Date(), { ritmo: 0.2 })
    t.after(() => simulador.close())
    const { db, open, startServer } = await openMortal(t, fresh)
    const { key } = await open('starter')
    const env = { SIMULATOR_URL: simulador.endereco }
    const first = await startServer(env)
    const cut = ask(first, key).catch(() => undefined)
    while ((await pedidosTo(simulador.endereco, HOST)) < 5) await pausa()
    await ofTheSearch({ tentativas: attempts })
    first.child.kill('SIGKILL')
    await first.ended
    assert.equal(await cut, undefined, 'nobody was answered')
    // On a busy machine the lease would run out before the second process is asked.
    await ofTheSearch({ livre_em: Number.MAX_SAFE_INTEGER })
    const second = await startServer({ ...env, LOG_LEVEL: 'info' })
    t.after(() => second.child.kill('SIGKILL'))
    const waiting = ask(second, key)
    await second.says(/waiting for a job/)
    // The lease of the killed process runs out.
    await ofTheSearch({ livre_em: 0 })
    const { status, creditos, source_status } = await waiting
    assert.deepEqual([status, creditos], [200, '0'])
    assert.deepEqual([source_status.error_code, source_status.retryable], ['SIGEF_NETWORK_ERROR', true])
    assert.match(source_status.error_message, /Consulte de novo/)
    await second.stop()

    async function ofTheSearch(change: { tentativas?: number; livre_em?: number }): Promise<void> {
      const changed = db.kysely
        .updateTable('trabalhos')
        .set(change)
        .where('tipo', '=', buscaDeParcelas.kind)
        .where('estado', '=', 'aberto')
      assert.equal((await changed.executeTakeFirst()).numUpdatedRows, 1n)
    }
  })
})

async function ask(program: Child, key: string) {
  const response = await fetch(addressOf(program) + PATH, { headers: { 'X-API-Key': key } })
  const { source_status } = Object(await response.json())
  return {
    status: response.status,
    creditos: response.headers.get('x-credits-charged'),
    source_status: Object(source_status),
  }
}
