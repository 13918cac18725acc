import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as rest } from 'node:timers/promises'
import { Type } from 'typebox'
import { pausa, testOnce } from '../kit/basics.ts'
import { comResto, newPostgres } from '../kit/databases.ts'
import { BANCO_DO_BRASIL, type House, loseTable, start, WRONG_DIGIT } from '../kit/house.ts'
import { notaBase } from '../kit/rejeicoes.ts'
import { reservado } from '../kit/simulator.ts'

const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'

const TESTE = Type.Object({ conta: Type.String() })

/** The figures by name and labels, as the port gives them. */
async function scrape({ figures }: Pick<House, 'figures'>): Promise<Map<string, number>> {
  const response = await fetch(`${figures}/metrics`)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

/** The figures, once `ready` is true of them. A client has its answer before the service counts it. */
async function scrapeUntil(house: House, ready: (figures: Map<string, number>) => boolean, before = pausa) {
  for (;;) {
    await before()
    const figures = await scrape(house)
    if (ready(figures)) return figures
  }
}

/** Lets the event loop turn for some milliseconds. */
async function turnsFor(ms: number): Promise<void> {
  const until = performance.now() + ms
  while (performance.now() < until) await nextTurn()
}

for (const dialect of comResto)
  describe(`metrics on ${dialect}`, () => {
    let house: House

    before(async () => {
      const DATABASE_URL = dialect === 'postgres' ? await newPostgres() : ''
      house = await start({ DATABASE_URL, SERVER_SECRET, METRICS_PORT: '0' })
    })
    after(() => house.close())

    test('requests, failures and credits are counted by the path of the route', async () => {
      for (const _ of [1, 2]) await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`)
      await house.ask(`/api/consultar-cnpj?cnpj=${WRONG_DIGIT}`)
      await house.ask('/nao/ha/isto', { key: null })
      const unknown = 'consulta_fiscal_http_requests_total{method="GET",route="(desconhecida)",status="404"}'
      const figures = await scrapeUntil(house, (now) => now.has(unknown))
      const told = (name: string) => figures.get(`consulta_fiscal_${name}`)
      const of = 'method="GET",route="/api/consultar-cnpj"'
      assert.equal(told(`http_requests_total{${of},status="200"}`), 2)
      assert.equal(told(`http_requests_total{${of},status="400"}`), 1)
      assert.equal(figures.get(unknown), 1)
      assert.equal(told('http_errors_total{route="/api/consultar-cnpj",code="DOCUMENTO_INVALIDO"}'), 1)
      assert.equal(told('credits_charged_total{route="/api/consultar-cnpj"}'), 2)
      assert.equal(told(`http_request_duration_seconds_count{${of}}`), 3)
      assert.equal(told(`http_request_duration_seconds_bucket{le="60",${of}}`), 3)
      assert.equal(told('usage_dropped_total'), 0)
    })

    test('an open job is counted until it is done', async () => {
      const payload = { conta: 'a' }
      const kind = { kind: 'teste', payload: TESTE, key: () => 'a' }
      await house.rooms.platform.jobs.enqueue(kind, payload)
      assert.equal((await scrape(house)).get('consulta_fiscal_jobs_open{job="teste"}'), 1)
      const rules = { attempts: 1, backoffMs: 1, keptMs: 1 }
      const [job] = (
        await house.rooms.platform.jobs.claim({ ...kind, ...rules }, { count: 1, leaseMs: 60_000 })
      ).jobs
      assert.ok(job)
      await house.rooms.platform.jobs.finish(job, { type: 'done', result: null, keptMs: 1 })
      assert.equal((await scrape(house)).get('consulta_fiscal_jobs_open{job="teste"}'), undefined)
    })

    // What the database tells, and the credits, are above; nothing else asks it.
    if (dialect === 'postgres' && !process.env.LONGO) return

    test('queries to the sources, the cache and the circuits are counted', async () => {
      const path = `/api/consultar?uf=RS&cnpj=${BANCO_DO_BRASIL}`
      for (const _ of [1, 2]) await house.ask(path)
      const hit = 'consulta_fiscal_cache_reads_total{shape="ie/3",result="hit"}'
      const before = await scrapeUntil(house, (now) => now.has(hit))
      const told = (figures: Map<string, number>, name: string) => figures.get(`consulta_fiscal_${name}`)
      assert.equal(before.get(hit), 1)
      assert.equal(told(before, 'cache_reads_total{shape="ie/3",result="miss"}'), 1)
      const sent = told(before, 'source_queries_total{source="RS/ie",outcome="answered"}') ?? 0
      const empty = told(before, 'source_queries_total{source="RS/ie",outcome="empty"}') ?? 0
      assert.equal(sent + empty, 1)
      assert.equal(told(before, 'source_query_duration_seconds_count{source="RS/ie"}'), 1)
      assert.equal(told(before, 'source_circuit_state{source="RS/ie"}'), 0)
      const broken = `/api/consultar?uf=RS&cnpj=${reservado('html-503')}`
      for (let i = 0; i < 5; i++) assert.equal((await house.ask(broken)).status, 503)
      const open = await scrape(house)
      assert.equal(told(open, 'source_queries_total{source="RS/ie",outcome="http"}'), 5)
      assert.equal(told(open, 'source_circuit_state{source="RS/ie"}'), 1)
    })

    test('runs of schedules are counted, and the delay of the event loop is measured', async () => {
      const runs = 'consulta_fiscal_job_runs_total{job="refresh-cnpj-base",outcome="done"}'
      const figures = await scrapeUntil(house, (now) => (now.get(runs) ?? 0) > 0)
      assert.ok((figures.get('consulta_fiscal_job_run_seconds_total{job="refresh-cnpj-base"}') ?? 0) > 0)
      // A scrape begins a new measurement, which sees delays from its second sample on. On a busy machine
      // that sample may come too late.
      const busy = await scrapeUntil(
        house,
        (now) => (now.get('nodejs_eventloop_lag_max_seconds') ?? 0) >= 0.2,
        async () => {
          await turnsFor(50)
          const until = performance.now() + 300
          while (performance.now() < until);
          await turnsFor(50)
        },
      )
      const ratio = busy.get('consulta_fiscal_event_loop_utilization_ratio') ?? 0
      assert.ok(ratio > 0 && ratio <= 1)
      assert.ok((busy.get('process_resident_memory_bytes') ?? 0) > 0)
    })

    test('no figure names a document, a key or an account', async () => {
      const { conta, key } = await house.open('starter')
      await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}&segredo=abc`, { key })
      const text = [...(await scrape(house)).keys()].join('\n')
      for (const secret of [BANCO_DO_BRASIL, WRONG_DIGIT, key, conta.id, 'segredo', 'nao/ha'])
        assert.ok(!text.includes(secret), secret)
    })

    test('the port has nothing but the figures, and closes with the service', async () => {
      assert.equal((await fetch(`${house.figures}/`)).status, 404)
      assert.equal((await fetch(`${house.figures}/metrics`, { method: 'POST' })).status, 404)
      const other = await start({ METRICS_PORT: '0' })
      const { figures } = other
      assert.match(other.welcome, new RegExp(`Métricas +${figures}/metrics`))
      await other.close()
      await assert.rejects(fetch(`${figures}/metrics`))
    })

    test('a rule of ours that contradicts an authorization is counted by its code', async () => {
      const nota = notaBase('venda-interna').replace(/(<ICMSTot>.*?<vFrete>).*?</s, '$19.99<')
      const protocolo = `<protNFe versao="4.00"><infProt><tpAmb>1</tpAmb><verAplic>1</verAplic><chNFe>${/Id="NFe(\d+)/.exec(nota)?.[1]}</chNFe><dhRecbto>2026-11-10T10:20:00-03:00</dhRecbto><cStat>100</cStat><xMotivo>Autorizado</xMotivo></infProt></protNFe>`
      const xml = `<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00">${nota.replace(/^<\?xml[^>]*>\s*/, '')}${protocolo}</nfeProc>`
      const divergences = (figures: Map<string, number>) =>
        [...figures].filter(([name]) => name.startsWith('consulta_fiscal_diagnosis_divergences_total'))
      assert.deepEqual(divergences(await scrape(house)), [])
      for (const enviada of [xml, xml, nota])
        await house.ask('/api/v1/rejeicoes/diagnosticar', {
          method: 'POST',
          body: enviada,
          headers: { 'content-type': 'application/xml' },
        })
      assert.deepEqual(divergences(await scrape(house)), [
        ['consulta_fiscal_diagnosis_divergences_total{code="535"}', 2],
        ['consulta_fiscal_diagnosis_divergences_total{code="610"}', 2],
      ])
    })

    test('a database that fails hides no figure of the process', async () => {
      await loseTable(house, 'trabalhos')
      const figures = await scrape(house)
      assert.ok((figures.get('process_resident_memory_bytes') ?? 0) > 0)
    })
  })

// Each waits ten seconds for the service to give a connection up.
describe('connections that are held', { concurrency: true }, () => {
  testOnce('one address has 8 connections to the figures at most, and one answer on each', async (t) => {
    const house = await start({ METRICS_PORT: '0' })
    t.after(house.close)
    const { hostname, port } = new URL(house.figures ?? '')
    const open = async (): Promise<Socket> => {
      const socket = connect(Number(port), hostname).on('error', () => {})
      await once(socket, 'connect')
      return socket
    }
    const idle: Socket[] = []
    for (let at = 0; at < 8; at++) idle.push(await open())
    const ninth = await open()
    await once(ninth.resume(), 'close')
    const [first] = idle
    assert.ok(first)
    first.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3))
    const said = await text(first)
    assert.equal(said.split('HTTP/1.1 200 ').length - 1, 1)
    assert.match(said, /process_resident_memory_bytes/)
    assert.equal((await scrape(house)).size > 0, true, 'its place is free again')
    assert.equal((await fetch(`${house.address}/health`)).status, 200)
    for (const socket of idle) socket.destroy()
  })

  testOnce('scrapes that nobody reads keep no connection', async (t) => {
    const house = await start({ METRICS_PORT: '0' })
    t.after(house.close)
    const { hostname, port } = new URL(house.figures ?? '')
    const deaf: Socket[] = []
    for (let at = 0; at < 8; at++) {
      const socket = connect(Number(port), hostname)
        .on('error', () => {})
        .pause()
      socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n')
      deaf.push(socket)
    }
    // Until all of them have had their answer, one more is closed as it comes.
    for (let told = 0; told < 8; ) {
      if (await scrape(house).catch(() => undefined)) told += 1
      else await rest(100)
    }
    for (const socket of deaf) socket.destroy()
  })
})

testOnce('figures are drawn once a second: scrapes of that second get the same ones', async (t) => {
  let ms = 0
  const house = await start({ METRICS_PORT: '0' }, undefined, { figuresClock: () => ms })
  t.after(house.close)
  const scrapes = () =>
    Promise.all(Array.from({ length: 8 }, async () => (await fetch(`${house.figures}/metrics`)).text()))
  const first = new Set(await scrapes())
  ms += 999
  assert.deepEqual(new Set(await scrapes()), first)
  assert.equal(first.size, 1)
  ms += 1
  const next = new Set(await scrapes())
  assert.equal(next.size, 1)
  assert.notDeepEqual(next, first, 'the time of the process alone tells them apart')
})

testOnce('a port that is taken is told with the name of its setting, and nothing is left open', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await assert.rejects(start({ METRICS_PORT: String(port) }), {
    name: 'StartError',
    message: new RegExp(`127\\.0\\.0\\.1:${port} já está em uso.*METRICS_PORT=`),
  })
  other.close()
})

testOnce('without METRICS_PORT there are no figures', async () => {
  const house = await start()
  assert.equal(house.figures, undefined)
  assert.doesNotMatch(house.welcome, /Métricas/)
  await house.close()
})
