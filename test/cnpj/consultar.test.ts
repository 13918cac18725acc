import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { BANCO_DO_BRASIL, type House, start, UNKNOWN, WRONG_DIGIT } from '../kit/house.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
let house: House
before(async () => {
  house = await start()
})
after(() => house.close())

const ask = (query: string) => house.ask(`/api/consultar-cnpj${query}`)

describe('200', () => {
  test('a CNPJ of the base is answered with every field of the specification', async () => {
    const { status, body } = await ask(`?cnpj=${BANCO_DO_BRASIL}`)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), [
      ...['request_id', 'cnpj', 'cached', 'source_status', 'result'],
      ...['fonte', 'consultado_em', 'avisos'],
    ])
    assert.deepEqual([body.fonte, body.consultado_em, body.avisos], ['', '', []], 'no authority was asked')
    assert.match(String(body.request_id), UUID)
    assert.equal(body.cnpj, BANCO_DO_BRASIL)
    assert.equal(body.cached, false)
    assert.deepEqual(body.source_status, {
      status: 'success',
      error_code: '',
      error_message: '',
      retryable: false,
    })
    assert.deepEqual(Object.keys(Object(body.result)), [
      'razao_social',
      'nome_fantasia',
      'situacao_cadastral',
      'data_situacao_cadastral',
      'cnae_principal_codigo',
      'cnae_principal_descricao',
      'cnaes_secundarios',
      'natureza_juridica',
      'capital_social',
      'endereco',
      'qsa',
      'porte',
    ])
    assert.equal(Object(body.result).razao_social, 'BANCO DO BRASIL SA')
    assert.equal(Object(body.result).situacao_cadastral, 'ATIVA')
  })

  test('the answer carries the request id, the rate limit, the credits, the environment and the vintage', async () => {
    const { headers, body } = await ask(`?cnpj=${BANCO_DO_BRASIL}`)
    assert.equal(headers.get('x-request-id'), body.request_id)
    assert.match(headers.get('ratelimit-policy') ?? '', /^"minuto";q=300;w=60$/)
    assert.match(headers.get('ratelimit') ?? '', /^"minuto";r=\d+;t=\d+$/)
    assert.equal(headers.get('x-ratelimit-limit'), '300')
    assert.match(headers.get('x-ratelimit-remaining') ?? '', /^\d+$/)
    assert.match(headers.get('x-ratelimit-reset') ?? '', /^\d+$/)
    assert.equal(headers.get('x-credits-charged'), '1')
    assert.match(headers.get('x-credits-remaining') ?? '', /^\d+$/)
    assert.equal(headers.get('x-ambiente'), 'simulador')
    assert.equal(headers.get('x-base-cnpj'), '2026-10')
    assert.equal(headers.get('age'), null, 'the month is told, and not an age')
  })

  test('the document says what cached: false means of the monthly base: no cache, and not of now', async () => {
    const { text } = await house.ask('/openapi.json')
    const { paths, components } = JSON.parse(text)
    const { description } = paths['/api/consultar-cnpj'].get
    assert.match(
      description,
      /`cached` é sempre false nela, porque a base não é um cache: o dado é do mês dela/,
    )
    const { cached } = components.schemas.RespostaConsultarCnpj.properties
    assert.match(cached.description, /false na base mensal não quer dizer que o dado é de agora/)
  })

  test('one credit is charged for each answer, cached or not', async () => {
    const { key } = await house.open('starter')
    for (const remaining of ['999', '998', '997']) {
      const { headers } = await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key })
      assert.equal(headers.get('x-credits-remaining'), remaining)
    }
  })

  test('an empty parameter counts as not sent, an unknown one is ignored', async () => {
    assert.equal((await ask(`?cnpj=${BANCO_DO_BRASIL}&force_fresh=&outro=1&outro=2`)).status, 200)
  })

  test('force_fresh takes true, false, 1 and 0', async () => {
    for (const [value, expected] of [
      ['false', ''],
      ['0', ''],
      ['true', 'BR/cnpj'],
      ['1', 'BR/cnpj'],
    ] as const) {
      const { status, body } = await ask(`?cnpj=${BANCO_DO_BRASIL}&force_fresh=${value}`)
      assert.deepEqual([status, body.fonte], [200, expected], value)
    }
  })
})

const faults: [name: string, query: string, status: number, code: string, says: RegExp][] = [
  ['cnpj not sent', '', 400, 'PARAMETRO_AUSENTE', /cnpj.*obrigatório/],
  ['cnpj empty', '?cnpj=', 400, 'PARAMETRO_AUSENTE', /cnpj.*obrigatório/],
  ['only cpf sent', '?cpf=52998224725', 400, 'PARAMETRO_AUSENTE', /cnpj/],
  ['a missing cnpj comes before a wrong switch', '?force_fresh=x', 400, 'PARAMETRO_AUSENTE', /cnpj/],
  ['a wrong check digit', `?cnpj=${WRONG_DIGIT}`, 400, 'DOCUMENTO_INVALIDO', /dígito verificador/],
  ['a masked CNPJ', '?cnpj=00.000.000%2F0001-91', 400, 'DOCUMENTO_INVALIDO', /somente dígitos/],
  ['too short', '?cnpj=191', 400, 'DOCUMENTO_INVALIDO', /14 dígitos/],
  ['too long', `?cnpj=${BANCO_DO_BRASIL}0`, 400, 'DOCUMENTO_INVALIDO', /14 dígitos/],
  ['fourteen zeros', '?cnpj=00000000000000', 400, 'DOCUMENTO_INVALIDO', /dígitos zero/],
  ['a lower-case alphanumeric', '?cnpj=12abc34501de35', 400, 'DOCUMENTO_INVALIDO', /maiúsculas/],
  [
    'cnpj sent twice',
    `?cnpj=${BANCO_DO_BRASIL}&cnpj=${BANCO_DO_BRASIL}`,
    400,
    'PARAMETRO_INVALIDO',
    /mais de uma vez/,
  ],
  [
    'a switch that is neither',
    `?cnpj=${BANCO_DO_BRASIL}&force_fresh=sim`,
    400,
    'PARAMETRO_INVALIDO',
    /true, false, 1 ou 0/,
  ],
  ['no record for the CNPJ', `?cnpj=${UNKNOWN}`, 404, 'CNPJ_NAO_ENCONTRADO', /2026-10/],
  [
    'an alphanumeric CNPJ is looked up like any other',
    '?cnpj=12ABC34501DE35',
    404,
    'CNPJ_NAO_ENCONTRADO',
    /2026-10/,
  ],
  [
    'no record live',
    `?cnpj=${exemplos().desconhecido}&force_fresh=true`,
    404,
    'CNPJ_NAO_ENCONTRADO',
    /não tem registro/,
  ],
]

describe('errors', () => {
  for (const [name, query, status, code, says] of faults) {
    test(`${code}: ${name}`, async () => {
      const { key } = await house.open('lite')
      const answer = await house.ask(`/api/consultar-cnpj${query}`, { key })
      assert.equal(answer.status, status)
      assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/)
      const { body } = answer
      assert.equal(body.error_code, code)
      assert.equal(body.type, `/erros#${code}`)
      assert.equal(body.status, status)
      assert.match(String(body.detail), says)
      assert.equal(body.error_message, body.detail)
      assert.equal(body.request_id, answer.headers.get('x-request-id'))
      assert.equal(answer.headers.get('x-credits-charged'), '0')
      assert.equal(answer.headers.get('x-credits-remaining'), '100', 'nothing was charged')
      if (status === 400) assert.ok(Array.isArray(body.errors) && body.errors.length > 0)
    })
  }
})
