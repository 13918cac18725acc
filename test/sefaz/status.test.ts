import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { ufs } from '../../src/documento/uf.ts'
import type { LeituraSefaz } from '../../src/sefaz/rules.ts'
import { autorizadores, autorizadorOf, docs } from '../../src/sefaz/rules.ts'
import { NOW } from '../kit/basics.ts'
import { type House, start, testFaults, testWhoAsksFirst } from '../kit/house.ts'
import { boa, EVERY_MS, feita, muda } from '../kit/sefaz.ts'

const PATH = '/api/v1/sefaz/status'
const START = NOW.getTime() - 10_000

let clock = NOW.getTime()
let house: House
before(async () => {
  house = await start({}, () => new Date(clock))
  await house.rooms.sefaz.monitor.keep(feita(START, { leituras: leituras(START) }))
})
after(() => house.close())

/** A reading of each class for SP and its neighbours; AM has none. */
function leituras(em: number): LeituraSefaz[] {
  const known: Record<string, LeituraSefaz> = {
    'nfe-ba': boa('nfe-ba', em, { respostaMs: 1_990 }),
    'nfe-go': boa('nfe-go', em, { respostaMs: 2_000 }),
    'nfe-mg': boa('nfe-mg', em, { respostaMs: 5_990 }),
    'nfe-ms': boa('nfe-ms', em, { respostaMs: 6_000 }),
    'nfe-mt': boa('nfe-mt', em, { resultado: 'erro', cStat: 109, motivo: 'sem previsão' }),
    'nfe-sp': muda('nfe-sp', em),
  }
  return autorizadores
    .filter(({ id }) => id !== 'nfe-am')
    .map(({ id }) => known[id] ?? boa(id, em, { respostaMs: 500 }))
}

type State = { uf: string; status_code: number; status: string; status_avg: number }
const statesOf = (body: Record<string, unknown>): State[] => Object(body.states)
const stateOf = (body: Record<string, unknown>, uf: string) => statesOf(body).find((state) => state.uf === uf)

test('the list has always the 27 UFs, in alphabetical order, for each document', async () => {
  for (const doc of docs) {
    const { status, body } = await house.ask(`${PATH}?doc=${doc}`)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['doc', 'timestamp', 'fonte', 'avisos', 'states'])
    assert.equal(body.doc, doc)
    assert.deepEqual(
      statesOf(body).map(({ uf }) => uf),
      [...ufs],
    )
  }
})

test('each UF has the class of its authorizer by the table of status codes', async () => {
  const { body } = await house.ask(PATH)
  const expected: [uf: string, State['status_code'], string, number][] = [
    ['AM', 0, 'Indisponível', 0],
    ['BA', 1, 'Normal', 1.99],
    ['GO', 2, 'Lento', 2],
    ['MG', 2, 'Lento', 5.99],
    ['MS', 3, 'Muito lento', 6],
    ['MT', 4, 'Erro', 0],
    ['SP', 5, 'Timeout', 0],
  ]
  for (const [uf, status_code, status, status_avg] of expected)
    assert.deepEqual(stateOf(body, uf), { uf, status_code, status, status_avg })
  const served = ufs.filter((uf) => autorizadorOf('nfe', uf).id === 'nfe-svrs')
  for (const uf of served) assert.equal(stateOf(body, uf)?.status_avg, 0.5)
})

test('without doc, or with an empty one, the answer is of the NF-e, and says when it was last updated', async () => {
  for (const query of ['', '?doc=', '?doc=nfe', '?other=1']) {
    const { body } = await house.ask(PATH + query)
    assert.equal(body.doc, 'nfe')
    assert.equal(body.timestamp, new Date(START + 3_000).toISOString())
    assert.equal(body.fonte, 'servicos')
  }
})

test('the answer is free, and carries the headers of every keyed answer', async () => {
  const { headers } = await house.ask(PATH)
  for (const [name, value] of [
    ['x-credits-charged', /^0$/],
    ['x-credits-remaining', /^\d+$/],
    ['x-ambiente', /^simulador$/],
    ['x-request-id', /^[0-9a-f-]{36}$/],
    ['ratelimit', /^"minuto";r=\d+;t=\d+$/],
    ['ratelimit-policy', /^"minuto";q=\d+;w=60$/],
    ['x-ratelimit-remaining', /^\d+$/],
    ['content-type', /^application\/json; charset=utf-8$/],
    ['x-content-type-options', /^nosniff$/],
  ] as const)
    assert.match(headers.get(name) ?? '', value, name)
})

test('the answer may be kept until the next round, and is not sent again while it is the same', async () => {
  const { headers, text } = await house.ask(PATH)
  assert.equal(headers.get('cache-control'), 'private, max-age=110')
  // Never for longer than until the next round.
  clock += 500
  assert.equal((await house.ask(PATH)).headers.get('cache-control'), 'private, max-age=109')
  clock = NOW.getTime()
  const etag = headers.get('etag') ?? ''
  const again = await house.ask(PATH, { headers: { 'If-None-Match': `"x", W/${etag}` } })
  assert.equal(again.status, 304)
  assert.equal(again.text, '')
  assert.equal(again.headers.get('etag'), etag)
  assert.equal(again.headers.get('x-credits-charged'), '0')
  const other = await house.ask(`${PATH}?doc=cte`, { headers: { 'If-None-Match': etag } })
  assert.equal(other.status, 200)
  assert.notEqual(other.text, text)
})

test('a client that takes gzip gets the same in gzip, with a tag of its own', async () => {
  const { headers, bytes } = await raw('gzip')
  assert.equal(headers['content-encoding'], 'gzip')
  const plain = await raw('identity')
  assert.equal(gunzipSync(bytes).toString(), plain.bytes.toString())
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.notEqual(plain.headers.etag, headers.etag)
  assert.equal(headers.vary, 'accept, accept-encoding')
  assert.equal(Number(headers['content-length']), bytes.length)
})

/** The bytes of the answer as they came. */
function raw(encoding: string): Promise<{ headers: NodeJS.Dict<string | string[]>; bytes: Buffer }> {
  const headers = { 'X-API-Key': house.apiKey ?? '', 'Accept-Encoding': encoding }
  return new Promise((resolve, reject) => {
    request(house.address + PATH, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }))
    })
      .on('error', reject)
      .end()
  })
}

test('what others charge shows in the balance within five seconds, and what this process charges at once', async () => {
  const { conta, key } = await house.open('lite')
  const remaining = async () => (await house.ask(PATH, { key })).headers.get('x-credits-remaining')
  const { ledger, db } = house.rooms.platform
  assert.equal(await remaining(), '100')
  await ledger.charge({ conta, request_id: crypto.randomUUID(), endpoint: 'x', creditos: 3 })
  assert.equal(await remaining(), '97')
  await db.kysely.updateTable('saldos').set({ cota: 50 }).where('conta_id', '=', conta.id).execute()
  assert.equal(await remaining(), '97')
  clock += 5_000
  assert.equal(await remaining(), '50')
  clock = NOW.getTime()
})

test('the call is noted among the calls of its account', async () => {
  const { conta, key } = await house.open('lite')
  await house.ask(PATH, { key })
  const { usos, db } = house.rooms.contas
  await usos.flush()
  const rows = await db.kysely.selectFrom('usos').selectAll().where('conta_id', '=', conta.id).execute()
  assert.deepEqual(
    rows.map(({ endpoint, http, creditos }) => [endpoint, http, creditos]),
    [[PATH, 200, 0]],
  )
})

test('a class changes by time alone, when its reading is older than three rounds', async (t) => {
  const own = await start({}, () => new Date(clock))
  t.after(() => own.close())
  t.after(() => {
    clock = NOW.getTime()
  })
  const { monitor } = own.rooms.sefaz
  await monitor.keep(feita(START))
  // SP asked for less, and is not asked.
  const rest = (em: number) => autorizadores.filter(({ id }) => id !== 'nfe-sp').map(({ id }) => boa(id, em))
  for (const n of [1, 2.5])
    await monitor.keep(feita(START + n * EVERY_MS, { leituras: rest(START + n * EVERY_MS) }))
  clock = START + 2.5 * EVERY_MS
  // The next round is two minutes ahead, but this answer is another one in a minute.
  assert.equal((await own.ask(PATH)).headers.get('cache-control'), 'private, max-age=60')
  clock = START + 3 * EVERY_MS
  const before = await own.ask(PATH)
  assert.equal(stateOf(before.body, 'SP')?.status_code, 1)
  clock += 1
  const later = await own.ask(PATH)
  assert.equal(stateOf(later.body, 'SP')?.status_code, 0)
  assert.equal(stateOf(later.body, 'RJ')?.status_code, 1)
  assert.notEqual(later.headers.get('etag'), before.headers.get('etag'))
})

test('while no service answers, which is our own network, the last reading stands with its age, and avisos says why', async (t) => {
  const own = await start({}, () => new Date(clock))
  t.after(() => own.close())
  t.after(() => {
    clock = NOW.getTime()
  })
  const { monitor } = own.rooms.sefaz
  const silent = (em: number) =>
    feita(em, { leituras: autorizadores.map(({ id }) => muda(id, em)), rodada: { semRede: true } })
  await monitor.keep(silent(START))
  const none = await own.ask(PATH)
  assert.deepEqual(new Set(statesOf(none.body).map(({ status_code }) => status_code)), new Set([0]))
  assert.match(String(none.body.avisos), /Nenhum serviço respondeu.*Não há leitura anterior/)
  const lida = START + EVERY_MS
  await monitor.keep(feita(lida, { leituras: leituras(lida) }))
  clock = lida + 5_000
  const before = await own.ask(PATH)
  assert.deepEqual(before.body.avisos, [])
  // An hour without network: 30 rounds, more than three of which the reading is older.
  for (let n = 1; n <= 30; n++) {
    clock = lida + n * EVERY_MS + 5_000
    await monitor.keep(silent(lida + n * EVERY_MS))
  }
  const { status, body } = await own.ask(PATH)
  assert.equal(status, 200)
  assert.deepEqual(body.states, before.body.states)
  assert.equal(body.timestamp, new Date(lida + 3_000).toISOString())
  assert.match(
    String(body.avisos),
    /^Nenhum serviço respondeu .* e não das SEFAZ\. Até que respondam, vale a leitura de 14\/11\/2026, 12:01 /,
  )
  const back = lida + 31 * EVERY_MS
  clock = back + 5_000
  await monitor.keep(feita(back))
  const later = await own.ask(PATH)
  assert.deepEqual([later.body.avisos, stateOf(later.body, 'SP')?.status_code], [[], 1])
})

test('a pause after a 656 is no outage: the last reading stands with its age until it ends, and avisos says why', async (t) => {
  const own = await start({}, () => new Date(clock))
  t.after(() => own.close())
  t.after(() => {
    clock = NOW.getTime()
  })
  const { monitor } = own.rooms.sefaz
  const em = START + EVERY_MS
  const proxima = em + 65 * 60_000
  const others = (at: number) =>
    autorizadores.filter(({ id }) => id !== 'nfe-sp').map(({ id }) => boa(id, at))
  await monitor.keep(feita(START))
  const recusa = boa('nfe-sp', em, { resultado: 'erro', cStat: 656, motivo: 'consumo indevido' })
  await monitor.keep(
    feita(em, {
      leituras: [...others(em), recusa],
      ritmos: [{ autorizador: 'nfe-sp', proxima, fator: 2, motivo: 'uso-indevido' }],
    }),
  )
  for (const rounds of [0, 1, 5, 32]) {
    const at = em + rounds * EVERY_MS
    clock = at + 5_000
    if (rounds > 0) await monitor.keep(feita(at, { leituras: others(at) }))
    const { body } = await own.ask(PATH)
    assert.equal(stateOf(body, 'SP')?.status_code, 1, `after ${rounds} rounds`)
    const [aviso, ...more] = Object(body.avisos)
    assert.match(aviso, /^SP: a SEFAZ pediu que este serviço pergunte menos .*consumo indevido/)
    assert.match(
      aviso,
      /Vale a última leitura, de 14\/11\/2026, 11:59 .*nova pergunta a partir de 14\/11\/2026, 13:06 /,
    )
    assert.deepEqual(more, [])
    assert.deepEqual((await own.ask(`${PATH}?doc=cte`)).body.avisos, [], 'the pause is of the NF-e alone')
  }
  // Asked again, it does not answer: that is a reading as any other.
  const again = em + 33 * EVERY_MS
  clock = again + 5_000
  await monitor.keep(feita(again, { leituras: [...others(again), muda('nfe-sp', again)] }))
  const { body } = await own.ask(PATH)
  assert.deepEqual([stateOf(body, 'SP')?.status_code, body.avisos], [5, []])
})

test('what the public pages tell is told in avisos', async (t) => {
  const own = await start({}, () => new Date(clock))
  t.after(() => own.close())
  await own.rooms.sefaz.monitor.keep(feita(START, { rodada: { fonte: 'paginas' } }))
  assert.match(
    String((await own.ask(PATH)).body.avisos),
    /^Sem certificado do operador em vigor, .*páginas públicas/,
  )
})

test('MONITOR_INDISPONIVEL: only when no round has ended in the last 10 minutes', async (t) => {
  const own = await start({}, () => new Date(clock))
  t.after(() => own.close())
  t.after(() => {
    clock = NOW.getTime()
  })
  const none = await own.ask(PATH)
  assert.equal(none.status, 502)
  assert.equal(none.body.error_code, 'MONITOR_INDISPONIVEL')
  assert.equal(none.body.retryable, true)
  assert.equal(none.headers.get('x-credits-charged'), '0')
  assert.match(none.headers.get('retry-after') ?? '', /^\d+$/)
  const sse = await own.ask(PATH, { headers: { Accept: 'text/event-stream' } })
  assert.equal(sse.body.error_code, 'MONITOR_INDISPONIVEL')
  await own.rooms.sefaz.monitor.keep(feita(START))
  clock = START + 3_000 + 600_000
  const last = await own.ask(PATH)
  assert.equal(last.status, 200)
  assert.equal(last.headers.get('cache-control'), 'private, max-age=0')
  // Its readings are older than three rounds, and no UF is left out.
  assert.deepEqual(new Set(statesOf(last.body).map(({ status_code }) => status_code)), new Set([0]))
  clock += 1
  assert.equal((await own.ask(PATH)).status, 502)
  // A clock that was put back a little shows the last board, and promises no more than an interval.
  clock = START - 60_000
  assert.equal((await own.ask(PATH)).headers.get('cache-control'), 'private, max-age=120')
  // By more than 10 minutes: nobody knows any more how old that board is.
  clock = START + 3_000 - 600_001
  assert.equal((await own.ask(PATH)).body.error_code, 'MONITOR_INDISPONIVEL')
})

test('HEAD and other methods are refused as on every keyed endpoint', async () => {
  for (const method of ['HEAD', 'POST']) {
    const { status, headers } = await house.ask(PATH, { method })
    assert.equal(status, 405)
    assert.equal(headers.get('allow'), 'GET')
  }
  assert.equal((await house.ask('/api/v1/sefaz/estado')).status, 404)
})

testFaults(() => house, PATH, [
  ['doc is not nfe, nfce or cte', 'doc=mdfe', 'PARAMETRO_INVALIDO', /doc: envie nfe, nfce ou cte/],
  ['doc in capitals', 'doc=NFE', 'PARAMETRO_INVALIDO', /doc/],
  ['a repeated doc', 'doc=nfe&doc=cte', 'PARAMETRO_INVALIDO', /mais de uma vez/],
])
testWhoAsksFirst(() => house, PATH)
