import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Dialect } from '../../src/platform/db/tables.ts'
import { pausa } from '../kit/basics.ts'
import { type Fresh, forEachDatabase } from '../kit/databases.ts'
import { BANCO_DO_BRASIL } from '../kit/house.ts'
import { openMortal } from '../kit/kill.ts'
import { addressOf } from '../kit/processes.ts'
import { reservado } from '../kit/simulator.ts'

const QUOTA = 100_000
/** Each client asks in turn for answers, and for holds that end in a failure (the live query). */
const PATHS = [
  `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`,
  `/api/consultar-cnpj?cnpj=${reservado('html-503')}&force_fresh=1`,
]

/** Asks without pause until the server dies. Gives the ids of the answers that came whole. */
async function askUntilDeath(address: string, key: string, answered: string[]): Promise<void> {
  for (let i = 0; ; i++) {
    try {
      const response = await fetch(address + PATHS[i % 2], { headers: { 'X-API-Key': key } })
      const { request_id } = JSON.parse(await response.text())
      if (response.status === 200) answered.push(request_id)
      if (response.status === 429) throw new Error('the plan is too small for this test')
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) return
      throw error
    }
  }
}

/** Declares the proof of the books of a service that is killed, on a database. */
function proveBooks(dialect: Dialect, fresh: Fresh): void {
  test('kill -9: every answer that a client has was charged once, and no hold outlives the process', async (t) => {
    const { db, open, startServer } = await openMortal(t, fresh)
    const contas = await Promise.all(Array.from({ length: 10 }, () => open('enterprise')))
    const answered: string[] = []
    for (const enough of [50, 200]) {
      const program = await startServer()
      const clients = contas.map(({ key }) => askUntilDeath(addressOf(program), key, answered))
      while (answered.length < enough) await pausa()
      program.child.kill('SIGKILL')
      await Promise.all(clients)
      await program.ended
    }
    const last = await startServer()
    try {
      const charges = await db.kysely
        .selectFrom('lancamentos')
        .select(['request_id', 'creditos'])
        .where('tipo', '=', 'charge')
        .where('creditos', '>', 0)
        .execute()
      const charged = charges.map(({ request_id }) => request_id)
      assert.equal(new Set(answered).size, answered.length)
      assert.deepEqual(
        answered.filter((id) => !charged.includes(id)),
        [],
        'what was answered is charged',
      )
      const unanswered = charged.length - answered.length
      assert.ok(unanswered <= 2 * contas.length, `${unanswered} charges, more than the calls in flight`)
      assert.ok(charges.every(({ creditos }) => creditos === 1))
      const balances = await db.kysely
        .selectFrom('saldos')
        .select('cota')
        .where(
          'conta_id',
          'in',
          contas.map(({ id }) => id),
        )
        .execute()
      const holds = await db.kysely.selectFrom('retencoes').select(['cota', 'no']).execute()
      const held = holds.reduce((sum, { cota }) => sum + cota, 0)
      const left = balances.reduce((sum, { cota }) => sum + cota, 0)
      // On PostgreSQL a node may be alive elsewhere, so its holds wait until its heartbeat is old.
      // The store's own tests cover that.
      if (dialect === 'sqlite') assert.equal(held, 0, 'the holds of the dead are released')
      assert.equal(
        left + held,
        contas.length * QUOTA - charged.length,
        'what is not charged is in the balance or held',
      )
    } finally {
      await last.stop()
    }
  })
}

forEachDatabase(proveBooks)
