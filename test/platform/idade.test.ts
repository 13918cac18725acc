import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findInscricoes } from '../../src/inscricao/lookup.ts'
import { NOTHING_KEPT } from '../../src/platform/cache/cache.ts'
import { paginaPorNumero } from '../kit/authority.ts'
import { rowsOf, testOnce } from '../kit/basics.ts'
import {
  aged,
  anew,
  BANCO_DO_BRASIL,
  CND_TODOS,
  cnd,
  company,
  type House,
  IE_TODOS,
  ie,
  newClock,
  start,
} from '../kit/house.ts'
import { type Entry, entriesOf, parseEvents } from '../kit/portal.ts'
import { reservado } from '../kit/simulator.ts'

const { now, pass } = newClock()
let house: House
before(async () => {
  house = await start({ IE_SECONDS: '6', CND_SECONDS: '8' }, now)
})
after(() => house.close())

for (const [name, path] of [
  ['IE', ie('99001002000162')],
  ['state CND', cnd(reservado('cnd-positiva'))],
] as const)
  testOnce(`${name}: consultado_em is when the state answered, Age the seconds since then`, async () => {
    const first = now().toISOString()
    assert.deepEqual(aged(await house.ask(path)), [200, '0', first, false])
    pass(90_999)
    assert.deepEqual(aged(await house.ask(path)), [200, '90', first, true])
    const again = now().toISOString()
    assert.deepEqual(aged(await house.ask(path, anew)), [200, '0', again, false])
    pass(1_000)
    assert.deepEqual(aged(await house.ask(path)), [200, '1', again, true], 'the new one is kept')
  })

testOnce('a clock that was set back gives no negative age', async () => {
  const path = ie(company('99013200'))
  await house.ask(path)
  pass(-5_000)
  assert.equal((await house.ask(path)).headers.get('age'), '0')
  pass(5_000)
})

for (const path of rowsOf([`${IE_TODOS}?cnpj=`, `${CND_TODOS}?cnpj=`]))
  test(`${path}: each UF has its own, empty where it failed, and Age is the oldest`, async () => {
    const cnpj = reservado(path.startsWith(IE_TODOS) ? '259' : 'cnd-efeitos')
    const one = path.startsWith(IE_TODOS) ? ie(cnpj) : cnd(cnpj, 'MG')
    const early = now().toISOString()
    assert.equal((await house.ask(one)).status, 200)
    pass(61_000)
    const { headers, body } = await house.ask(path + cnpj)
    const entries: (Entry & { consultado_em?: string })[] = entriesOf(body)
    const kept = path.startsWith(IE_TODOS) ? 'SP' : 'MG'
    for (const { uf, source_status, consultado_em } of entries) {
      const answered = uf === kept ? early : now().toISOString()
      // Where nobody is a taxpayer without a registration, that of SP was asked a minute ago.
      if (source_status.status === 'success') assert.ok([answered, early].includes(`${consultado_em}`), uf)
      else assert.equal(consultado_em, '', uf)
    }
    assert.equal(entries.find(({ uf }) => uf === kept)?.consultado_em, early)
    assert.equal(headers.get('age'), '61')
    assert.equal(body.consultado_em, undefined)
  })

testOnce(
  'a stream has no Age, since its headers leave first; its entries and its result tell the instants',
  async () => {
    const path = `${IE_TODOS}?cnpj=${reservado('259')}`
    await house.ask(path)
    pass(1_000)
    const { headers, text } = await house.ask(path, { headers: { accept: 'text/event-stream' } })
    assert.equal(headers.get('age'), null)
    const events = parseEvents(text)
    const entries = entriesOf(Object(events.at(-1)?.data))
    for (const { event, id, data } of events)
      if (event === 'uf')
        assert.equal(
          Object(data).consultado_em,
          Object(entries.find(({ uf }) => uf === id)).consultado_em,
          `${id}`,
        )
    assert.ok(entries.some((entry) => Object(entry).consultado_em !== ''))
  },
)

testOnce('where the state failed there is no Age, and consultado_em is empty', async () => {
  const path = cnd(reservado('cnd-pdf-de-outro'))
  assert.deepEqual(aged(await house.ask(path)), [200, null, '', false])
  const failed = await house.ask(cnd(reservado('corta-antes'), 'PE'))
  assert.deepEqual([failed.status, failed.headers.get('age')], [503, null])
})

testOnce('what comes from the monthly base has neither', async () => {
  const { headers, body } = await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`)
  assert.deepEqual([headers.get('age'), body.consultado_em], [null, ''])
})

testOnce('nao_contribuinte by the registrations is as old as they are', async () => {
  const cnpj = reservado('259')
  const { body } = await house.ask(ie(cnpj), anew)
  pass(30_000)
  const found = await house.ask(cnd(cnpj, 'SP'))
  assert.equal(Object(found.body.result).status, 'nao_contribuinte')
  assert.deepEqual(aged(found), [200, '30', body.consultado_em, true])
})

// The pages have a captcha that nobody solves here, so the register answers for both states.
describe('where the register answers', () => {
  let own: House
  before(async () => {
    own = await start({ CAPTCHA_UFS: 'nenhuma', IE_SECONDS: '20' }, now)
  })
  after(() => own.close())

  testOnce('an answer of several parts has the instant of the oldest', async () => {
    const first = await own.ask(ie(reservado('259'), 'MA'))
    pass(10_000)
    const other = await own.ask(ie(reservado('259'), 'SE'))
    assert.deepEqual(aged(other), [200, '10', first.body.consultado_em, true])
  })

  testOnce(
    'what a state says of a number that the register named is as old as the older of both',
    async () => {
      const documento = reservado('259')
      const register = await own.ask(ie(documento, 'MA'))
      const { parcial: _, ...item } = Object(entriesOf(register.body)[0])
      let asked = 0
      const page = paginaPorNumero(async () => {
        asked += 1
        return [item]
      })
      const find = (maxAgeMs?: number) =>
        findInscricoes(
          own.rooms.inscricao,
          'MA',
          { tipo: 'cnpj', documento },
          { request_id: 'r', maxAgeMs },
          { ie: page },
        )
      pass(10_000)
      const found = await find()
      assert.deepEqual([found.fonte, found.consultado_em], [page[0].source.id, register.body.consultado_em])
      pass(10_000)
      assert.deepEqual([(await find(NOTHING_KEPT)).consultado_em, asked], [now().toISOString(), 2])
    },
  )
})
