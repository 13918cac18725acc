import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { changePlano } from '../../src/contas/store-contas.ts'
import type { Entry } from '../../src/platform/ledger/extrato.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import { newConta } from '../kit/account.ts'
import { NOW, vezes } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const DECEMBER = new Date('2026-12-10T15:00:00Z')
const ROUTES = ['/api/consultar', '/api/consultar-cnpj', '/api/consultar-nfe-xml'] as const

/** What the entries of a month come to, counted one by one. */
function countUp(entries: readonly Entry[]): object {
  const gastos = new Map<string, { chamadas: number; creditos: number }>()
  let [concedidos, debitados] = [0, 0]
  for (const { tipo, endpoint, creditos, extra } of entries) {
    if (tipo === 'grant') concedidos += extra
    if (tipo === 'debit') debitados += creditos
    if (tipo !== 'charge') continue
    const { chamadas, creditos: before } = gastos.get(endpoint) ?? { chamadas: 0, creditos: 0 }
    gastos.set(endpoint, { chamadas: chamadas + 1, creditos: before + creditos })
  }
  const rows = [...gastos].map(([endpoint, gasto]) => ({ endpoint, ...gasto }))
  rows.sort((a, b) => b.creditos - a.creditos || a.endpoint.localeCompare(b.endpoint))
  return { gastos: rows, concedidos, debitados }
}

type Ato =
  | { ato: 'charge' | 'hold' | 'settle' | 'grant' | 'debit'; rota: number; creditos: number }
  | { ato: 'plano'; plano: 'lite' | 'starter' | 'pro' }
  | { ato: 'mes' }
  | { ato: 'balanco' }

const ato: fc.Arbitrary<Ato> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      ato: fc.constantFrom('charge', 'charge', 'hold', 'settle', 'grant', 'debit'),
      rota: fc.nat(2),
      creditos: fc.integer({ min: 1, max: 30 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ ato: fc.constant('plano'), plano: fc.constantFrom('lite', 'starter', 'pro') }),
  },
  { weight: 3, arbitrary: fc.record({ ato: fc.constantFrom('mes', 'balanco', 'balanco') }) },
)

forEachDatabase((dialect, fresh) => {
  async function setup(t: Parameters<typeof fresh>[0]) {
    const db = await openFor(t, await fresh(t))
    const clock = { now: NOW }
    const ledger = openLedger(db, { no: 'no-1', now: () => clock.now })
    const conta = await newConta(db, 'starter', NOW)
    const charge = (request_id: string, endpoint: string = ROUTES[0], creditos = 1) =>
      ledger.charge({ conta, request_id, endpoint, creditos })
    return { db, clock, ledger, conta, charge }
  }

  test('the use of a month is its charges by endpoint, the dearest first', async (t) => {
    const { ledger, conta, charge } = await setup(t)
    for (const name of ['a', 'b', 'c']) await charge(name)
    await charge('d', ROUTES[2], 3)
    await charge('e', ROUTES[1], 5)
    await charge('f', ROUTES[1], 0)
    const { gastos, saldo, concedida } = await ledger.balanco(conta)
    assert.deepEqual(gastos, [
      { endpoint: ROUTES[1], chamadas: 1, creditos: 5 },
      { endpoint: ROUTES[0], chamadas: 3, creditos: 3 },
      { endpoint: ROUTES[2], chamadas: 1, creditos: 3 },
    ])
    assert.deepEqual([concedida, saldo.cota], [1_000, 989])
  })

  test('a debit takes the quota first, then extra credits, and nothing where both are too few', async (t) => {
    const { ledger, conta } = await setup(t)
    await ledger.grant({ conta_id: conta.id, creditos: 50, request_id: 'g', motivo: 'pix 7' })
    const debit = (creditos: number, request_id: string) =>
      ledger.debit({ conta_id: conta.id, creditos, request_id, motivo: 'estorno em dobro' })
    const before = await ledger.saldo(conta)
    assert.deepEqual(await debit(1_051, 'd-1'), { ok: false, charged: false, saldo: before })
    const { ok, saldo } = await debit(1_020, 'd-1')
    assert.deepEqual([ok, saldo.cota, saldo.extra], [true, 0, 30])
    const [entry] = await ledger.extrato(conta.id)
    const { tipo, creditos, cota, extra, endpoint, request_id } = entry ?? assert.fail('no entry')
    assert.deepEqual([tipo, creditos, cota, extra], ['debit', 1_020, -1_000, -20])
    assert.deepEqual([endpoint, request_id], ['estorno em dobro', 'd-1'])
    assert.equal((await debit(1_020, 'd-1')).saldo.extra, 30)
    const { gastos, concedidos, debitados } = await ledger.balanco(conta)
    assert.deepEqual({ gastos, concedidos, debitados }, { gastos: [], concedidos: 50, debitados: 1_020 })
    await assert.rejects(debit(0, 'd-2'), RangeError)
  })

  test('a chain of more entries than one query reads is summed whole, and then only what is new', async (t) => {
    const { ledger, conta, charge } = await setup(t)
    await ledger.grant({ conta_id: conta.id, creditos: 2_000, request_id: 'g', motivo: 'teste' })
    const many = Array.from({ length: 2_345 }, (_, i) => charge(`c-${i}`, ROUTES[i % 2]))
    await Promise.all(many)
    const expected = countUp(await ledger.extratoDoMes(conta.id, { mes: '2026-11', limite: 9_999 }))
    for (const _ of [1, 2]) {
      const { gastos, concedidos, debitados } = await ledger.balanco(conta)
      assert.deepEqual({ gastos, concedidos, debitados }, expected)
    }
    await charge('one more', ROUTES[0])
    const [dearest] = (await ledger.balanco(conta)).gastos
    assert.deepEqual(dearest, { endpoint: ROUTES[0], chamadas: 1_174, creditos: 1_174 })
  })

  test('each of many calls at once sees the charges that were made before it', async (t) => {
    const { ledger, conta, charge } = await setup(t)
    const seen = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        await charge(`c-${i}`)
        const other = ledger.balanco(conta)
        await charge(`d-${i}`)
        const [mine] = await Promise.all([ledger.balanco(conta), other])
        return mine
      }),
    )
    for (const { gastos, saldo } of seen) {
      const [{ chamadas } = { chamadas: 0 }] = gastos
      assert.ok(chamadas >= 2)
      assert.equal(saldo.cota, 1_000 - chamadas, 'what is left is of the same instant as what was used')
    }
    assert.equal((await ledger.balanco(conta)).gastos[0]?.chamadas, 80)
  })

  test('a node that remembers its sums sees what other nodes charged since', async (t) => {
    const { db, ledger, conta, charge } = await setup(t)
    const other = openLedger(db, { no: 'no-2', now: () => NOW })
    for (let calls = 1; calls <= 3; calls++) {
      await charge(`c-${calls}`)
      for (const node of [ledger, other]) assert.equal((await node.balanco(conta)).gastos[0]?.chamadas, calls)
    }
  })

  test('a new month begins with no use, also for an account that nobody touched since', async (t) => {
    const { db, clock, ledger, conta, charge } = await setup(t)
    await charge('a')
    await ledger.balanco(conta)
    clock.now = DECEMBER
    const { gastos, saldo } = await ledger.balanco(conta)
    assert.deepEqual([gastos, saldo.periodo, saldo.cota], [[], '2026-12', 1_000])
    await charge('b')
    assert.equal((await ledger.balanco(conta)).gastos[0]?.chamadas, 1)
    assert.deepEqual((await openLedger(db, { no: 'no-2', now: () => clock.now }).balanco(conta)).gastos, [
      { endpoint: ROUTES[0], chamadas: 1, creditos: 1 },
    ])
  })

  test('after whatever a month brings, the sums are those of its statement', async (t) => {
    const { db } = await setup(t)
    const property = fc.asyncProperty(fc.array(ato, { minLength: 5, maxLength: 60 }), async (atos) => {
      const clock = { now: NOW }
      const ledger = openLedger(db, { no: 'no-1', now: () => clock.now })
      const conta = await newConta(db, 'lite', NOW)
      const held: { request_id: string; endpoint: string; creditos: number }[] = []
      const check = async (): Promise<void> => {
        const { gastos, concedidos, debitados, concedida, reservados, saldo } = await ledger.balanco(conta)
        const entries = await ledger.extratoDoMes(conta.id, { mes: saldo.periodo, limite: 9_999 })
        assert.deepEqual({ gastos, concedidos, debitados }, countUp(entries))
        assert.equal(
          reservados,
          held.reduce((sum, { creditos }) => sum + creditos, 0),
        )
        const given = entries.reduce((sum, { tipo, cota }) => sum + (tipo === 'grant' ? cota : 0), 0)
        assert.equal(concedida, given + (entries.at(-1)?.creditos ?? 0))
      }
      for (const [i, step] of atos.entries()) {
        if (step.ato === 'mes') clock.now = new Date(clock.now.getTime() + 25 * 86_400_000)
        else if (step.ato === 'plano') await changePlano(db, conta.id, step.plano, clock.now)
        else if (step.ato === 'balanco') await check()
        else {
          const { creditos } = step
          const call = { conta, request_id: `${conta.id}-${i}`, endpoint: ROUTES[step.rota] ?? '', creditos }
          const own = { conta_id: conta.id, request_id: call.request_id, creditos, motivo: 'teste' }
          if (step.ato === 'charge') await ledger.charge(call)
          else if (step.ato === 'grant') await ledger.grant(own)
          else if (step.ato === 'debit') await ledger.debit(own)
          else if (step.ato === 'hold') {
            if ((await ledger.hold(call)).ok) held.push(call)
          } else {
            const hold = held.pop()
            if (hold) await ledger.settle({ ...hold, conta, creditos: Math.min(creditos, hold.creditos) })
          }
        }
      }
      await check()
    })
    await fc.assert(property, { numRuns: vezes(dialect === 'sqlite' ? 60 : 20) })
  })
})
