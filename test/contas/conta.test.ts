import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { changePlano } from '../../src/contas/store-contas.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import { nomesDosPlanos, planos } from '../../src/platform/ledger/rules.ts'
import { NOW } from '../kit/basics.ts'
import { forEachDatabase, newPostgres } from '../kit/databases.ts'
import {
  askAndReach,
  BANCO_DO_BRASIL,
  type House,
  start,
  testOwnFailure,
  testWhoAsksFirst,
  UNKNOWN,
} from '../kit/house.ts'

const CONTA = '/api/v1/conta'
const CNPJ = `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`
const IE = '/api/consultar?uf=SP&cnpj=99001002000162'
/** The state answers about this document after two seconds. */
const SLOW = '/api/consultar?uf=AM&cnpj=98765002000176'
const DECEMBER = new Date('2026-12-01T03:00:00Z')

forEachDatabase((dialect) => {
  let house: House
  const clock = { now: NOW }
  before(async () => {
    const env =
      dialect === 'postgres'
        ? { DATABASE_URL: await newPostgres(), SERVER_SECRET: 'segredo-de-teste-com-mais-de-32-letras' }
        : undefined
    house = await start(env, () => clock.now)
  })
  after(() => house.close())

  const conta = async (key: string) => {
    const { status, body } = await house.ask(CONTA, { key })
    assert.equal(status, 200)
    return Object(body)
  }

  test('what another process gave is in the account at once, in its header too', async () => {
    const { conta: own, key } = await house.open('lite')
    const { db } = house.rooms.platform
    const other = openLedger(db, { no: 'outro', now: () => clock.now })
    const remaining = async (path: string) =>
      (await house.ask(path, { key })).headers.get('x-credits-remaining')
    const before = await remaining('/api/v1/base-cnpj')
    await other.grant({ conta_id: own.id, creditos: 7, request_id: randomUUID(), motivo: 'concessao' })
    assert.equal(await remaining('/api/v1/base-cnpj'), before, 'seen less than five seconds ago')
    const { headers, body } = await house.ask(CONTA, { key })
    assert.equal(Object(body.creditos).disponiveis, Number(before) + 7)
    assert.equal(headers.get('x-credits-remaining'), String(Number(before) + 7))
    assert.equal(await remaining('/api/v1/base-cnpj'), String(Number(before) + 7))
    const creditos = Number(before) + 7
    await other.debit({ conta_id: own.id, creditos, request_id: randomUUID(), motivo: 'ajuste' })
    assert.equal((await house.ask(CNPJ, { key })).status, 402)
    await other.grant({ conta_id: own.id, creditos: 3, request_id: randomUUID(), motivo: 'concessao' })
    await other.close()
    const missed = await house.ask(`/api/consultar-cnpj?cnpj=${UNKNOWN}`, { key })
    assert.deepEqual([missed.status, missed.headers.get('x-credits-remaining')], [404, '3'])
  })

  test('a new account reads its plan, its limits, its credits and an empty month', async () => {
    const { key } = await house.open('pro')
    const { status, headers, body, text } = await house.ask(CONTA, { key })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      request_id: headers.get('x-request-id'),
      nome: 'Teste',
      plano: 'pro',
      limites: { requisicoes_por_minuto: 300 },
      creditos: { cota: 10_000, cota_restante: 10_000, extras: 0, reservados: 0, disponiveis: 10_000 },
      renova_em: '2026-12-01T03:00:00.000Z',
      preco_exclusivo: false,
      preco_xml: { creditos: 3, reais: '0.195' },
      uso: {
        mes: '2026-11',
        desde: '2026-11-01T03:00:00.000Z',
        endpoints: [],
        creditos_total: 0,
        extras_concedidos: 0,
        creditos_debitados: 0,
      },
    })
    assert.doesNotMatch(text, /@|fk_/, 'no e-mail and no key')
  })

  test('it is free, also for an account without credits, and counts for the rate limit', async () => {
    const { key, conta: mine } = await house.open('lite')
    const debit = { conta_id: mine.id, creditos: 100, request_id: `tudo-${mine.id}`, motivo: 'teste' }
    await house.rooms.platform.ledger.debit(debit)
    const { status, headers } = await house.ask(CONTA, { key })
    assert.equal(status, 200)
    assert.deepEqual(
      ['x-credits-charged', 'x-credits-remaining', 'x-ratelimit-remaining'].map((name) => headers.get(name)),
      ['0', '0', '29'],
    )
    assert.deepEqual((await conta(key)).uso.creditos_debitados, 100)
  })

  test('the use is what was charged, endpoint by endpoint; failures and free calls are not in it', async () => {
    const { key } = await house.open('starter')
    for (const path of [CNPJ, CNPJ, IE, `/api/consultar-cnpj?cnpj=${UNKNOWN}`, '/api/v1/fontes?uf=SP', CONTA])
      await house.ask(path, { key })
    const all = await house.ask('/api/consultar-ie-todos?cnpj=99001002000162', { key })
    const charged = Number(all.headers.get('x-credits-charged'))
    assert.ok(charged > 2)
    const { creditos, uso } = await conta(key)
    assert.deepEqual(uso.endpoints, [
      { endpoint: '/api/consultar-ie-todos', chamadas: 1, creditos: charged },
      { endpoint: '/api/consultar-cnpj', chamadas: 2, creditos: 2 },
      { endpoint: '/api/consultar', chamadas: 1, creditos: 1 },
    ])
    assert.equal(uso.creditos_total, charged + 3)
    assert.deepEqual(creditos, {
      cota: 1_000,
      cota_restante: 997 - charged,
      extras: 0,
      reservados: 0,
      disponiveis: 997 - charged,
    })
  })

  test('what a running call holds is told, and charged or given back when it ends', async () => {
    const { key } = await house.open('lite')
    const { answer } = await askAndReach(house, { path: SLOW, key, host: 'nfe.sefaz.am.gov.br' })
    const { creditos, uso } = await conta(key)
    assert.deepEqual([creditos.cota_restante, creditos.reservados, uso.creditos_total], [99, 1, 0])
    assert.equal((await answer).status, 200)
    const then = await conta(key)
    assert.deepEqual([then.creditos.cota_restante, then.creditos.reservados], [99, 0])
    assert.deepEqual(then.uso.endpoints, [{ endpoint: '/api/consultar', chamadas: 1, creditos: 1 }])
  })

  test('a larger plan, extra credits and a debit show at once, and everything adds up', async () => {
    const { key, conta: mine } = await house.open('lite')
    const { ledger, db } = house.rooms.platform
    await house.ask(CNPJ, { key })
    await changePlano(db, mine.id, 'starter', clock.now)
    const entry = (creditos: number, name: string) => ({
      conta_id: mine.id,
      creditos,
      request_id: `${name}-${mine.id}`,
      motivo: 'teste',
    })
    await ledger.grant(entry(40, 'extra'))
    await ledger.debit(entry(1_010, 'debito'))
    const { plano, limites, creditos, preco_xml, uso } = await conta(key)
    assert.deepEqual([plano, limites, preco_xml.reais], ['starter', { requisicoes_por_minuto: 60 }, '0.30'])
    assert.deepEqual(creditos, { cota: 1_000, cota_restante: 0, extras: 29, reservados: 0, disponiveis: 29 })
    const { creditos_total, extras_concedidos, creditos_debitados } = uso
    assert.deepEqual([creditos_total, extras_concedidos, creditos_debitados], [1, 40, 1_010])
    assert.equal(
      creditos.cota + extras_concedidos - creditos_total - creditos_debitados,
      creditos.disponiveis,
    )
  })

  test('each plan tells its price of a note in reais, and a negotiated account its own, or none', async () => {
    const { db } = house.rooms.platform
    for (const plano of nomesDosPlanos) {
      const { key } = await house.open(plano)
      assert.deepEqual((await conta(key)).preco_xml, { creditos: 3, reais: planos[plano].reaisPorXml })
    }
    const { key, conta: mine } = await house.open('enterprise')
    const negotiate = (preco_xml: string | null) =>
      db.kysely
        .updateTable('contas')
        .set({ preco_exclusivo: 1, preco_xml })
        .where('id', '=', mine.id)
        .execute()
    await negotiate('0.0425')
    const negotiated = await conta(key)
    assert.deepEqual(negotiated.preco_xml, { creditos: 1, reais: '0.0425' })
    assert.equal(negotiated.preco_exclusivo, true)
    await negotiate(null)
    assert.deepEqual((await conta(key)).preco_xml, { creditos: 1, reais: '' })
  })

  test('the month begins anew at midnight of its first day in Brasília, with the whole quota', async (t) => {
    t.after(() => {
      clock.now = NOW
    })
    const { key } = await house.open('lite')
    await house.ask(CNPJ, { key })
    clock.now = new Date(DECEMBER.getTime() - 1)
    const last = await conta(key)
    assert.deepEqual(
      [last.uso.mes, last.uso.creditos_total, last.renova_em],
      ['2026-11', 1, DECEMBER.toISOString()],
    )
    clock.now = DECEMBER
    const { creditos, renova_em, uso } = await conta(key)
    assert.deepEqual([uso.mes, uso.desde, uso.endpoints], ['2026-12', DECEMBER.toISOString(), []])
    assert.deepEqual([creditos.cota_restante, renova_em], [100, '2027-01-01T03:00:00.000Z'])
    await house.ask(CNPJ, { key })
    assert.equal((await conta(key)).uso.creditos_total, 1)
  })
})

describe('refusals', () => {
  let house: House
  before(async () => {
    house = await start()
  })
  after(() => house.close())
  testWhoAsksFirst(() => house, CONTA)
  testOwnFailure(CONTA, 'retencoes')
})
