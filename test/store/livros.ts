import assert from 'node:assert/strict'
import type { Db } from '../../src/store/db.ts'

/** Checks what must hold of the books at any time: returns the account's balance as its row has it. */
export async function assertBooks(db: Db, conta_id: string): Promise<{ cota: number; extra: number }> {
  const row = await db.kysely
    .selectFrom('saldos')
    .select(['cota', 'extra'])
    .where('conta_id', '=', conta_id)
    .executeTakeFirstOrThrow()
  const saldo = { cota: row.cota, extra: row.extra }
  const entries = await db.kysely
    .selectFrom('lancamentos')
    .selectAll()
    .where('conta_id', '=', conta_id)
    .execute()
  const sum = entries.reduce((s, { cota, extra }) => ({ cota: s.cota + cota, extra: s.extra + extra }), {
    cota: 0,
    extra: 0,
  })
  assert.deepEqual(saldo, sum, 'the sum of the entries is the balance')
  assert.ok(saldo.cota >= 0 && saldo.extra >= 0, 'the balance is never negative')
  const keys = entries.map(({ request_id, tipo }) => `${request_id} ${tipo}`)
  assert.equal(new Set(keys).size, keys.length, 'an entry of a kind is written once for a request')
  const open = await db.kysely.selectFrom('retencoes').selectAll().where('conta_id', '=', conta_id).execute()
  const creditsOf = (request_id: string, tipo: string) =>
    entries.find((entry) => entry.request_id === request_id && entry.tipo === tipo)?.creditos ?? 0
  for (const { request_id, creditos } of entries.filter(({ tipo }) => tipo === 'hold')) {
    const charge = entries.find((entry) => entry.request_id === request_id && entry.tipo === 'charge')
    // A charge with a delta of its own was made afresh, after the hold had been released whole.
    const fromHold = charge && charge.cota === 0 && charge.extra === 0 ? charge.creditos : 0
    const held = open.find((hold) => hold.request_id === request_id)
    const stillHeld = held ? held.cota + held.extra : 0
    assert.equal(
      creditos,
      fromHold + creditsOf(request_id, 'release') + stillHeld,
      'a hold ends as charge and release',
    )
  }
  return saldo
}
