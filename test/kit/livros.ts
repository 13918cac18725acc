import assert from 'node:assert/strict'
import type { Db } from '../../src/platform/db/db.ts'

/** Checks what must hold of the books at any time. Gives the account's balance from its row. */
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
  const open = await db.kysely.selectFrom('retencoes').selectAll().where('conta_id', '=', conta_id).execute()
  for (const held of open) {
    sum.cota -= held.cota
    sum.extra -= held.extra
  }
  assert.deepEqual(saldo, sum, 'the sum of the entries is the balance and what is held')
  assert.ok(saldo.cota >= 0 && saldo.extra >= 0, 'the balance is never negative')
  const keys = entries.map(({ request_id, tipo }) => `${request_id} ${tipo}`)
  assert.equal(new Set(keys).size, keys.length, 'an entry of a kind is written once for a request')
  for (const { tipo, creditos, cota, extra } of entries) {
    assert.ok(tipo !== 'hold', 'a hold is no entry')
    if (tipo === 'charge') assert.ok(creditos > 0, 'a charge is of something')
    if (tipo === 'charge' || tipo === 'debit')
      assert.equal(cota + extra, -creditos, 'a charge or a debit is what it takes')
    if (tipo === 'release') assert.ok(extra === 0 && cota === -creditos, 'a release is of lost quota')
  }
  for (const { request_id } of open)
    assert.ok(!entries.some((entry) => entry.request_id === request_id), 'what is held is not charged')
  return saldo
}
