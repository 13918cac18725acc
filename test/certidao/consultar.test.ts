import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readPdfText } from '../../src/platform/wire/pdf.ts'
import { type Certidao, semCertidao } from '../../src/portal/rules-certidao.ts'
import { semPausas } from '../kit/authority.ts'
import {
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
import { reservado } from '../kit/simulator.ts'

const PATH = '/api/consultar-cnd'
const CPF = '52998224725'
const FIELDS = [
  'status',
  'status_raw',
  'validade',
  'emissao',
  'protocolo',
  'pdf_base64',
  'url_verificacao',
  'codigo_autenticacao',
]

let house: House
before(async () => {
  house = await start({ IE_SECONDS: '4', CND_SECONDS: '8', ...(await semPausas()) })
})
after(() => house.close())

const ask = (parametros: Record<string, string>, key?: string) =>
  house.ask(`${PATH}?${new URLSearchParams(parametros)}`, key ? { key } : {})

describe('200', () => {
  for (const status of ['negativa', 'positiva', 'nao_contribuinte', 'sem_certidao'] as const) {
    test(`${status} is an answer with every field of the specification, and costs one credit`, async () => {
      const { key } = await house.open('lite')
      const certidao: Certidao = { ...semCertidao(status, 'AS PALAVRAS DO ESTADO'), emissao: '2026-11-14' }
      const entry = { key: `cnd/3:RJ:cnpj:${UNKNOWN}`, ttlMs: 1_000, loadMs: 1_000 }
      await house.rooms.platform.cache.forget(entry.key)
      await house.rooms.platform.cache.through(entry, async () => ({
        certidao,
        fonte: 'RJ/cnd',
        avisos: ['um aviso'],
      }))
      const { status: http, headers, body } = await ask({ uf: 'rj', cnpj: UNKNOWN }, key)
      assert.equal(http, 200)
      assert.deepEqual(Object.keys(body), [
        'request_id',
        'document',
        'document_type',
        'uf',
        'cached',
        'source_status',
        'result',
        'fonte',
        'consultado_em',
        'avisos',
      ])
      const [first, ...others] = body.avisos as string[]
      assert.deepEqual([body.fonte, first], ['RJ/cnd', 'um aviso'])
      assert.match(
        others.join(),
        status === 'negativa' ? /^Esta certidão de RJ abrange só os débitos não/ : /^$/,
      )
      const { document, document_type, uf, cached, source_status, result } = body
      assert.deepEqual([document, document_type, uf, cached], [UNKNOWN, 'cnpj', 'RJ', true])
      assert.deepEqual(source_status, {
        status: 'success',
        error_code: '',
        error_message: '',
        retryable: false,
      })
      assert.deepEqual(Object.keys(Object(result)), FIELDS)
      assert.equal(headers.get('x-credits-charged'), '1')
    })
  }
})

describe('asked of the state', () => {
  test('a certificate comes with its PDF, and a second question is answered from the cache, for the same credit', async () => {
    const { key } = await house.open('lite')
    const parametros = { uf: 'GO', cnpj: reservado('cnd-positiva') }
    const fresh = await ask(parametros, key)
    assert.equal(fresh.status, 200)
    const { status, emissao, pdf_base64 } = Object(fresh.body.result)
    assert.equal(status, 'positiva')
    assert.match(emissao, /^\d{4}-\d{2}-\d{2}$/)
    assert.equal(Buffer.from(pdf_base64, 'base64').toString('latin1', 0, 5), '%PDF-')
    const again = await ask(parametros, key)
    assert.deepEqual([fresh.body.cached, again.body.cached], [false, true])
    assert.deepEqual([fresh.body.fonte, again.body.fonte], ['GO/cnd', 'GO/cnd'])
    assert.deepEqual(again.body.result, fresh.body.result)
    assert.equal(again.headers.get('x-credits-remaining'), '98')
  })

  test('a certificate that the state shows as a page comes without a PDF, with our print of it, and is kept like the others', async () => {
    const { key } = await house.open('lite')
    const parametros = { uf: 'MG', cnpj: reservado('cnd-efeitos') }
    const fresh = await ask(parametros, key)
    const { status, status_raw, protocolo, pdf_base64, impressao_base64 } = Object(fresh.body.result)
    assert.equal(status, 'positiva_com_efeitos_de_negativa')
    assert.match(status_raw, /^CERTIDÃO DE DÉBITOS TRIBUTÁRIOS POSITIVA COM EFEITO DE NEGATIVA/)
    assert.match(protocolo, /^\d+$/)
    assert.equal(pdf_base64, '')
    const text = await readPdfText(Buffer.from(impressao_base64, 'base64'))
    assert.match(
      text,
      /Impressão feita por este serviço do texto que a SEFAZ-MG mostrou em https:\/\/www2\.fazenda/,
    )
    const again = await ask(parametros, key)
    assert.deepEqual([again.body.cached, again.body.result], [true, fresh.body.result])
    assert.equal(again.headers.get('x-credits-remaining'), '98')
  })

  test('a certificate of somebody else is the status erro: it is neither delivered, nor charged, nor kept', async () => {
    const { key } = await house.open('lite')
    for (const _ of [1, 2]) {
      const { status, headers, body } = await ask({ uf: 'GO', cnpj: reservado('cnd-pdf-de-outro') }, key)
      assert.equal(status, 200)
      assert.equal(body.cached, false)
      assert.equal(Object(body.source_status).error_code, 'PROCESSAMENTO_FALHOU')
      assert.deepEqual(body.result, semCertidao('erro', ''))
      assert.equal(headers.get('x-credits-charged'), '0')
      assert.equal(headers.get('x-credits-remaining'), '100')
    }
  })
})

const faults: [name: string, parametros: Record<string, string>, code: string, says: RegExp][] = [
  ['nothing sent', {}, 'PARAMETRO_AUSENTE', /uf/],
  ['uf not sent', { cpf: CPF }, 'PARAMETRO_AUSENTE', /uf/],
  ['no document sent', { uf: 'SP' }, 'PARAMETRO_AUSENTE', /cpf ou cnpj/],
  ['an ie is not a document here', { uf: 'SP', ie: '110042490114' }, 'PARAMETRO_AUSENTE', /cpf ou cnpj/],
  ['cpf and cnpj sent', { uf: 'SP', cpf: CPF, cnpj: UNKNOWN }, 'PARAMETRO_CONFLITANTE', /cpf e cnpj/],
  [
    'a conflict comes before a wrong UF',
    { uf: 'XX', cpf: CPF, cnpj: UNKNOWN },
    'PARAMETRO_CONFLITANTE',
    /cpf/,
  ],
  ['a UF that does not exist', { uf: 'XX', cpf: CPF }, 'UF_NAO_SUPORTADA', /27/],
  ['a wrong UF comes before a wrong document', { uf: 'XX', cpf: '1' }, 'UF_NAO_SUPORTADA', /27/],
  ['a CNPJ with a wrong digit', { uf: 'SP', cnpj: WRONG_DIGIT }, 'DOCUMENTO_INVALIDO', /dígito/],
]

describe('400', () => {
  testFaults(
    () => house,
    PATH,
    faults.map(
      ([name, parametros, code, says]): Fault => [name, `${new URLSearchParams(parametros)}`, code, says],
    ),
  )
})

testWhoAsksFirst(() => house, PATH)

test('402: without credits nothing is asked', async () => {
  const hosts = ['nfe.fazenda.sp.gov.br', 'www10.fazenda.sp.gov.br']
  const asked = () => Promise.all(hosts.map((host) => queriesTo(house, host)))
  const { key, conta } = await house.open('lite')
  await house.rooms.platform.ledger.charge({ conta, request_id: 'tudo', endpoint: 'teste', creditos: 100 })
  const before = await asked()
  const { status, body } = await ask({ uf: 'SP', cpf: CPF }, key)
  assert.equal(status, 402)
  assert.equal(body.error_code, 'LIMITE_ATINGIDO')
  assert.deepEqual(await asked(), before)
  assert.equal((await ask({ uf: 'SP', cpf: CPF })).status, 200)
  assert.notDeepEqual(await asked(), before, 'with credits it is asked')
})

test('503 SITE_INDISPONIVEL: a state that is out of reach is not charged', async () => {
  const { key } = await house.open('lite')
  const { status, headers, body } = await ask({ uf: 'PE', cnpj: reservado('corta-antes') }, key)
  assert.equal(status, 503)
  assert.equal(body.error_code, 'SITE_INDISPONIVEL')
  assert.match(String(body.detail), /Nada foi cobrado\.$/)
  assert.equal(headers.get('x-credits-remaining'), '100')
})

testOwnFailure(`${PATH}?uf=SP&cpf=${CPF}`, 'cache')
