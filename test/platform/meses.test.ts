import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { changePlano, endPreco, negotiatePreco } from '../../src/contas/store-contas.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { newRequestId } from '../../src/platform/jobs/kind.ts'
import type { Entry } from '../../src/platform/ledger/extrato.ts'
import { type Ledger, openLedger } from '../../src/platform/ledger/ledger.ts'
import type { Livro } from '../../src/platform/ledger/meses.ts'
import { newConta } from '../kit/account.ts'
import { NOW, pausa, vezes } from '../kit/basics.ts'
import { countWaits, forEachDatabase, openFor } from '../kit/databases.ts'

const NOTA = '/api/consultar-nfe-xml'

type Ato =
  | { ato: 'charge' | 'nota' | 'hold' | 'settle' | 'grant' | 'debit'; creditos: number }
  | { ato: 'plano'; plano: 'lite' | 'starter' | 'pro' }
  | { ato: 'preco'; preco: '' | '0.05' | '1.2345' | 'plano' }
  | { ato: 'mes' | 'livro' | 'somar' | 'restart' }

const ato: fc.Arbitrary<Ato> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      ato: fc.constantFrom('charge', 'nota', 'nota', 'hold', 'settle', 'grant', 'debit'),
      creditos: fc.integer({ min: 1, max: 30 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ ato: fc.constant('plano'), plano: fc.constantFrom('lite', 'starter', 'pro') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ato: fc.constant('preco'),
      preco: fc.constantFrom('', '0.05', '1.2345', 'plano'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ ato: fc.constantFrom('mes', 'livro', 'somar', 'restart') }) },
)

type Row = Pick<Entry, 'tipo' | 'creditos' | 'cota' | 'extra' | 'reais'> & { lancamentos: number }

/** Sums of one month in one order, with what an entry is summed by. */
const sorted = (linhas: readonly (Row & { endpoint: string })[]): object[] =>
  linhas
    .map(({ tipo, endpoint, reais, lancamentos, creditos, cota, extra }) => ({
      key: `${tipo} ${endpoint} ${reais}`,
      lancamentos,
      creditos,
      cota,
      extra,
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))

/** The months of a whole chain, oldest first, counted entry by entry. */
function countUp(newestFirst: readonly Entry[]): { mes: string; somas: object[] }[] {
  const months: { mes: string; entries: Entry[] }[] = []
  for (const entry of newestFirst.toReversed()) {
    if (entry.tipo === 'renewal') months.push({ mes: entry.request_id.slice(-7), entries: [] })
    months.at(-1)?.entries.push(entry)
  }
  return months.map(({ mes, entries }) => {
    const alike = Map.groupBy(entries, ({ tipo, endpoint, reais }) =>
      JSON.stringify([tipo, tipo === 'charge' ? endpoint : '', reais]),
    )
    const add = (group: readonly Entry[], of: 'creditos' | 'cota' | 'extra'): number =>
      group.reduce((sum, entry) => sum + entry[of], 0)
    const somas = [...alike].map(([key, group]) => {
      const [tipo, endpoint, reais] = JSON.parse(key)
      const sums = { creditos: add(group, 'creditos'), cota: add(group, 'cota'), extra: add(group, 'extra') }
      return { tipo, endpoint, reais, lancamentos: group.length, ...sums }
    })
    return { mes, somas: sorted(somas) }
  })
}

async function assertSameAsBooks(db: Db, ledger: Ledger, conta_id: string): Promise<Livro> {
  const livro = await ledger.livro(conta_id)
  const entries = await ledger.extrato(conta_id, { limite: 100_000 })
  const found = livro.meses.map(({ mes, somas }) => ({ mes, somas: sorted(somas) }))
  assert.deepEqual(found, countUp(entries))
  const { saldo, reservados } = livro
  const total = livro.meses.flatMap(({ somas }) => somas).reduce((sum, s) => sum + s.cota + s.extra, 0)
  assert.equal(total, saldo.cota + saldo.extra + reservados, 'the entries are the balance and what is held')
  // What is kept is what its entries come to, up to its own entry.
  for (const row of await db.kysely
    .selectFrom('somas_mes')
    .selectAll()
    .where('conta_id', '=', conta_id)
    .execute()) {
    const at = entries.findIndex(
      ({ request_id, tipo }) => request_id === row.ate_request && tipo === row.ate_tipo,
    )
    const until = countUp(entries.slice(at)).find(({ mes }) => mes === row.mes)
    assert.deepEqual(sorted(JSON.parse(row.somas)), until?.somas)
  }
  return livro
}

forEachDatabase((dialect, fresh) => {
  async function setup(t: Parameters<typeof fresh>[0]) {
    const db = await openFor(t, await fresh(t))
    const clock = { now: NOW }
    const open = (): Ledger => openLedger(db, { no: randomUUID(), now: () => clock.now })
    return { db, clock, open, conta: await newConta(db, 'starter', NOW) }
  }

  test('whatever was entered, the sums of the months are the entries, and the balance what is held too', async (t) => {
    const { db, open, clock } = await setup(t)
    const live = async (atos: readonly Ato[]): Promise<void> => {
      clock.now = NOW
      const conta = await newConta(db, 'starter', NOW)
      let ledger = open()
      let held: string[] = []
      for (const one of atos) {
        const request_id = randomUUID()
        const call = { conta, request_id, endpoint: '/api/consultar' }
        if (one.ato === 'charge') await ledger.charge({ ...call, creditos: one.creditos })
        else if (one.ato === 'nota')
          await ledger.charge({ ...call, endpoint: NOTA, creditos: one.creditos, nota: true })
        else if (one.ato === 'hold') {
          const { ok } = await ledger.hold({ ...call, endpoint: NOTA, creditos: 30 })
          if (ok) held.push(request_id)
        } else if (one.ato === 'settle') {
          const [first, ...rest] = held
          held = rest
          if (first)
            await ledger.settle({
              ...call,
              request_id: first,
              endpoint: NOTA,
              creditos: one.creditos,
              nota: true,
            })
        } else if (one.ato === 'grant')
          await ledger.grant({ conta_id: conta.id, creditos: one.creditos, request_id, motivo: 'teste' })
        else if (one.ato === 'debit')
          await ledger.debit({ conta_id: conta.id, creditos: one.creditos, request_id, motivo: 'teste' })
        else if (one.ato === 'plano') await changePlano(db, conta.id, one.plano, clock.now)
        else if (one.ato === 'preco')
          await (one.preco === 'plano' ? endPreco(db, conta.id) : negotiatePreco(db, conta.id, one.preco))
        else if (one.ato === 'mes') clock.now = new Date(clock.now.getTime() + 31 * 86_400_000)
        else if (one.ato === 'livro') await assertSameAsBooks(db, ledger, conta.id)
        else if (one.ato === 'somar') await ledger.sumMeses(new AbortController().signal)
        else ledger = open()
      }
      await assertSameAsBooks(db, ledger, conta.id)
    }
    const property = fc.asyncProperty(fc.array(ato, { minLength: 3, maxLength: 40 }), live)
    await fc.assert(property, { numRuns: vezes(dialect === 'sqlite' ? 60 : 20) })
  })

  test('a month begins at midnight in Brasília, and ends before the next', async (t) => {
    const { db, clock, open, conta } = await setup(t)
    const ledger = open()
    const charge = (request_id: string, now: string) => {
      clock.now = new Date(now)
      return ledger.charge({ conta, request_id, endpoint: '/api/consultar', creditos: 1 })
    }
    await charge('last', '2026-12-01T02:59:59.999Z')
    await charge('first', '2026-12-01T03:00:00.000Z')
    const { meses } = await assertSameAsBooks(db, ledger, conta.id)
    assert.deepEqual(
      meses.map(({ mes, fim }) => [mes, fim.request_id]),
      [
        ['2026-11', 'last'],
        ['2026-12', 'first'],
      ],
    )
  })

  test('sums that are kept are walked to and no further, by whoever reads them', async (t) => {
    const { db, open, conta } = await setup(t)
    const charge = (request_id: string) =>
      open().charge({ conta, request_id, endpoint: '/api/consultar', creditos: 1 })
    for (const name of ['a', 'b', 'c']) await charge(name)
    await open().sumMeses(new AbortController().signal)
    // Behind the entry that is kept the chain is cut: who walked on would fail, or count less.
    await db.kysely.deleteFrom('lancamentos').where('request_id', 'in', ['a', 'b']).execute()
    await charge('d')
    const [mes] = (await open().livro(conta.id)).meses
    assert.equal(mes?.somas.find(({ tipo }) => tipo === 'charge')?.lancamentos, 4)
    assert.equal((await open().balanco(conta)).gastos[0]?.chamadas, 4)
    // So does the clock. The request of the second began before the entry that is kept.
    for (const name of ['e', 'bc']) {
      await charge(name)
      await open().sumMeses(new AbortController().signal)
    }
    const kept = await db.kysely.selectFrom('somas_mes').selectAll().executeTakeFirstOrThrow()
    assert.equal(kept.ate_request, 'bc')
    assert.equal((await open().balanco(conta)).gastos[0]?.chamadas, 6)
  })

  /** An account of two charges. `lose` leaves what a crash does that takes the second, which others saw. */
  async function setupLoss(t: Parameters<typeof fresh>[0]) {
    const { db, clock, open, conta } = await setup(t)
    const ledger = open()
    const charge = (request_id: string) =>
      ledger.charge({ conta, request_id, endpoint: '/api/consultar', creditos: 1 })
    for (const name of ['a', 'b']) await charge(name)
    const lose = async () => {
      await db.kysely.deleteFrom('lancamentos').where('request_id', '=', 'b').execute()
      await sql`update saldos set cota = cota + 1, ultimo_request = 'a' where conta_id = ${conta.id}`.execute(
        db.kysely,
      )
      // It is repeated, behind another.
      clock.now = new Date(clock.now.getTime() + 100)
      for (const name of ['c', 'b']) await charge(name)
    }
    return { db, ledger, conta, lose }
  }

  test('sums that were seen up to an entry which was lost are not taken for those up to its repetition', async (t) => {
    const { ledger, conta, lose } = await setupLoss(t)
    assert.equal((await ledger.balanco(conta)).gastos[0]?.chamadas, 2)
    await lose()
    assert.equal((await ledger.balanco(conta)).gastos[0]?.chamadas, 3)
  })

  if (dialect === 'postgres')
    test('nor are they kept', async (t) => {
      const { db, ledger, conta, lose } = await setupLoss(t)
      const { summing } = await db.kysely.transaction().execute(async (trx) => {
        await sql`lock table somas_mes in exclusive mode`.execute(trx)
        const summing = ledger.sumMeses(new AbortController().signal)
        while ((await countWaits(db.kysely, 'Lock')) === 0) await pausa()
        await lose()
        return { summing }
      })
      await summing
      assert.deepEqual(await db.kysely.selectFrom('somas_mes').selectAll().execute(), [])
      await ledger.sumMeses(new AbortController().signal)
      await assertSameAsBooks(db, ledger, conta.id)
    })

  test('the clock sums every account that has something new, and stops when it is told to', async (t) => {
    const { db, open, conta } = await setup(t)
    const others = await Promise.all(Array.from({ length: 120 }, () => newConta(db, 'lite', NOW)))
    const stopped = new AbortController()
    stopped.abort(new Error('the process stops'))
    await assert.rejects(open().sumMeses(stopped.signal), /the process stops/)
    await open().sumMeses(new AbortController().signal)
    const kept = await db.kysely.selectFrom('somas_mes').select('conta_id').execute()
    assert.deepEqual(
      new Set(kept.map(({ conta_id }) => conta_id)),
      new Set([conta.id, ...others.map(({ id }) => id)]),
    )
  })

  test('a month that ended since the clock looked is kept whole before the next one is begun', async (t) => {
    const { db, clock, open, conta } = await setup(t)
    const ledger = open()
    const charge = (request_id: string) =>
      ledger.charge({ conta, request_id, endpoint: '/api/consultar', creditos: 1 })
    const kept = async (): Promise<string[][]> => {
      await ledger.sumMeses(new AbortController().signal)
      const rows = await db.kysely.selectFrom('somas_mes').selectAll().orderBy('mes').execute()
      await assertSameAsBooks(db, ledger, conta.id)
      return rows.map(({ mes, ate_request }) => [mes, ate_request])
    }
    await charge('a')
    assert.deepEqual(await kept(), [['2026-11', 'a']])
    await charge('b')
    clock.now = new Date('2026-12-10T15:00:00Z')
    for (const name of ['c', 'd']) await charge(name)
    const november = ['2026-11', 'b']
    assert.deepEqual(await kept(), [november, ['2026-12', 'd']])
    // Nothing is new in December when it ends: January is begun from its renewal.
    clock.now = new Date('2027-01-10T15:00:00Z')
    await charge('e')
    assert.deepEqual(await kept(), [november, ['2026-12', 'd'], ['2027-01', 'e']])
  })

  test('the clock sums what is new of all accounts, in whatever order their requests began', async (t) => {
    const { db, open } = await setup(t)
    const ledger = open()
    const contas = await Promise.all(Array.from({ length: 5 }, () => newConta(db, 'enterprise', NOW)))
    const sum = () => ledger.sumMeses(new AbortController().signal)
    await sum()
    const began = Array.from({ length: 900 }, (_, i) => newRequestId(new Date(NOW.getTime() + i)))
    // Half of them are paid as they began, but for some that are late, and half at random.
    const ids = began.map((id, i) =>
      i % 50 === 1 ? `${id.slice(0, 2)}00${id.slice(4)}` : i < 450 ? id : randomUUID(),
    )
    for (let at = 0; at < ids.length; at += 90) {
      const paid = ids.slice(at, at + 90).map((request_id, i, group) => {
        const [conta, creditos] = [contas[i % contas.length], 1 + (i % 3)]
        assert.ok(conta)
        const call = { conta, request_id, endpoint: i % 7 === 0 ? NOTA : '/api/consultar', creditos }
        // What is given back has the name of its charge.
        const given = { conta_id: conta.id, creditos, request_id: group[i - 5] ?? '', motivo: 'teste' }
        return i % 45 === 8 ? ledger.grant(given) : ledger.charge({ ...call, nota: i % 14 === 0 })
      })
      await Promise.all(paid)
      if (at === 270 || at === 630) await sum()
    }
    await sum()
    for (const { id } of contas) {
      await assertSameAsBooks(db, ledger, id)
      const [{ ultimo_request, ultimo_tipo }, kept] = await Promise.all([
        db.kysely.selectFrom('saldos').selectAll().where('conta_id', '=', id).executeTakeFirstOrThrow(),
        db.kysely.selectFrom('somas_mes').selectAll().where('conta_id', '=', id).executeTakeFirstOrThrow(),
      ])
      assert.deepEqual([kept.ate_request, kept.ate_tipo], [ultimo_request, ultimo_tipo])
    }
  })

  test('nor does it matter that one request of very many began long before it was paid', async (t) => {
    const { db, open } = await setup(t)
    const [ledger, conta] = [open(), await newConta(db, 'enterprise', NOW)]
    const sum = () => ledger.sumMeses(new AbortController().signal)
    await sum()
    const ids = Array.from({ length: 1_200 }, (_, i) => newRequestId(new Date(NOW.getTime() + i)))
    const old = newRequestId(new Date(NOW.getTime() - 3_600_000))
    const pay = (request_id: string) =>
      ledger.charge({ conta, request_id, endpoint: '/api/consultar', creditos: 1 })
    await Promise.all(ids.map(pay))
    await pay(old)
    await sum()
    const kept = await db.kysely
      .selectFrom('somas_mes')
      .selectAll()
      .where('conta_id', '=', conta.id)
      .execute()
    assert.deepEqual(
      kept.map(({ ate_request }) => ate_request),
      [old],
    )
    await assertSameAsBooks(db, ledger, conta.id)
  })

  test('others have a turn between accounts that are summed', async (t) => {
    const { db, open } = await setup(t)
    const ledger = open()
    const contas = await Promise.all(Array.from({ length: 200 }, () => newConta(db, 'lite', NOW)))
    const turnsOfSum = async (): Promise<number> => {
      let turns = 0
      const count = (): void => {
        turns += 1
        next = setImmediate(count)
      }
      let next = setImmediate(count)
      await ledger.sumMeses(new AbortController().signal)
      clearImmediate(next)
      return turns
    }
    const first = await turnsOfSum()
    assert.ok(first >= contas.length, `${first} turns`)
    for (const conta of contas)
      await ledger.charge({ conta, request_id: randomUUID(), endpoint: '/api/consultar', creditos: 1 })
    const next = await turnsOfSum()
    assert.ok(next >= contas.length / 20, `${next} turns`)
  })

  test('a page goes on where the one before ended, and none goes past the renewal of its month', async (t) => {
    const { clock, open, conta } = await setup(t)
    const ledger = open()
    const charge = (request_id: string) =>
      ledger.charge({ conta, request_id, endpoint: '/api/consultar', creditos: 1 })
    for (const name of ['a', 'b', 'c']) await charge(name)
    clock.now = new Date('2026-12-10T15:00:00Z')
    for (const name of ['d', 'e', 'f', 'g']) await charge(name)
    const { meses } = await ledger.livro(conta.id)
    const told: Record<string, string[][]> = {}
    for (const { mes, fim } of meses) {
      const pages: string[][] = []
      for (let de: typeof fim | undefined = fim; de; ) {
        const { lancamentos, seguinte } = await ledger.pagina(conta.id, { de, limite: 2 })
        pages.push(lancamentos.map(({ tipo, request_id }) => (tipo === 'renewal' ? tipo : request_id)))
        de = seguinte
      }
      told[mes] = pages
      const ofOther = await ledger.pagina('outra-conta', { de: fim, limite: 2 })
      assert.deepEqual(ofOther, { lancamentos: [], seguinte: undefined }, 'an account sees its own alone')
    }
    assert.deepEqual(told, {
      '2026-11': [
        ['c', 'b'],
        ['a', 'renewal'],
      ],
      '2026-12': [['g', 'f'], ['e', 'd'], ['renewal']],
    })
  })
})
