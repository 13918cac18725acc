import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changePlano, endPreco, negotiatePreco } from '../../src/contas/store-contas.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import { newConta } from '../kit/account.ts'
import { NOW } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const TOMORROW = new Date('2026-11-15T15:00:00Z')

forEachDatabase((_dialect, fresh) => {
  async function setup(t: Parameters<typeof fresh>[0]) {
    const db = await openFor(t, await fresh(t))
    const conta = await newConta(db, 'lite')
    const ledger = openLedger(db, { no: 'no-1', now: () => NOW })
    const nota = (request_id: string, creditos = 3) => ({
      conta,
      request_id,
      endpoint: '/api/consultar-nfe-xml',
      creditos,
      nota: true,
    })
    /** The prices of the charges, by their requests. */
    const reais = async (): Promise<Record<string, string | null>> => {
      const rows = await db.kysely
        .selectFrom('lancamentos')
        .select(['request_id', 'reais'])
        .where('tipo', '=', 'charge')
        .execute()
      return Object.fromEntries(rows.map((row) => [row.request_id, row.reais]))
    }
    return { db, conta, ledger, nota, reais }
  }

  test('a note is entered at the price of its plan at the moment of the charge', async (t) => {
    const { db, conta, ledger, nota, reais } = await setup(t)
    await ledger.charge(nota('lite'))
    await ledger.hold(nota('across'))
    await changePlano(db, conta.id, 'pro', TOMORROW)
    await ledger.settle(nota('across'))
    await ledger.charge(nota('pro'))
    await changePlano(db, conta.id, 'enterprise', TOMORROW)
    await ledger.charge(nota('enterprise'))
    await ledger.charge(nota('lite'))
    const expected = { lite: '2.00', across: '0.195', pro: '0.195', enterprise: '0.075' }
    assert.deepEqual(await reais(), expected)
  })

  test('a note of a negotiated account is entered at the price of the operator, or at none', async (t) => {
    const { db, conta, ledger, nota, reais } = await setup(t)
    await negotiatePreco(db, conta.id, '0.1234')
    await ledger.charge(nota('priced', 1))
    await negotiatePreco(db, conta.id, '')
    await ledger.charge(nota('unpriced', 1))
    await endPreco(db, conta.id)
    await ledger.charge(nota('ended'))
    assert.deepEqual(await reais(), { priced: '0.1234', unpriced: null, ended: '2.00' })
  })

  test('only the charge of a note has a price, and a call that comes to nothing has none', async (t) => {
    const { db, conta, ledger, nota, reais } = await setup(t)
    await ledger.charge({ ...nota('cnpj', 1), nota: false, endpoint: '/api/consultar-cnpj' })
    await ledger.hold(nota('nothing'))
    await ledger.settle(nota('nothing', 0))
    await ledger.debit({ conta_id: conta.id, creditos: 2, request_id: 'debit', motivo: 'teste' })
    assert.deepEqual(await reais(), { cnpj: null })
    const priced = await db.kysely
      .selectFrom('lancamentos')
      .where('reais', 'is not', null)
      .select('tipo')
      .execute()
    assert.deepEqual(priced, [])
  })

  test('notes of one account and of several, charged together, each have their own price', async (t) => {
    const { db, ledger, nota, reais } = await setup(t)
    const pro = await newConta(db, 'pro')
    await Promise.all(
      [1, 2, 3].flatMap((n) => [
        ledger.charge(nota(`lite-${n}`)),
        ledger.charge({ ...nota(`pro-${n}`), conta: pro }),
        ledger.charge({ ...nota(`cnpj-${n}`), nota: false }),
      ]),
    )
    const found = await reais()
    for (const n of [1, 2, 3]) {
      const prices = [found[`lite-${n}`], found[`pro-${n}`], found[`cnpj-${n}`]]
      assert.deepEqual(prices, ['2.00', '0.195', null])
    }
  })
})
