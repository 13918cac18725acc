import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { rowsOf, testOnce } from '../kit/basics.ts'
import { newPostgres } from '../kit/databases.ts'
import { anew, BANCO_DO_BRASIL, cacheControl, type House, newClock, queriesTo, start } from '../kit/house.ts'
import { PRODUCAO } from '../kit/repetir.ts'
import { federal, reservado } from '../kit/simulator.ts'

const GATEWAY = 'gateway.apiserpro.serpro.gov.br'
const HOUR = 3_600_000
const { now, pass } = newClock()
let house: House
before(async () => {
  house = await start({ CNPJ_SECONDS: '3' }, now)
})
after(() => house.close())

/** Companies of the sample, with partners. */
const [ONE, OTHER, THIRD, FOURTH] = ['99074602000150', '99087914000107', '99092548000176', '99006950000190']

const live = (cnpj: string): string => `/api/consultar-cnpj?cnpj=${cnpj}&force_fresh=true`

/** What the gateway is asked while a call runs. The first call of a service asks it for a token too. */
async function askedDuring(call: () => Promise<unknown>, of = house): Promise<number> {
  const before = await queriesTo(of, GATEWAY)
  await call()
  return (await queriesTo(of, GATEWAY)) - before
}

testOnce('a live answer costs 3 credits, and tells its source and its instant', async () => {
  const { key } = await house.open('lite')
  const { status, body, headers } = await house.ask(live(BANCO_DO_BRASIL), { key })
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), [
    ...['request_id', 'cnpj', 'cached', 'source_status', 'result'],
    ...['fonte', 'consultado_em', 'avisos'],
  ])
  assert.deepEqual([body.cnpj, body.cached, body.fonte], [BANCO_DO_BRASIL, false, 'BR/cnpj'])
  assert.equal(body.consultado_em, now().toISOString())
  assert.deepEqual(body.avisos, [])
  assert.equal(Object(body.source_status).status, 'success')
  assert.equal(Object(body.result).razao_social, 'BANCO DO BRASIL SA')
  assert.equal(headers.get('x-credits-charged'), '3')
  assert.equal(headers.get('x-credits-remaining'), '97')
  assert.equal(headers.get('age'), '0')
  assert.equal(headers.get('x-base-cnpj'), null, 'the month of the base says nothing of this answer')
})

testOnce('repeated within an hour it comes from the cache, with its age, for the same price', async () => {
  const { key } = await house.open('lite')
  const cnpj = ONE
  await house.ask(live(cnpj), { key })
  const since = now().toISOString()
  pass(HOUR - 1_000)
  const asked = await askedDuring(async () => {
    const { body, headers } = await house.ask(live(cnpj), { key })
    assert.deepEqual([body.cached, body.consultado_em, headers.get('age')], [true, since, '3599'])
    assert.equal(headers.get('x-credits-charged'), '3')
    assert.equal(headers.get('x-credits-remaining'), '94')
  })
  assert.equal(asked, 0)
  pass(1_001)
  const { body } = await house.ask(live(cnpj), { key })
  assert.equal(body.cached, false, 'after an hour it is asked again')
})

testOnce('no-cache and max-age have a live answer asked anew; the monthly base has no age', async () => {
  const cnpj = OTHER
  await house.ask(live(cnpj))
  pass(60_000)
  assert.equal(await askedDuring(() => house.ask(live(cnpj), cacheControl('max-age=60'))), 0)
  assert.equal(await askedDuring(() => house.ask(live(cnpj), anew)), 1)
  const base = await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, anew)
  assert.deepEqual([base.status, base.headers.get('age')], [200, null])
})

testOnce('if asking anew fails, the client gets the failure, and the kept answer stays', async () => {
  const own = await start({}, now)
  try {
    const { key } = await own.open('lite')
    const cnpj = THIRD
    await own.ask(live(cnpj), { key })
    // The circuit opens after five failures in a row, so the next question is not sent.
    for (let at = 0; at < 5; at++) await own.ask(live(reservado('corta-antes')), { key })
    const failed = await own.ask(live(cnpj), { key, ...anew })
    assert.deepEqual([failed.status, failed.body.error_code], [502, 'RF_LIVE_ERROR'])
    const kept = await own.ask(live(cnpj), { key })
    assert.deepEqual([kept.status, kept.body.cached], [200, true])
  } finally {
    await own.close()
  }
})

testOnce('equal questions at once are one question to the Receita Federal', async () => {
  const cnpj = reservado('demorado')
  await house.ask(live(BANCO_DO_BRASIL))
  const asked = await askedDuring(async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => house.ask(live(cnpj))))
    for (const { status, headers } of all)
      assert.deepEqual([status, headers.get('x-credits-charged')], [200, '3'])
  })
  assert.equal(asked, 1)
})

testOnce('404 CNPJ_NAO_ENCONTRADO: nobody by this CNPJ, free and asked once an hour', async () => {
  const { key } = await house.open('lite')
  const { desconhecido } = exemplos()
  const asked = await askedDuring(async () => {
    for (const call of [1, 2]) {
      const { status, body, headers } = await house.ask(live(desconhecido), { key })
      assert.deepEqual([status, body.error_code], [404, 'CNPJ_NAO_ENCONTRADO'], `call ${call}`)
      assert.equal(body.retryable, false)
      assert.equal(headers.get('x-credits-charged'), '0')
      assert.equal(headers.get('x-credits-remaining'), '100')
    }
  })
  assert.equal(asked, 1)
  assert.equal(await askedDuring(() => house.ask(live(desconhecido), { key, ...anew })), 1)
})

type Falha = readonly [cnpj: string, why: RegExp, retryable: boolean]

/** Failures that pass, and those that stay. */
const passam: Falha[] = [
  [federal('gateway-503'), /fora do ar \(HTTP 503\)/, true],
  [federal('gateway-429'), /consultas demais.*1 minuto/, true],
  [federal('gateway-502'), /fora do ar \(HTTP 502\)/, true],
  [federal('gateway-504'), /fora do ar \(HTTP 504\)/, true],
  [reservado('reset'), /não atendeu à conexão/, true],
  [reservado('lento'), /não respondeu a tempo/, true],
]
const ficam: Falha[] = [
  [reservado('outro-documento'), /respondeu por outro CNPJ/, false],
  [federal('cnpj-206'), /só tem uma parte dos dados/, false],
  [federal('cnpj-sem-socios'), /sem o quadro de sócios/, false],
  [federal('cnpj-400'), /recusou a consulta \(HTTP 400\)/, false],
  [federal('gateway-403'), /Operador: contrate este produto/, false],
  [reservado('html-200'), /mudou o que responde/, false],
  [reservado('html-404'), /HTTP 404 com uma página/, false],
  [reservado('vazio'), /mudou o que responde/, false],
  [reservado('xml-malformado'), /mudou o que responde/, false],
  [reservado('gigante'), /maior que 2048 KiB/, false],
  [reservado('redireciona'), /recusou a consulta \(HTTP 302\)/, false],
]

describe('502 RF_LIVE_ERROR: asked and failed, uncharged and not kept', () => {
  for (const [cnpj, why, retryable] of [...rowsOf(passam), ...rowsOf(ficam)])
    test(`${cnpj}: ${why.source}`, async () => {
      // An outage opens the circuit of its service: each failure has one of its own.
      const own = await start(cnpj === reservado('lento') ? { CNPJ_SECONDS: '1' } : {}, now)
      try {
        const { key } = await own.open('lite')
        const { status, body, headers } = await own.ask(live(cnpj), { key })
        assert.deepEqual([status, body.error_code, body.retryable], [502, 'RF_LIVE_ERROR', retryable])
        assert.match(String(body.detail), why)
        assert.match(String(body.detail), /Nada foi cobrado\.$/)
        assert.equal(headers.get('retry-after') !== null, retryable)
        assert.equal(headers.get('x-credits-remaining'), '100')
        assert.equal(await askedDuring(() => own.ask(live(cnpj), { key }), own), 1)
      } finally {
        await own.close()
      }
    })
})

testOnce('503 SITE_INDISPONIVEL: without a contract nobody is asked, and repeating never helps', async () => {
  const own = await start(PRODUCAO)
  try {
    const { status, body, headers } = await own.ask(live(BANCO_DO_BRASIL), {
      key: PRODUCAO.BOOTSTRAP_API_KEY,
    })
    assert.deepEqual([status, body.error_code, body.retryable], [503, 'SITE_INDISPONIVEL', false])
    assert.match(String(body.detail), /não tem contrato.*sem force_fresh.*SERPRO_KEY/)
    assert.equal(headers.get('retry-after'), null)
    assert.equal(headers.get('x-credits-charged'), '0')
  } finally {
    await own.close()
  }
})

testOnce('the operator’s own keys win over the simulator’s: wrong ones are told, and not shown', async () => {
  const own = await start({ SERPRO_KEY: 'minha-chave', SERPRO_SECRET: 'meu-segredo' })
  try {
    const { status, body, text } = await own.ask(live(BANCO_DO_BRASIL))
    assert.deepEqual([status, body.error_code, body.retryable], [502, 'RF_LIVE_ERROR', false])
    assert.match(String(body.detail), /recusou SERPRO_KEY e SERPRO_SECRET/)
    assert.doesNotMatch(text, /minha-chave|meu-segredo/)
    const { fontes } = (await own.ask('/api/v1/fontes?servico=cnpj')).body
    assert.equal(JSON.parse(JSON.stringify(fontes))[0].ultimo_erro.codigo, 'credencial')
  } finally {
    await own.close()
  }
})

testOnce('402 LIMITE_ATINGIDO: a live query needs 3 credits before anybody is asked', async () => {
  const { conta, key } = await house.open('lite')
  const spent = { conta, request_id: randomUUID(), endpoint: 'teste', creditos: 97 }
  await house.rooms.platform.ledger.charge(spent)
  await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key })
  const asked = await askedDuring(async () => {
    const { status, body } = await house.ask(live(FOURTH), { key })
    assert.deepEqual([status, body.error_code], [402, 'LIMITE_ATINGIDO'])
    assert.deepEqual([body.required, body.remaining], [3, 2])
  })
  assert.equal(asked, 0)
})

testOnce(
  'a company whose legal nature has no partners is answered without them, and a notice says so',
  async () => {
    const { status, body, headers } = await house.ask(live(federal('cnpj-empresario')))
    assert.deepEqual([status, headers.get('x-credits-charged')], [200, '3'])
    assert.equal(Object(body.result).natureza_juridica, 'Empresário (Individual)')
    assert.deepEqual(Object(body.result).qsa, [])
    assert.match(String(body.avisos), /^A Receita Federal não informou sócios .* não tem quadro de sócios\.$/)
  },
)

testOnce(
  'a code that no table has leaves its text empty, as in the monthly base, and a notice names it',
  async () => {
    const { body } = await house.ask(live('99011785000165'))
    assert.equal(Object(body.result).natureza_juridica, '')
    assert.deepEqual(body.avisos, [
      'O código 9997 de natureza jurídica não está nas tabelas deste serviço: o texto dele vem vazio.',
    ])
  },
)

testOnce('what is kept of a company is sealed: no partner’s name stands in the database', async () => {
  const { body } = await house.ask(live(ONE))
  const [socio] = Object(body.result).qsa
  assert.match(socio.nome, /\w+ \w+/)
  const { kysely } = house.rooms.platform.db
  const rows = JSON.stringify(await kysely.selectFrom('cache').selectAll().execute())
  assert.ok(rows.length > 200)
  for (const word of [socio.nome, Object(body.result).razao_social, ONE])
    assert.ok(!rows.includes(word), word)
})

testOnce('two nodes ask once for the same company', async () => {
  const env = { DATABASE_URL: await newPostgres(), SERVER_SECRET: 'segredo-de-teste-com-mais-de-32-letras' }
  const first = await start(env)
  const second = await start(env)
  const nodes = [first, second]
  try {
    const { key } = await first.open('pro')
    for (const node of nodes) await node.ask(live(BANCO_DO_BRASIL), { key, ...anew })
    const asked = await askedDuring(async () => {
      const both = await Promise.all(nodes.map((node) => node.ask(live(reservado('demorado')), { key })))
      for (const { status } of both) assert.equal(status, 200)
    }, first)
    assert.equal(asked, 1)
  } finally {
    for (const node of nodes) await node.close()
  }
})
