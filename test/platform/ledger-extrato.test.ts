import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Entry, selectMes } from '../../src/platform/ledger/extrato.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import { newConta } from '../kit/account.ts'
import { NOW } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const DECEMBER = new Date('2026-12-10T15:00:00Z')
const MARCH = new Date('2027-03-10T15:00:00Z')

const told = (entries: Entry[]): string[] =>
  entries.map(({ tipo, request_id }) => (tipo === 'renewal' ? tipo : request_id))

forEachDatabase((_dialect, fresh) => {
  /** An account with use in November, December and March, beside another account. */
  async function setup(t: Parameters<typeof fresh>[0]) {
    const db = await openFor(t, await fresh(t))
    const clock = { now: NOW }
    const ledger = openLedger(db, { no: 'no-1', now: () => clock.now })
    const conta = await newConta(db, 'lite', NOW)
    const other = await newConta(db, 'lite', NOW)
    const charge = async (request_id: string, now: Date): Promise<void> => {
      clock.now = now
      const call = { endpoint: '/api/teste', creditos: 1 }
      await ledger.charge({ ...call, conta, request_id })
      await ledger.charge({ ...call, conta: other, request_id: `x-${request_id}` })
    }
    for (const name of ['a', 'b', 'c']) await charge(name, NOW)
    for (const name of ['d', 'e']) await charge(name, DECEMBER)
    await charge('f', MARCH)
    const mes = (text: string, limite = 100) => selectMes(db, conta.id, { mes: text, limite })
    return { ledger, conta, charge, mes }
  }

  test('a month of the statement is what stands from its renewal to the next, newest first', async (t) => {
    const { mes } = await setup(t)
    assert.deepEqual(told(await mes('2026-11')), ['c', 'b', 'a', 'renewal'])
    assert.deepEqual(told(await mes('2026-12')), ['e', 'd', 'renewal'])
    assert.deepEqual(told(await mes('2027-03')), ['f', 'renewal'])
  })

  test('a month in which nobody touched the account has no entries', async (t) => {
    const { mes } = await setup(t)
    for (const untouched of ['2026-10', '2027-01', '2027-02', '2027-04'])
      assert.deepEqual(await mes(untouched), [], untouched)
  })

  test('a month of the statement ends at its limit, at the newest entries', async (t) => {
    const { mes } = await setup(t)
    assert.deepEqual(told(await mes('2026-11', 2)), ['c', 'b'])
  })

  test('an entry of a node whose clock was late hides no entry before it', async (t) => {
    const { ledger, conta, charge } = await setup(t)
    await charge('late', new Date(0))
    await charge('g', MARCH)
    const desde = new Date('2026-12-01T03:00:00Z')
    const names = ['g', 'f', 'renewal', 'e', 'd', 'renewal']
    assert.deepEqual(told(await ledger.extrato(conta.id, { desde })), names)
  })

  test('the months together are the whole statement', async (t) => {
    const { ledger, conta, mes } = await setup(t)
    const months = [...(await mes('2027-03')), ...(await mes('2026-12')), ...(await mes('2026-11'))]
    assert.deepEqual(months, await ledger.extrato(conta.id))
  })
})
