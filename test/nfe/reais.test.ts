import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changePlano, negotiatePreco } from '../../src/contas/store-contas.ts'
import { type NfeHouse, startNfe } from '../kit/nfe.ts'

let house: NfeHouse
before(async () => {
  house = await startNfe()
})
after(() => house.close())

/** What the account was charged, oldest first: credits and BRL. */
async function lancadoA(conta_id: string): Promise<(number | string | null)[][]> {
  const rows = await house.rooms.platform.db.kysely
    .selectFrom('lancamentos')
    .where('conta_id', '=', conta_id)
    .where('tipo', '=', 'charge')
    .select(['creditos', 'reais'])
    .orderBy('request_id')
    .execute()
  return rows.map(({ creditos, reais }) => [creditos, reais])
}

test('each delivered note is entered at the price of its day, and no other call has one', async () => {
  const { conta, key } = await house.open('lite')
  const { db } = house.rooms.platform
  const chave = house.chaveDe('ciencia')
  const pedir = async (): Promise<void> => {
    // Past the five seconds for which an account is believed.
    house.pass(6_000)
    const { item } = await house.askFor('ciencia', { chave, key })
    assert.ok(item.xml)
  }
  await pedir()
  await changePlano(db, conta.id, 'starter', house.now())
  await pedir()
  await negotiatePreco(db, conta.id, '0.05')
  await pedir()
  await negotiatePreco(db, conta.id, '')
  await pedir()
  const { status } = await house.ask('/api/consultar-cnpj?cnpj=00000000000191', { key })
  assert.equal(status, 200)
  const refused = await house.askFor('ciencia', { chave: house.chaveDe('cancelada'), key })
  assert.equal(refused.item.xml, null)
  assert.deepEqual(await lancadoA(conta.id), [
    [3, '2.00'],
    [3, '0.30'],
    [1, '0.05'],
    [1, null],
    [1, null],
  ])
})
