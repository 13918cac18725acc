import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { exemplosRurais } from '../../simulator/rural/parcelas.ts'
import {
  type Answer,
  anew,
  type Fault,
  type House,
  queriesTo,
  start,
  testFaults,
  testOwnFailure,
  testWhoAsksFirst,
  UNKNOWN,
  WRONG_DIGIT,
} from '../kit/house.ts'
import { PRODUCAO } from '../kit/repetir.ts'
import { CNIR_CPF, CNIR_PATH, startAlone } from '../kit/rural.ts'
import { reservado } from '../kit/simulator.ts'

const HOST = 'conector-cnir.simulador'
const { pessoa, empresa, comCondominos, condomino, comImunidades, soBaixados, semNada, desconhecida } =
  exemplosRurais()

/** The connector takes the time of now alone, so this service has the real clock, which the test moves on. */
let late = 0
const now = () => new Date(Date.now() + late)

let house: House
before(async () => {
  house = await start({ CNIR_SECONDS: '2' }, now)
})
after(() => house.close())

const ask = (documento: string, options: RequestInit & { key?: string } = {}) =>
  house.ask(`${CNIR_PATH}?${documento.length === 11 ? 'cpf' : 'cnpj'}=${documento}`, options)

const imoveisOf = ({ body }: Pick<Answer, 'body'>): Record<string, unknown>[] => Object(body.imoveis_cafir)

test('a person: his data, his properties and their totals, for 1 credit', async () => {
  const { key } = await house.open('lite')
  const answer = await ask(pessoa, { key })
  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body), [
    'request_id',
    'document',
    'document_type',
    'source_status',
    'pessoa_fisica',
    'pessoa_juridica',
    'imoveis_cafir',
    'total_imoveis',
    'total_imoveis_ativos',
    'fonte',
    'consultado_em',
    'avisos',
  ])
  const { body } = answer
  assert.deepEqual([body.document, body.document_type, body.fonte], [pessoa, 'cpf', 'BR/cnir'])
  assert.deepEqual(Object.keys(Object(body.pessoa_fisica)), [
    'nome',
    'data_nascimento',
    'situacao_cadastral',
    'sexo',
  ])
  assert.equal(body.pessoa_juridica, null)
  assert.deepEqual([body.total_imoveis, body.total_imoveis_ativos], [1, 1])
  const [imovel] = imoveisOf(answer)
  assert.equal(imovel?.ni_proprietario, pessoa)
  assert.equal(imovel?.situacao, 'ATIVA')
  assert.deepEqual([answer.headers.get('x-credits-charged'), answer.headers.get('age')], ['1', '0'])
})

test('a company has pessoa_juridica, and no pessoa_fisica', async () => {
  const { body } = await ask(empresa)
  assert.equal(body.document_type, 'cnpj')
  assert.equal(body.pessoa_fisica, null)
  assert.deepEqual(Object.keys(Object(body.pessoa_juridica)), [
    'razao_social',
    'nome_fantasia',
    'situacao_cadastral',
    'data_abertura',
    'natureza_juridica',
  ])
})

test('co-owners and immunities come as they are, and a co-owner finds the property too', async () => {
  const [of, found] = [await ask(comCondominos), await ask(condomino)]
  const shared = imoveisOf(of).find(({ condominos }) => Object(condominos).length > 0)
  assert.deepEqual(Object.keys(Object(shared?.condominos)[0]), ['ni', 'nome', 'percentual'])
  assert.ok(imoveisOf(found).some(({ ni_proprietario }) => ni_proprietario !== condomino))
  const imune = imoveisOf(await ask(comImunidades)).flatMap(
    ({ dados_tributarios }) => Object(dados_tributarios).imunidades,
  )
  assert.deepEqual(Object.keys(imune[0]), ['codigo', 'descricao'])
})

test('a property that is closed counts in total_imoveis alone', async () => {
  const { body } = await ask(soBaixados)
  assert.ok(Number(body.total_imoveis) > 0)
  assert.equal(body.total_imoveis_ativos, 0)
  assert.doesNotMatch(String(body.avisos), /situação/)
})

for (const [name, documento] of [
  ['somebody without a property', semNada],
  ['somebody whom the connector does not know', desconhecida],
] as const)
  test(`${name}: an empty answer is an answer, for 1 credit`, async () => {
    const { headers, body } = await ask(documento)
    assert.equal(Object(body.source_status).status, 'success')
    assert.deepEqual([body.imoveis_cafir, body.total_imoveis, body.total_imoveis_ativos], [[], 0, 0])
    assert.equal(headers.get('x-credits-charged'), '1')
    const nobody = documento === desconhecida
    assert.equal(body.pessoa_fisica === null && body.pessoa_juridica === null, nobody)
  })

test('the answer is kept for 24 hours, at the same price; no-cache asks anew', async () => {
  const first = await ask(soBaixados)
  const before = await queriesTo(house, HOST)
  late = 240_000
  const kept = await ask(soBaixados)
  assert.equal(await queriesTo(house, HOST), before)
  assert.deepEqual({ ...kept.body, request_id: '' }, { ...first.body, request_id: '' })
  assert.ok(Number(kept.headers.get('age')) >= 239)
  assert.equal(kept.headers.get('x-credits-charged'), '1')
  const asked = await ask(soBaixados, anew)
  assert.equal(await queriesTo(house, HOST), before + 1)
  assert.equal(asked.headers.get('age'), '0')
  late = 25 * 60 * 60_000
  // Its clock is a day late by now, so the connector refuses the question that the cache does not answer.
  assert.equal(Object((await ask(soBaixados)).body.source_status).error_code, 'SITE_INDISPONIVEL')
  late = 0
})

const failures: [nome: string, code: string, retryAfter: number | null, says: RegExp][] = [
  ['cnir-401', 'SITE_INDISPONIVEL', null, /recusou este serviço \(HTTP 401\)/],
  ['cnir-429', 'SITE_INDISPONIVEL', 60, /HTTP 429/],
  ['cnir-503', 'SITE_INDISPONIVEL', 60, /HTTP 503/],
  ['cnir-lento', 'SITE_INDISPONIVEL', 60, /não respondeu a tempo/],
  ['corta-antes', 'SITE_INDISPONIVEL', 60, /conex/],
  ['html-404', 'PROCESSAMENTO_FALHOU', null, /HTTP 404/],
  ['cnir-nao-json', 'PROCESSAMENTO_FALHOU', null, /fora do contrato/],
  ['cnir-sem-situacao', 'PROCESSAMENTO_FALHOU', null, /imoveis_cafir\.0\.situacao/],
  ['cnir-sem-booleano', 'PROCESSAMENTO_FALHOU', null, /possui_decisao_judicial/],
  ['cnir-numero-texto', 'PROCESSAMENTO_FALHOU', null, /area_total/],
  ['cnir-duas-pessoas', 'PROCESSAMENTO_FALHOU', null, /pessoa física/],
  ['cnir-demais', 'PROCESSAMENTO_FALHOU', null, /imoveis_cafir/],
  ['cnir-gigante', 'PROCESSAMENTO_FALHOU', null, /./],
  ['outro-documento', 'PROCESSAMENTO_FALHOU', null, /outros titulares/],
]

describe('failures come with HTTP 200 and cost nothing', () => {
  for (const [nome, code, retryAfter, says] of failures)
    test(`${nome}: ${code}`, async () => {
      const { status, headers, body } = await ask(reservado(nome))
      assert.equal(status, 200)
      const { error_message, ...told } = Object(body.source_status)
      assert.deepEqual(told, { status: 'error', error_code: code, retryable: retryAfter !== null })
      assert.match(error_message, says)
      assert.equal(headers.get('retry-after'), retryAfter === null ? null : String(retryAfter))
      assert.deepEqual([body.pessoa_fisica, body.pessoa_juridica, body.imoveis_cafir], [null, null, []])
      assert.deepEqual([body.total_imoveis, body.total_imoveis_ativos], [0, 0])
      assert.equal('cached' in body, false)
      assert.deepEqual([body.consultado_em, body.avisos, headers.get('age')], ['', [], null])
      assert.equal(headers.get('x-credits-charged'), '0')
      // One that is answered, so that the failures in a row stay few.
      assert.equal(Object((await ask(pessoa, anew)).body.source_status).status, 'success')
    })

  test('out of reach: SITE_INDISPONIVEL, which may pass', async (t) => {
    const alone = await startAlone()
    t.after(alone.close)
    const { body } = await alone.house.ask(`${CNIR_PATH}?cpf=${CNIR_CPF}`)
    const { error_code, retryable } = Object(body.source_status)
    assert.deepEqual([error_code, retryable, body.fonte], ['SITE_INDISPONIVEL', true, ''])
  })

  test('live without a connector: SITE_INDISPONIVEL, which never passes', async (t) => {
    const live = await start(PRODUCAO)
    t.after(live.close)
    const { status, body } = await live.ask(`${CNIR_PATH}?cpf=${CNIR_CPF}`)
    const { error_code, error_message, retryable } = Object(body.source_status)
    assert.deepEqual([status, error_code, retryable], [200, 'SITE_INDISPONIVEL', false])
    assert.match(error_message, /CNIR_URL e CNIR_SECRET/)
  })
})

test('members that the contract does not name are not read', async () => {
  const answer = await ask(reservado('cnir-outros-membros'))
  assert.equal(answer.headers.get('x-credits-charged'), '1')
  assert.equal('observacao' in (imoveisOf(answer)[0] ?? {}), false)
})

const faults: Fault[] = [
  ['neither cpf nor cnpj sent', '', 'PARAMETRO_AUSENTE', /cpf ou cnpj/],
  ['both sent', `cpf=${CNIR_CPF}&cnpj=${UNKNOWN}`, 'PARAMETRO_CONFLITANTE', /só um/],
  ['a cnpj with a wrong digit', `cnpj=${WRONG_DIGIT}`, 'DOCUMENTO_INVALIDO', /dígito/],
  ['a repeated cpf', `cpf=${CNIR_CPF}&cpf=${CNIR_CPF}`, 'PARAMETRO_INVALIDO', /mais de uma vez/],
]

describe('400', () => {
  testFaults(() => house, CNIR_PATH, faults)
})

testWhoAsksFirst(() => house, CNIR_PATH)
testOwnFailure(`${CNIR_PATH}?cpf=${CNIR_CPF}`, 'cache')
