import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listRoteiro } from '../../simulator/roteiro/roteiro.ts'
import { semCertidao } from '../../src/portal/rules-certidao.ts'
import { semPausas } from '../kit/authority.ts'
import { newPostgres } from '../kit/databases.ts'
import {
  aged,
  anew,
  BANCO_DO_BRASIL,
  CND_TODOS,
  cacheControl,
  cnd,
  company,
  type House,
  IE_TODOS,
  ie,
  newClock,
  queriesTo,
  start,
} from '../kit/house.ts'
import { entriesOf, succeeded } from '../kit/portal.ts'
import { reservado } from '../kit/simulator.ts'

/** Hosts of the simulator: registrations of SP and of AM, certificates of SP, the national register. */
const [SP, AM] = ['nfe.fazenda.sp.gov.br', 'nfe.sefaz.am.gov.br']
const [SP_CND, CCC] = ['www10.fazenda.sp.gov.br', 'nfe.sefaz.ba.gov.br']
/** The state answers about this document after two seconds, so equal calls at once are there together. */
const LATE = '98765002000176'
const HOUR = 3_600_000

const { now, pass } = newClock()
let house: House
before(async () => {
  house = await start({ IE_SECONDS: '6', CND_SECONDS: '8', ...(await semPausas()) }, now)
})
after(() => house.close())

/** What the authority is asked while a call runs. */
async function askedDuring(host: string, call: () => Promise<unknown>, of = house): Promise<number> {
  const before = await queriesTo(of, host)
  await call()
  return (await queriesTo(of, host)) - before
}

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
  await house.rooms.platform.cache.put(
    { key: `ie/3:SP:cnpj:${documento}`, ttlMs: 24 * HOUR },
    { fonte: 'SP/ie', resposta: [], avisos: [] },
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
  await house.rooms.platform.cache.put(
    { key: `cnd/3:GO:cnpj:${documento}`, ttlMs: HOUR },
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
  await house.rooms.platform.cache.put(
    { key: `cnd/3:SP:cnpj:${documento}`, ttlMs: HOUR },
    { certidao, fonte: 'SP/cnd', avisos: [] },
  )
  const status = async (how = {}) => Object((await house.ask(cnd(documento, 'SP'), how)).body.result).status
  assert.equal(await status(), 'negativa')
  pass(1_000)
  assert.equal(await askedDuring(SP_CND, async () => assert.equal(await status(anew), 'nao_contribuinte')), 0)
  assert.equal(await status(), 'nao_contribuinte')
})

test('the part of the national register is asked anew too, once for a call', async (t) => {
  const own = await start({ CAPTCHA_UFS: 'nenhuma', IE_SECONDS: '20', ...(await semPausas()) }, now)
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

test('callers who ask anew at once are answered by one query', async (t) => {
  // Its state is as late as it says.
  const own = await start({}, now)
  t.after(own.close)
  const path = ie(LATE, 'AM')
  await own.ask(path)
  pass(1_000)
  const since = now().toISOString()
  const asked = await askedDuring(
    AM,
    async () => {
      const answers = await Promise.all([1, 2, 3].map(() => own.ask(path, anew)))
      for (const answer of answers) assert.deepEqual(aged(answer), [200, '0', since, false])
    },
    own,
  )
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
  const asked = await askedDuring(
    AM,
    async () => {
      const answers = await Promise.all([one, other].map((node) => node.ask(path, { ...anew, key })))
      for (const { body } of answers) assert.equal(body.consultado_em, since)
    },
    one,
  )
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
  const taken = [
    '/api/consultar',
    '/api/consultar-cnd',
    CND_TODOS,
    '/api/consultar-cnir',
    '/api/consultar-cnpj',
    IE_TODOS,
    '/api/consultar-sigef',
    '/api/perfil-produtor',
  ]
  const takes = ({ parameters }: Record<string, unknown>) =>
    JSON.stringify(parameters ?? []).includes('Cache-Control')
  assert.deepEqual(named(takes), taken)
  const tellsAge = ({ responses }: Record<string, unknown>) => 'Age' in Object(responses)[200].headers
  assert.deepEqual(named(tellsAge), [...taken, '/api/consultar-cnd-federal', '/api/consultar-nfe-xml'].sort())
})

test('a list without registrations is kept for an hour, and one with them for a day', async () => {
  const row = listRoteiro().find(({ nota }) => nota === 'empresa sem inscrição estadual: lista vazia')
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
