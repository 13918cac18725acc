import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dvCnpj } from '../../simulator/dados-abertos/documento.ts'
import { listarRoteiro } from '../../simulator/roteiro/roteiro.ts'
import { findInscricoes } from '../../src/consultas/inscricao.ts'
import { semCertidao } from '../../src/domain/cnd/certidao.ts'
import type { RotaIe } from '../../src/sources/estado.ts'
import { NOTHING_KEPT } from '../../src/store/cache/cache.ts'
import { type Answer, BANCO_DO_BRASIL, type House, start } from '../harness.ts'
import { NOW } from '../now.ts'
import { queriesTo } from '../queries.ts'
import { reservado } from '../reservado.ts'
import { newPostgres } from '../store/databases.ts'
import { type Entry, entriesOf, parseEvents, succeeded } from './todos.ts'

/** Hosts of the simulator: registrations of SP and of AM, certificates of SP, the national register. */
const [SP, AM] = ['nfe.fazenda.sp.gov.br', 'nfe.sefaz.am.gov.br']
const [SP_CND, CCC] = ['www10.fazenda.sp.gov.br', 'nfe.sefaz.ba.gov.br']
/** The state answers about this document after two seconds, so equal calls at once are there together. */
const LATE = '98765002000176'
const HOUR = 3_600_000

/** A company of the simulator that no other test of this file asks about. */
const company = (root: string): string => `${root}0001${dvCnpj(`${root}0001`)}`

let instant = NOW.getTime()
const now = () => new Date(instant)
const pass = (ms: number): void => {
  instant += ms
}

let house: House
before(async () => {
  house = await start({ IE_SECONDS: '6', CND_SECONDS: '8' }, now)
})
after(() => house.close())

const cacheControl = (value: string) => ({ headers: { 'cache-control': value } })
const anew = cacheControl('no-cache')

/** The parts of an answer that tell its age, and whether it was kept. */
const aged = ({ status, headers, body }: Answer) => [
  status,
  headers.get('age'),
  body.consultado_em,
  body.cached,
]

/** What the authority is asked while a call runs. */
async function askedDuring(host: string, call: () => Promise<unknown>): Promise<number> {
  const before = await queriesTo(house, host)
  await call()
  return (await queriesTo(house, host)) - before
}

const ie = (cnpj: string, uf = 'SP'): string => `/api/consultar?uf=${uf}&cnpj=${cnpj}`
const cnd = (cnpj: string, uf = 'GO'): string => `/api/consultar-cnd?uf=${uf}&cnpj=${cnpj}`
const IE_TODOS = '/api/consultar-ie-todos'
const CND_TODOS = '/api/consultar-cnd-todos'

describe('Age', () => {
  for (const [name, path] of [
    ['IE', ie('99001002000162')],
    ['state CND', cnd(reservado('cnd-positiva'))],
  ] as const)
    test(`${name}: consultado_em is when the state answered, Age the seconds since then`, async () => {
      const first = now().toISOString()
      assert.deepEqual(aged(await house.ask(path)), [200, '0', first, false])
      pass(90_999)
      assert.deepEqual(aged(await house.ask(path)), [200, '90', first, true])
      const again = now().toISOString()
      assert.deepEqual(aged(await house.ask(path, anew)), [200, '0', again, false])
      pass(1_000)
      assert.deepEqual(aged(await house.ask(path)), [200, '1', again, true], 'the new one is kept')
    })

  test('a clock that was set back gives no negative age', async () => {
    const path = ie(company('99013200'))
    await house.ask(path)
    pass(-5_000)
    assert.equal((await house.ask(path)).headers.get('age'), '0')
    pass(5_000)
  })

  for (const path of [`${IE_TODOS}?cnpj=`, `${CND_TODOS}?cnpj=`])
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

  test('a stream has no Age, since its headers leave first; its entries and its result tell the instants', async () => {
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
  })

  test('where the state failed there is no Age, and consultado_em is empty', async () => {
    const path = cnd(reservado('cnd-pdf-de-outro'))
    assert.deepEqual(aged(await house.ask(path)), [200, null, '', false])
    const failed = await house.ask(cnd(reservado('corta-antes'), 'PE'))
    assert.deepEqual([failed.status, failed.headers.get('age')], [503, null])
  })

  test('what comes from the monthly base has neither', async () => {
    const { headers, body } = await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`)
    assert.deepEqual([headers.get('age'), 'consultado_em' in body], [null, false])
  })

  test('nao_contribuinte by the registrations is as old as they are', async () => {
    const cnpj = reservado('259')
    const { body } = await house.ask(ie(cnpj), anew)
    pass(30_000)
    const found = await house.ask(cnd(cnpj, 'SP'))
    assert.equal(Object(found.body.result).status, 'nao_contribuinte')
    assert.deepEqual(aged(found), [200, '30', body.consultado_em, true])
  })

  test('an answer of several parts has the instant of the oldest', async (t) => {
    const own = await start({ CAPTCHA_UFS: 'nenhuma', IE_SECONDS: '20' }, now)
    t.after(own.close)
    // Both pages have a captcha that nobody solves here, so the register answers for both states.
    const first = await own.ask(ie(reservado('259'), 'MA'))
    pass(10_000)
    const other = await own.ask(ie(reservado('259'), 'SE'))
    assert.deepEqual(aged(other), [200, '10', first.body.consultado_em, true])
  })

  test('what a state says of a number that the register named is as old as the older of both', async (t) => {
    const own = await start({ CAPTCHA_UFS: 'nenhuma', IE_SECONDS: '20' }, now)
    t.after(own.close)
    const documento = reservado('259')
    const register = await own.ask(ie(documento, 'MA'))
    const { parcial: _, ...item } = Object(entriesOf(register.body)[0])
    let asked = 0
    /** A page of MA that takes numbers alone. */
    const page: RotaIe = {
      familia: 'teste',
      source: { id: 'MA/por-numero', nome: 'A página' },
      url: 'https://teste.example/',
      aceita: ['ie'],
      captcha: 'nenhum',
      certeza: 'verificado',
      origem: 'teste',
      em: '2026',
      espera: { marca: '', minimo: 0 },
      consultar: async () => {
        asked += 1
        return [item]
      },
    }
    const find = (maxAgeMs?: number) =>
      findInscricoes(
        own.ctx,
        'MA',
        { tipo: 'cnpj', documento },
        { request_id: 'r', maxAgeMs },
        { ie: [page] },
      )
    pass(10_000)
    const found = await find()
    assert.deepEqual([found.fonte, found.consultado_em], ['MA/por-numero', register.body.consultado_em])
    pass(10_000)
    assert.deepEqual([(await find(NOTHING_KEPT)).consultado_em, asked], [now().toISOString(), 2])
  })
})

describe('Asking anew', () => {
  test('no-cache has the state asked again, at the same price, and the new answer is kept', async () => {
    const { key } = await house.open('lite')
    const path = ie(company('99013201'))
    await house.ask(path, { key })
    pass(HOUR)
    const asked = await askedDuring(SP, async () => {
      const { body, headers } = await house.ask(path, { ...anew, key })
      assert.equal(body.cached, false)
      assert.equal(headers.get('x-credits-charged'), '1')
      assert.equal(headers.get('x-credits-remaining'), '98')
    })
    assert.equal(asked, 1)
    assert.equal(await askedDuring(SP, () => house.ask(path)), 0)
    pass(23 * HOUR)
    assert.equal((await house.ask(path)).body.cached, true, 'a day counts from the new answer')
  })

  test('max-age=N takes a kept answer of N seconds, and asks anew for one that is older', async () => {
    const path = ie(company('99013202'))
    await house.ask(path)
    // Age counts whole seconds, and so does max-age.
    pass(60_999)
    const [border, over] = [cacheControl('max-age=60'), cacheControl('max-age=59')]
    assert.equal(await askedDuring(SP, () => house.ask(path, border)), 0)
    assert.deepEqual(aged(await house.ask(path, border)).slice(1, 2), ['60'])
    assert.equal(await askedDuring(SP, () => house.ask(path, over)), 1)
    assert.equal(await askedDuring(SP, () => house.ask(path, over)), 0, 'the new one is young enough')
  })

  for (const [value, isAnew] of [
    ['No-Cache', true],
    ['no-store, no-cache', true],
    ['max-age=100000, no-cache', true],
    ['max-age="0"', true],
    ['MAX-AGE = 0', true],
    ['max-age=100000, max-age=1', true],
    ['a="b, c", max-age=0', true],
    ['max-age=99999999999999999999', false],
    ['', false],
    [',,;= "', false],
    ['no-store', false],
    ['max-age', false],
    ['max-age=', false],
    ['max-age=-1', false],
    ['max-age=1.5', false],
    ['max-age=agora', false],
    ['x-max-age=0', false],
    ['no-cache-please', false],
    ['a="no-cache, max-age=0"', false],
    [`no-cache, ${'x'.repeat(2_000)}`, false],
  ] as const)
    test(`Cache-Control: ${value.slice(0, 40)} ${isAnew ? 'asks anew' : 'takes what is kept'}`, async () => {
      const path = ie(company('99013203'))
      await house.ask(path)
      pass(10_000)
      assert.equal((await house.ask(path, cacheControl(value))).body.cached, !isAnew)
    })

  test('if asking anew fails, the client gets the failure, unpaid, and the kept answer stays for the next', async () => {
    const { key } = await house.open('lite')
    const documento = reservado('html-503')
    await house.ctx.store.cache.put(
      { key: `ie/2:SP:cnpj:${documento}`, ttlMs: 24 * HOUR },
      { fonte: 'SP/ie', resposta: [] },
    )
    const since = now().toISOString()
    pass(60_000)
    for (const how of [anew, cacheControl('max-age=59')]) {
      const failed = await house.ask(ie(documento), { ...how, key })
      assert.deepEqual([failed.status, failed.body.error_code], [503, 'SITE_INDISPONIVEL'])
      assert.equal(failed.headers.get('x-credits-charged'), '0')
    }
    const kept = await house.ask(ie(documento), { key })
    assert.deepEqual(aged(kept), [200, '60', since, true])
    assert.equal(kept.headers.get('x-credits-remaining'), '99')
  })

  test('state CND: a page that fails when asked anew leaves the kept certificate', async () => {
    const documento = reservado('cnd-pdf-de-outro')
    const certidao = { ...semCertidao('negativa', 'NEGATIVA'), validade: '2026-12-31' }
    await house.ctx.store.cache.put(
      { key: `cnd/2:GO:cnpj:${documento}`, ttlMs: HOUR },
      { certidao, fonte: 'GO/cnd', avisos: [] },
    )
    const failed = await house.ask(cnd(documento), anew)
    assert.equal(Object(failed.body.result).status, 'erro')
    assert.equal(failed.headers.get('x-credits-charged'), '0')
    assert.deepEqual((await house.ask(cnd(documento))).body.result, certidao)
  })

  test('state CND: the registrations that decide are asked anew too', async () => {
    const path = cnd('99001002000162', 'SP')
    await house.ask(path)
    pass(1_000)
    const asked = await askedDuring(SP, () => house.ask(path))
    const askedAnew = await askedDuring(SP, () => house.ask(path, anew))
    assert.deepEqual([asked, askedAnew], [0, 1])
  })

  test('state CND: who is found to be no taxpayer has no kept certificate any more', async () => {
    const documento = reservado('259')
    const certidao = { ...semCertidao('negativa', 'NEGATIVA'), validade: '2026-12-31' }
    await house.ctx.store.cache.put(
      { key: `cnd/2:SP:cnpj:${documento}`, ttlMs: HOUR },
      { certidao, fonte: 'SP/cnd', avisos: [] },
    )
    const status = async (how = {}) => Object((await house.ask(cnd(documento, 'SP'), how)).body.result).status
    assert.equal(await status(), 'negativa')
    pass(1_000)
    assert.equal(
      await askedDuring(SP_CND, async () => assert.equal(await status(anew), 'nao_contribuinte')),
      0,
    )
    assert.equal(await status(), 'nao_contribuinte')
  })

  test('the part of the national register is asked anew too, once for a call', async (t) => {
    const own = await start({ CAPTCHA_UFS: 'nenhuma', IE_SECONDS: '20' }, now)
    t.after(own.close)
    const path = ie(reservado('259'), 'MA')
    await own.ask(path)
    pass(1_000)
    assert.equal(await askedDuring(CCC, () => own.ask(path)), 0)
    const form = await askedDuring(CCC, async () => {
      const { body } = await own.ask(path, anew)
      assert.deepEqual([body.fonte, body.cached], ['BR/ccc', false])
    })
    assert.ok(form > 0)
  })

  test('a call to every state asks every state anew, and each costs the same', async () => {
    const { key } = await house.open('starter')
    const cnpj = company('99013210')
    const path = `${IE_TODOS}?cnpj=${cnpj}`
    const first = await house.ask(path, { key })
    pass(1_000)
    let again = first
    const asked = await askedDuring(SP, async () => {
      again = await house.ask(path, { ...anew, key })
    })
    assert.equal(asked, 1)
    assert.deepEqual(again.body.cached_ufs, [])
    assert.equal(again.headers.get('age'), '0')
    assert.equal(
      again.headers.get('x-credits-charged'),
      String(succeeded(entriesOf(again.body)).length),
      'one for each state that answered',
    )
    const certificates = `${CND_TODOS}?cnpj=${cnpj}`
    await house.ask(certificates)
    pass(1_000)
    assert.ok((await askedDuring(SP_CND, () => house.ask(certificates))) === 0)
    assert.ok((await askedDuring(SP_CND, () => house.ask(certificates, anew))) > 0)
  })

  test('callers who ask anew at once are answered by one query', async () => {
    const path = ie(LATE, 'AM')
    await house.ask(path)
    pass(1_000)
    const since = now().toISOString()
    const asked = await askedDuring(AM, async () => {
      const answers = await Promise.all([1, 2, 3].map(() => house.ask(path, anew)))
      for (const answer of answers) assert.deepEqual(aged(answer), [200, '0', since, false])
    })
    assert.equal(asked, 1)
  })

  test('on two nodes that share a database, too; and the other node gives the new answer from then on', async (t) => {
    const env = {
      DATABASE_URL: await newPostgres(),
      SERVER_SECRET: 'segredo-de-teste-com-mais-de-32-letras',
    }
    const one = await start(env, now)
    t.after(one.close)
    const other = await start(env, now)
    t.after(other.close)
    const { key } = await one.open('starter')
    const path = ie(LATE, 'AM')
    const first = await one.ask(path, { key })
    assert.deepEqual((await other.ask(path, { key })).body.results, first.body.results)
    pass(10_000)
    const since = now().toISOString()
    const asked = await askedDuring(AM, async () => {
      const answers = await Promise.all([one, other].map((node) => node.ask(path, { ...anew, key })))
      for (const { body } of answers) assert.equal(body.consultado_em, since)
    })
    assert.equal(asked, 1)
    for (const node of [one, other])
      assert.deepEqual(aged(await node.ask(path, { key })), [200, '0', since, true])
  })

  test('it is ignored where nothing is asked anew, and the documentation names the calls that take it', async () => {
    assert.equal((await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, anew)).status, 200)
    const { body } = await house.ask('/openapi.json', { key: null })
    const operations = Object.entries(Object(body.paths)).flatMap(([path, methods]) =>
      Object.values(Object(methods)).map((operation) => ({ path, ...Object(operation) })),
    )
    const named = (has: (operation: Record<string, unknown>) => boolean) =>
      operations
        .filter(has)
        .map(({ path }) => path)
        .sort()
    const four = ['/api/consultar', '/api/consultar-cnd', CND_TODOS, IE_TODOS]
    const takes = ({ parameters }: Record<string, unknown>) =>
      JSON.stringify(parameters ?? []).includes('Cache-Control')
    assert.deepEqual(named(takes), four)
    const tellsAge = ({ responses }: Record<string, unknown>) => 'Age' in Object(responses)[200].headers
    assert.deepEqual(named(tellsAge), [...four, '/api/consultar-nfe-xml'])
  })
})

describe('Caches: bad news lives shorter', () => {
  test('a list without registrations is kept for an hour, and one with them for a day', async () => {
    const row = listarRoteiro().find(({ nota }) => nota === 'empresa sem inscrição estadual: lista vazia')
    const { cnpj = '', uf = '' } = row?.parametros ?? {}
    for (const [path, found, hours] of [
      [ie(cnpj, uf), false, 1],
      [ie(reservado('muitas')), true, 24],
    ] as const) {
      assert.equal(entriesOf((await house.ask(path, anew)).body).length > 0, found)
      pass(hours * HOUR - 1)
      assert.equal((await house.ask(path)).body.cached, true)
      pass(1)
      assert.equal((await house.ask(path)).body.cached, false)
    }
  })
})
