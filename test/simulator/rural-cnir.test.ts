import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { exemplosRurais } from '../../simulator/rural/parcelas.ts'
import { type Authorities, openAuthorities } from '../kit/authority.ts'
import { openExample } from '../kit/rural.ts'
import { reservado } from '../kit/simulator.ts'

const RURAIS = exemplosRurais()
const HOST = 'conector-cnir.simulador'

type Asked = {
  documento: string
  now?: Date
  secret?: string
  headers?: Record<string, string>
  body?: string
}
type Told = { status: number; headers: Record<string, unknown>; text: string; json: Record<string, never> }
type Connector = { port: number; path: string; secret: string; ask: (asked: Asked) => Promise<Told> }

/** Asks a connector as the contract says, or as far from it as the headers and the body say. */
async function ask({ port, path, secret }: Omit<Connector, 'ask'>, asked: Asked): Promise<Told> {
  const { documento, now = new Date(), headers = {} } = asked
  const tipo = documento.length === 11 ? 'cpf' : 'cnpj'
  const body = asked.body ?? JSON.stringify({ documento, tipo, request_id: 'um-pedido' })
  const stamp = String(Math.floor(now.getTime() / 1000))
  const signature = createHmac('sha256', asked.secret ?? secret)
    .update(`${stamp}.${body}`)
    .digest('hex')
  const all = {
    host: HOST,
    'content-type': 'application/json',
    'x-consulta-timestamp': stamp,
    'x-consulta-signature': `v1=${signature}`,
    'x-consulta-deadline-ms': '30000',
    ...headers,
  }
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers: all }).end(body)
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  const isJson = /json/.test(String(response.headers['content-type']))
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : {},
  }
}

let authorities: Authorities
let simulated: Connector
before(async () => {
  authorities = await openAuthorities(() => new Date())
  const text = await (await fetch(`${authorities.address}/ambiente.json`)).text()
  const { cnir, gateway } = Object(JSON.parse(text))
  const url = new URL(cnir.url)
  assert.deepEqual([url.protocol, url.hostname], ['http:', HOST])
  assert.ok(cnir.segredo.length >= 32)
  const own = { port: gateway.port, path: url.pathname, secret: cnir.segredo }
  simulated = { ...own, ask: (asked) => ask(own, asked) }
})
after(() => authorities.close())

const KNOWN = { pessoa_fisica: null, pessoa_juridica: null, imoveis_cafir: [] }
let example: Connector
let stop: () => Promise<void>
before(async () => {
  const started = await openExample({ [RURAIS.pessoa]: KNOWN })
  const { secret } = started
  const url = new URL(started.url)
  const own = { port: Number(url.port), path: url.pathname, secret }
  example = { ...own, ask: (asked) => ask(own, asked) }
  stop = started.stop
})
after(() => stop())

const connectors: readonly [name: string, one: () => Connector][] = [
  ['the simulator', () => simulated],
  ['the example of docs/cnir-connector.md', () => example],
]

for (const [name, one] of connectors)
  describe(`the contract of a connector: ${name}`, () => {
    test('a signed question about somebody known is answered, about nobody 404 with {}', async () => {
      const { status, json } = await one().ask({ documento: RURAIS.pessoa })
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(json), Object.keys(KNOWN))
      const nobody = await one().ask({ documento: RURAIS.desconhecida })
      assert.deepEqual([nobody.status, nobody.text], [404, '{}'])
    })

    test('a signature that is wrong, of another body, or missing is refused with 401', async () => {
      const documento = RURAIS.pessoa
      const of = JSON.stringify({ documento: RURAIS.varios, tipo: 'cpf', request_id: 'x' })
      const stamp = String(Math.floor(Date.now() / 1000))
      const other = createHmac('sha256', one().secret).update(`${stamp}.${of}`).digest('hex')
      for (const asked of [
        { secret: 'outro-segredo' },
        { headers: { 'x-consulta-signature': '' } },
        { headers: { 'x-consulta-timestamp': stamp, 'x-consulta-signature': `v1=${other}` } },
        { headers: { 'x-consulta-signature': `v1=${'0'.repeat(64)}` } },
      ])
        assert.equal((await one().ask({ documento, ...asked })).status, 401, JSON.stringify(asked))
    })

    test('a time stamp that is off by more than 300 seconds is refused, though it was signed', async () => {
      const off = (seconds: number) => new Date(Date.now() + seconds * 1000)
      const documento = RURAIS.pessoa
      for (const seconds of [-290, 290])
        assert.equal((await one().ask({ documento, now: off(seconds) })).status, 200, `${seconds}`)
      for (const seconds of [-310, 310])
        assert.equal((await one().ask({ documento, now: off(seconds) })).status, 401, `${seconds}`)
      const stamp = { 'x-consulta-timestamp': 'agora' }
      assert.equal((await one().ask({ documento, headers: stamp })).status, 401)
    })
  })

test('records have the shape of the specification, with numbers and booleans as such', async () => {
  for (const documento of [RURAIS.comImunidades, RURAIS.comCondominos, RURAIS.empresa]) {
    const { json } = await simulated.ask({ documento })
    const { pessoa_fisica, pessoa_juridica, imoveis_cafir } = Object(json)
    const isPerson = documento.length === 11
    assert.equal(isPerson ? pessoa_juridica : pessoa_fisica, null)
    assert.deepEqual(
      Object.keys(isPerson ? pessoa_fisica : pessoa_juridica),
      isPerson
        ? ['nome', 'data_nascimento', 'situacao_cadastral', 'sexo']
        : ['razao_social', 'nome_fantasia', 'situacao_cadastral', 'data_abertura', 'natureza_juridica'],
    )
    for (const record of imoveis_cafir) {
      assert.deepEqual(kinds(record), {
        cib: 'string',
        nirf: 'string',
        denominacao: 'string',
        area_total: 'number',
        situacao: 'string',
        codigo_situacao: 'number',
        ni_proprietario: 'string',
        percentual_proprietario: 'number',
        condominos: 'object',
        dados_tributarios: 'object',
        municipio_sede: 'object',
      })
      assert.deepEqual(kinds(record.dados_tributarios), {
        indicador_descaracterizacao: 'boolean',
        origem_imovel: 'number',
        data_aquisicao: 'string',
        area_adquirida: 'number',
        tipo_aquisicao: 'string',
        imunidades: 'object',
        possui_decisao_judicial: 'boolean',
      })
      assert.deepEqual(Object.keys(record.municipio_sede).sort(), ['codigo', 'nome', 'uf'])
      const shares = [record.percentual_proprietario, ...record.condominos.map(shareOf)]
      assert.equal(Math.round(shares.reduce((sum, one) => sum + one, 0)), 100)
    }
  }
})

const kinds = (value: object) =>
  Object.fromEntries(Object.entries(value).map(([name, its]) => [name, typeof its]))
const shareOf = ({ percentual }: { percentual: number }) => percentual

test('a property is told to each of its holders; who has none gets himself and an empty list', async () => {
  const cibsOf = async (documento: string) =>
    Object((await simulated.ask({ documento })).json).imoveis_cafir.map(({ cib }: { cib: string }) => cib)
  const [main, other] = [await cibsOf(RURAIS.comCondominos), await cibsOf(RURAIS.condomino)]
  assert.ok(main.some((cib: string) => other.includes(cib)))
  const { json } = await simulated.ask({ documento: RURAIS.semNada })
  assert.notEqual(Object(json).pessoa_fisica, null)
  assert.deepEqual(Object(json).imoveis_cafir, [])
})

test('the connector takes the contract alone: POST of JSON about a valid document, with a deadline', async () => {
  const documento = RURAIS.pessoa
  const statusOf = async (asked: Partial<Asked>) => (await simulated.ask({ documento, ...asked })).status
  assert.equal(await statusOf({ headers: { 'content-type': 'text/plain' } }), 415)
  assert.equal(await statusOf({ headers: { 'x-consulta-deadline-ms': 'logo' } }), 400)
  const body = (value: object) => ({
    body: JSON.stringify({ documento, tipo: 'cpf', request_id: 'x', ...value }),
  })
  assert.equal(await statusOf(body({})), 200)
  for (const wrong of [{ tipo: 'cnpj' }, { documento: '1' }, { request_id: '' }])
    assert.equal(await statusOf(body(wrong)), 400, JSON.stringify(wrong))
  assert.equal(await statusOf({ body: '{' }), 400)
})

test('each fault of the connector is the one that its document names', async () => {
  const of = (nome: string) => simulated.ask({ documento: reservado(nome) })
  const firstOf = async (nome: string) => Object((await of(nome)).json).imoveis_cafir[0]
  assert.equal((await of('cnir-401')).status, 401)
  assert.equal((await of('cnir-503')).status, 503)
  const busy = await of('cnir-429')
  assert.deepEqual([busy.status, busy.headers['retry-after']], [429, '60'])
  assert.doesNotMatch((await of('cnir-nao-json')).text, /^\{/)
  assert.ok(!('situacao' in (await firstOf('cnir-sem-situacao'))))
  assert.ok(!('possui_decisao_judicial' in (await firstOf('cnir-sem-booleano')).dados_tributarios))
  assert.equal(typeof (await firstOf('cnir-numero-texto')).area_total, 'string')
  const two = Object((await of('cnir-duas-pessoas')).json)
  assert.ok(two.pessoa_fisica && two.pessoa_juridica)
  const many = await of('cnir-demais')
  assert.equal(Object(many.json).imoveis_cafir.length, 5_001)
  assert.ok(many.text.length < 2 << 20, `${many.text.length}`)
  assert.ok((await of('cnir-gigante')).text.length > 2 << 20)
  assert.ok('observacao' in (await firstOf('cnir-outros-membros')))
  assert.equal(Object((await of('muitas')).json).imoveis_cafir.length, 40)
  assert.notEqual((await firstOf('outro-documento')).ni_proprietario, reservado('outro-documento'))
})
