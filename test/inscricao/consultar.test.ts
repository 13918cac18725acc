import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ufsComCadastro } from '../../simulator/roteiro/inscricao.ts'
import { listRoteiro } from '../../simulator/roteiro/roteiro.ts'
import { type House, queriesTo, start, testOwnFailure, UNKNOWN } from '../kit/house.ts'

const FIELDS = [
  'inscricao_estadual',
  'razao_social',
  'nome_fantasia',
  'situacao_ie',
  'uf_ie',
  'tipo_ie',
  'logradouro',
  'complemento',
  'bairro',
  'numero',
  'municipio',
  'cep',
  'regime_pagamento',
  'data_situacao',
  'situacao_contribuinte',
  'data_inicio_atividade',
  'cnae_codigo',
  'cnae_descricao',
  'regime_apuracao_icms',
  'situacao_nfe',
  'cpf_cnpj',
  'situacao_cadastral',
]

/**
 * The row of the simulator's list that has this note. The list computes its documents, so no test types them
 * in.
 */
function listed(nota: string): Record<string, string> {
  const row = listRoteiro().find((linha) => linha.endpoint === '/api/consultar' && linha.nota === nota)
  assert.ok(row, `the list has no row "${nota}"`)
  return row.parametros
}

/** The hosts of two states' web services. The host of ES serves other states too. */
const [ES, SP] = ['cad.svrs.rs.gov.br', 'nfe.fazenda.sp.gov.br']
/** A CNPJ about which no other test of this file asks SP. */
const NEVER_ASKED = '99013133000160'

let house: House
before(async () => {
  house = await start({ IE_SECONDS: '3' })
})
after(() => house.close())

const ask = (parametros: Record<string, string>, key?: string) =>
  house.ask(`/api/consultar?${new URLSearchParams(parametros)}`, key ? { key } : {})

const resultsOf = (body: Record<string, unknown>): Record<string, string>[] =>
  Array.isArray(body.results) ? body.results : []

describe('200', () => {
  test('a registration is answered with every field of the specification, each a text', async () => {
    const { status, body } = await ask(listed('uma inscrição em SP'))
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), [
      'request_id',
      'document',
      'document_type',
      'uf',
      'cached',
      'results',
      'fonte',
      'consultado_em',
      'avisos',
    ])
    assert.deepEqual([body.fonte, body.avisos], ['SP/ie', []])
    assert.equal(body.document, listed('uma inscrição em SP').cnpj)
    assert.equal(body.document_type, 'cnpj')
    assert.equal(body.uf, 'SP')
    const [item = {}, ...others] = resultsOf(body)
    assert.deepEqual(others, [])
    assert.deepEqual(Object.keys(item), FIELDS)
    for (const field of FIELDS) assert.equal(typeof item[field], 'string', field)
    assert.match(item.inscricao_estadual ?? '', /^\d{12}$/)
    assert.equal(item.situacao_ie, 'ATIVA')
    assert.equal(item.situacao_cadastral, 'HABILITADO')
    assert.match(item.cpf_cnpj ?? '', /^\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}$/)
    assert.match(item.data_inicio_atividade ?? '', /^\d{4}-\d{2}-\d{2}$/)
    assert.match(item.cep ?? '', /^\d{8}$/)
    assert.notEqual(item.regime_apuracao_icms, '')
  })

  test('it is the company that the CNPJ base knows', async () => {
    const { cnpj = '' } = listed('mais de uma inscrição em SP')
    const [item = {}] = resultsOf((await ask({ uf: 'SP', cnpj })).body)
    const base = await house.ask(`/api/consultar-cnpj?cnpj=${cnpj}`)
    assert.equal(item.razao_social, Object(base.body.result).razao_social)
  })

  for (const uf of ufsComCadastro) {
    test(`${uf} answers, and the UF may be sent in small letters`, async () => {
      const { cnpj = '' } = listed(`uma inscrição em ${uf}`)
      const { status, body } = await ask({ uf: uf.toLowerCase(), cnpj })
      assert.equal(status, 200)
      assert.equal(body.uf, uf)
      assert.equal(resultsOf(body).length, 1)
      assert.match(resultsOf(body)[0]?.inscricao_estadual ?? '', /^\d+$/)
    })
  }

  test('a state that sends only what it must leaves the other fields empty', async () => {
    const [item = {}] = resultsOf((await ask(listed('uma inscrição em GO'))).body)
    for (const field of ['logradouro', 'cep', 'cnae_codigo', 'data_situacao', 'regime_apuracao_icms'])
      assert.equal(item[field], '', field)
    assert.equal(item.uf_ie, 'GO')
    assert.notEqual(item.situacao_nfe, '')
  })

  test('several registrations come as several items', async () => {
    const { body } = await ask(listed('mais de uma inscrição em MG'))
    const numbers = resultsOf(body).map(({ inscricao_estadual }) => inscricao_estadual)
    assert.ok(numbers.length > 1)
    assert.equal(new Set(numbers).size, numbers.length)
    assert.equal(resultsOf((await ask(listed('cStat 112 com 40 inscrições'))).body).length, 40)
  })

  test('a rural producer is found by CPF and said to be one', async () => {
    const { body } = await ask(listed('produtor rural em PR, pelo CPF'))
    assert.equal(body.document_type, 'cpf')
    const [item = {}] = resultsOf(body)
    assert.equal(item.tipo_ie, 'PRODUTOR RURAL')
    assert.match(item.cpf_cnpj ?? '', /^\d{3}\.\d{3}\.\d{3}-\d{2}$/)
  })

  test('a registration number leads to its holder, in the form that was sent', async () => {
    for (const nota of ['pelo número da inscrição em SP', 'pelo número da inscrição em MT']) {
      const parametros = listed(nota)
      const { body } = await ask(parametros)
      assert.equal(body.document, parametros.ie)
      assert.equal(body.document_type, 'ie')
      assert.equal(Number(resultsOf(body)[0]?.inscricao_estadual), Number(parametros.ie))
    }
  })

  test('a closed registration is BAIXADA, one that is not enabled is NÃO HABILITADA', async () => {
    const [closed = {}] = resultsOf((await ask(listed('inscrição baixada'))).body)
    assert.equal(closed.situacao_ie, 'BAIXADA')
    assert.equal(closed.situacao_cadastral, 'NÃO HABILITADO')
    const [suspended = {}] = resultsOf((await ask(listed('inscrição suspensa'))).body)
    assert.equal(suspended.situacao_ie, 'NÃO HABILITADA')
  })

  test('an alphanumeric CNPJ is asked and formatted like any other', async () => {
    const parametros = listed('CNPJ com letras')
    const [item = {}] = resultsOf((await ask(parametros)).body)
    assert.equal(item.cpf_cnpj?.replace(/\W/g, ''), parametros.cnpj)
  })

  test('no registration is an answer: empty results, one credit', async () => {
    const { key } = await house.open('lite')
    const parametros = listed('empresa sem inscrição estadual: lista vazia')
    const { status, headers, body } = await ask(parametros, key)
    assert.equal(status, 200)
    assert.deepEqual(body.results, [])
    assert.equal(headers.get('x-credits-charged'), '1')
    assert.equal(headers.get('x-credits-remaining'), '99')
  })

  test('a second question within the day is answered from the cache, for the same credit', async () => {
    const { key } = await house.open('lite')
    const parametros = listed('uma inscrição em BA')
    const fresh = await ask({ ...parametros, cnpj: '99013133000160' }, key)
    const cached = await ask({ ...parametros, cnpj: '99013133000160' }, key)
    assert.equal(fresh.body.cached, false)
    assert.equal(cached.body.cached, true)
    assert.deepEqual(cached.body.results, fresh.body.results)
    assert.notEqual(cached.body.request_id, fresh.body.request_id)
    assert.equal(cached.headers.get('x-credits-charged'), '1')
    assert.equal(cached.headers.get('x-credits-remaining'), '98')
  })

  test('the same number sent in two forms is one question', async () => {
    const { ie = '' } = listed('pelo número da inscrição em MT')
    await ask({ uf: 'MT', ie })
    const { body } = await ask({ uf: 'mt', ie: ie.padStart(11, '0') })
    assert.equal(body.cached, true)
    assert.equal(body.document, ie.padStart(11, '0'))
  })
})

const CNPJ = listed('uma inscrição em SP').cnpj ?? ''
const [CPF, IE] = ['52998224725', listed('pelo número da inscrição em SP').ie ?? '']

const faults: [name: string, parametros: Record<string, string>, code: string, says: RegExp][] = [
  ['nothing sent', {}, 'PARAMETRO_AUSENTE', /uf/],
  ['uf not sent', { cnpj: CNPJ }, 'PARAMETRO_AUSENTE', /uf/],
  ['no document sent', { uf: 'SP' }, 'PARAMETRO_AUSENTE', /cpf, cnpj ou ie/],
  ['an empty document counts as not sent', { uf: 'SP', cnpj: '' }, 'PARAMETRO_AUSENTE', /cpf, cnpj ou ie/],
  ['cpf and cnpj sent', { uf: 'SP', cnpj: CNPJ, cpf: CPF }, 'PARAMETRO_CONFLITANTE', /cpf e cnpj/],
  ['cnpj and ie sent', { uf: 'SP', cnpj: CNPJ, ie: IE }, 'PARAMETRO_CONFLITANTE', /cnpj e ie/],
  ['cpf and ie sent', { uf: 'SP', cpf: CPF, ie: IE }, 'PARAMETRO_CONFLITANTE', /cpf e ie/],
  ['all three sent', { uf: 'SP', cpf: CPF, cnpj: CNPJ, ie: IE }, 'PARAMETRO_CONFLITANTE', /cpf, cnpj e ie/],
  ['a missing document comes before a wrong UF', { uf: 'XX' }, 'PARAMETRO_AUSENTE', /cpf, cnpj ou ie/],
  ['a wrong UF comes before a wrong document', { uf: 'XX', cnpj: '1' }, 'UF_NAO_SUPORTADA', /SP/],
  ['a UF that does not exist', { uf: 'XX', cnpj: CNPJ }, 'UF_NAO_SUPORTADA', /27/],
  ['a CNPJ with a wrong digit', { uf: 'SP', cnpj: '00000000000192' }, 'DOCUMENTO_INVALIDO', /dígito/],
  ['a CPF with a wrong digit', { uf: 'SP', cpf: '52998224724' }, 'DOCUMENTO_INVALIDO', /dígito/],
  ['a masked CPF', { uf: 'SP', cpf: '529.982.247-25' }, 'DOCUMENTO_INVALIDO', /somente dígitos/],
  ['an IE with a wrong digit', { uf: 'SP', ie: '110042490115' }, 'DOCUMENTO_INVALIDO', /regra de SP/],
  ["another state's IE", { uf: 'RJ', ie: '110042490114' }, 'DOCUMENTO_INVALIDO', /8 dígitos/],
  ['ISENTO', { uf: 'SP', ie: 'ISENTO' }, 'DOCUMENTO_INVALIDO', /isento/],
]

describe('400', () => {
  for (const [name, parametros, code, says] of faults) {
    test(`${code}: ${name}`, async () => {
      const { key } = await house.open('lite')
      const { status, headers, body } = await ask(parametros, key)
      assert.equal(status, 400)
      assert.equal(body.error_code, code)
      assert.match(String(body.detail), says)
      assert.ok(Array.isArray(body.errors) && body.errors.length > 0)
      assert.equal(headers.get('x-credits-remaining'), '100')
    })
  }

  test('DOCUMENTO_INVALIDO: the state itself says that the document is not valid', async () => {
    const { body } = await ask(listed('cStat 258: a SEFAZ diz que o CNPJ é inválido'))
    assert.equal(body.error_code, 'DOCUMENTO_INVALIDO')
    assert.match(String(body.detail), /SEFAZ-RN.*258/)
    assert.deepEqual(body.errors, [
      { parameter: 'cnpj', reason: 'a secretaria da fazenda o considera inválido' },
    ])
  })
})

const failures: [code: string, status: number, nota: string, says: RegExp][] = [
  ['SITE_INDISPONIVEL', 503, 'responde certo, mas só depois de 30 segundos', /a tempo/],
  ['SITE_INDISPONIVEL', 503, 'HTTP 403 com a página de um firewall', /recusou a conexão/],
  ['SITE_INDISPONIVEL', 503, 'HTTP 503 com página HTML', /HTTP 503/],
  ['SITE_INDISPONIVEL', 503, 'a conexão cai no meio da resposta', /derrubou no meio/],
  ['SITE_INDISPONIVEL', 503, 'o servidor recusa o certificado na camada TLS', /não atendeu à conexão/],
  ['SITE_INDISPONIVEL', 503, 'cStat 108: serviço paralisado momentaneamente', /paralisado.*108/],
  ['SITE_INDISPONIVEL', 503, 'AM não consulta por CPF', /não oferece consulta por CPF/],
  [
    'PROCESSAMENTO_FALHOU',
    502,
    'o XML da resposta vem cortado',
    /não chegou inteira. Tente de novo em 1 minuto/,
  ],
  ['PROCESSAMENTO_FALHOU', 502, 'SOAP Fault 1.2 com HTTP 500', /não processou/],
  ['PROCESSAMENTO_FALHOU', 502, 'bytes em ISO-8859-1 anunciados como UTF-8', /caracteres/],
  ['PROCESSAMENTO_FALHOU', 502, 'a resposta é sobre outro CNPJ', /outro documento/],
  ['PROCESSAMENTO_FALHOU', 502, 'corpo de 10 MiB', /maior/],
  ['PROCESSAMENTO_FALHOU', 502, 'cStat 215: falha no schema XML', /215/],
  ['PROCESSAMENTO_FALHOU', 502, 'cStat 777: código que nenhuma tabela tem', /777/],
]

describe('502 and 503 are never charged', () => {
  for (const [code, expected, nota, says] of failures) {
    test(`${code}: ${nota}`, async () => {
      const { key } = await house.open('lite')
      const parametros = listed(nota)
      const { status, headers, body, text } = await ask(parametros, key)
      assert.equal(status, expected)
      assert.equal(body.error_code, code)
      assert.match(String(body.detail), says)
      assert.equal(headers.get('x-credits-charged'), '0')
      assert.equal(headers.get('x-credits-remaining'), '100')
      for (const documento of Object.values(parametros).filter((value) => value.length > 2))
        assert.ok(!text.includes(documento), 'the failure repeats no document')
    })
  }

  test('a failure is not cached: the next question is asked again', async () => {
    const parametros = listed('HTTP 429 com página HTML')
    for (const _ of [1, 2]) {
      const before = await queriesTo(house, ES)
      assert.equal((await ask(parametros)).status, 503)
      assert.equal((await queriesTo(house, ES)) - before, 1)
    }
  })

  test('after five outages in a row a state is left alone, and its neighbours are not', async () => {
    const { cnpj = '' } = listed('HTTP 503 com página HTML')
    for (let i = 0; i < 5; i++) await ask({ uf: 'SC', cnpj })
    const refused = await ask(listed('uma inscrição em SC'), (await house.open('lite')).key)
    assert.equal(refused.status, 200, 'what is in the cache is still answered')
    const open = await ask({ uf: 'SC', cnpj: UNKNOWN })
    assert.equal(open.status, 503)
    assert.match(String(open.body.detail), /várias vezes seguidas/)
    assert.equal((await ask({ uf: 'RS', cnpj: UNKNOWN })).status, 200)
  })
})

testOwnFailure(`/api/consultar?uf=SP&cnpj=${CNPJ}`, 'cache')

test('401 and 429 come before everything else', async () => {
  assert.equal((await house.ask('/api/consultar', { key: null })).status, 401)
  const { key, conta } = await house.open('lite')
  for (let i = 0; i < 30; i++) await house.rooms.contas.rateLimit.consume(conta)
  const { status, headers, body } = await ask({}, key)
  assert.equal(status, 429)
  assert.equal(body.error_code, 'RATE_LIMIT_EXCEEDED')
  assert.match(headers.get('retry-after') ?? '', /^\d+$/)
})

test('402: without credits nothing is asked, in the cache or out of it', async () => {
  const { key, conta } = await house.open('lite')
  const parametros = listed('uma inscrição em SP')
  await house.rooms.platform.ledger.charge({ conta, request_id: 'tudo', endpoint: 'teste', creditos: 100 })
  assert.equal((await ask(parametros)).status, 200, 'now it is in the cache')
  const before = await queriesTo(house, SP)
  for (const cnpj of [parametros.cnpj ?? '', NEVER_ASKED]) {
    const { status, body, text } = await ask({ uf: 'SP', cnpj }, key)
    assert.equal(status, 402)
    assert.equal(body.error_code, 'LIMITE_ATINGIDO')
    assert.doesNotMatch(text, /inscricao_estadual/)
  }
  assert.equal(await queriesTo(house, SP), before)
  assert.equal((await ask({ uf: 'SP', cnpj: NEVER_ASKED })).status, 200)
  assert.equal((await queriesTo(house, SP)) - before, 1, 'with credits it is asked')
})
