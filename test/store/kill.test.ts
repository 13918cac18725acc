import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { openLedger } from '../../src/store/ledger.ts'
import { forEachDatabase, newConta, openFor, type Place } from './databases.ts'
import { assertBooks } from './livros.ts'

const CHILD = join(import.meta.dirname, 'cobrar-filho.ts')

/** Runs the child until it has answered `count` charges, kills it in mid-flight, and returns every id it wrote. */
async function killAfter(
  count: number,
  { arquivo, databaseUrl }: Place,
  conta_id: string,
): Promise<string[]> {
  const child = spawn(process.execPath, [CHILD, arquivo, conta_id, ...(databaseUrl ? [databaseUrl] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const answered: string[] = []
  const ended = once(child, 'close')
  for await (const line of createInterface(child.stdout)) {
    answered.push(line)
    if (answered.length === count) child.kill('SIGKILL')
  }
  await ended
  assert.equal(child.signalCode, 'SIGKILL')
  return answered
}

forEachDatabase((_dialect, fresh) => {
  test('after kill -9 every answered call is charged once and no hold stays open', async (t) => {
    const place = await fresh(t)
    const db = await openFor(t, place)
    const conta = await newConta(db, 'enterprise', new Date())
    const answered: string[] = []
    for (const count of [1, 200, 777]) answered.push(...(await killAfter(count, place, conta.id)))

    const later = new Date(Date.now() + 60_000)
    const ledger = openLedger(db, { no: 'depois', now: () => later })
    await ledger.releaseDead()
    const open = await db.kysely.selectFrom('retencoes').selectAll().execute()
    assert.deepEqual(open, [])
    const charges = await db.kysely
      .selectFrom('lancamentos')
      .selectAll()
      .where('tipo', '=', 'charge')
      .execute()
    const times = Map.groupBy(charges, ({ request_id }) => request_id)
    for (const id of answered) assert.equal(times.get(id)?.length, 1, 'an answered call is charged once')
    const { cota } = await assertBooks(db, conta.id)
    assert.equal(cota, 100_000 - charges.length, 'each charge took its one credit, and nothing else did')
    assert.ok(charges.length >= answered.length)
  })
})
