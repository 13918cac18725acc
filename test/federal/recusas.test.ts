import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rowsOf } from '../kit/basics.ts'
import { CONTRATO, dito, HOUR_MS, openSpent, startFederal } from '../kit/federal.ts'
import { queriesTo } from '../kit/house.ts'

const NOVA = '&emitir_nova=true'
const CPF = '52998224725'

/** A result in which nothing is said but these. */
const vazio = (told: { status: string; status_raw: string }) => ({
  tipo: 'cnd_federal',
  modo: '',
  validade: '',
  validade_iso: '',
  emissao: '',
  emissao_iso: '',
  protocolo: '',
  pdf_base64: '',
  url_verificacao: '',
  orgao: 'RFB+PGFN',
  ...told,
})

describe('refusals', () => {
  const positivas = [
    ['insuficiente', 'positiva', /insuficientes/],
    ['inapta', 'positiva', /Inapta/],
    ['nao-inscrito', 'nao_contribuinte', /não consta do cadastro/],
  ] as const
  const erros = [
    // A branch: the contract gives the head office's paper.
    ['98764009000254', 'erro', /enviou uma certidão que não é deste CNPJ\.$/],
    ['papel-contradiz', 'erro', /enviou uma certidão que se contradiz\.$/],
  ] as const
  for (const [nome, status, raw] of [...rowsOf(positivas), ...rowsOf(erros)])
    test(`${nome}: ${status}, without a PDF, modo or cost, is kept for 1 h, also with emitir_nova`, async (t) => {
      const { ask, house, pass } = await startFederal(t)
      const first = await ask(nome)
      const free = { situacao: status, modo: '', cached: false, creditos: 0 }
      assert.deepEqual(dito(first), free)
      const { status_raw } = Object(first.body.result)
      assert.match(status_raw, raw)
      assert.deepEqual(first.body.result, vazio({ status, status_raw }))
      assert.equal(Object(first.body.source_status).status, 'success')
      assert.match(JSON.stringify(first.body.avisos), /0002..$/.test(nome) ? /pelo CNPJ da matriz/ : /^\[\]$/)
      const asked = await queriesTo(house, CONTRATO)
      pass(HOUR_MS)
      for (const query of ['', NOVA]) {
        const kept = await ask(nome, query)
        assert.deepEqual(dito(kept), { ...free, cached: true })
        assert.deepEqual(kept.body.avisos, first.body.avisos)
      }
      assert.equal(await queriesTo(house, CONTRATO), asked)
      pass(1)
      assert.deepEqual(dito(await ask(nome)), free)
      assert.ok((await queriesTo(house, CONTRATO)) > asked)
      assert.equal((await ask(nome)).headers.get('x-credits-remaining'), '1000')
    })

  test('without a credit nobody is told a refusal, kept or not; a certificate neither', async (t) => {
    const { ask, house } = await startFederal(t)
    for (const nome of ['insuficiente', 'valida']) await ask(nome)
    const key = await openSpent(house)
    for (const cnpj of ['98764013000131', '98764010000106', '98764015000120']) {
      const { status, body } = await house.ask(`/api/consultar-cnd-federal?cnpj=${cnpj}`, { key })
      assert.deepEqual([status, body.error_code], [402, 'LIMITE_ATINGIDO'])
    }
    // What costs nothing whatever the authority says is answered.
    for (const query of [`cpf=${CPF}`, 'cnpj=1'])
      assert.equal((await house.ask(`/api/consultar-cnd-federal?${query}`, { key })).status, 200)
  })
})

describe('documents', () => {
  test('cnpj wins over cpf, and a query by cpf alone is erro without consuming credit', async (t) => {
    const { house, key } = await startFederal(t)
    const ask = (query: string) => house.ask(`/api/consultar-cnd-federal?${query}`, { key })
    const both = await ask(`cpf=1&cnpj=98764010000106`)
    assert.deepEqual([both.body.document, both.body.document_type], ['98764010000106', 'cnpj'])
    assert.equal(Object(both.body.result).status, 'negativa')
    const alone = await ask(`cpf=${CPF}`)
    assert.deepEqual([alone.body.document, alone.body.document_type], [CPF, 'cpf'])
    assert.equal(Object(alone.body.source_status).status, 'success')
    const status_raw = 'A certidão federal só é consultada por CNPJ.'
    assert.deepEqual(alone.body.result, vazio({ status: 'erro', status_raw }))
    assert.equal(alone.headers.get('x-credits-charged'), '0')
  })

  test('CNPJ_INVALIDO and CPF_INVALIDO are told with HTTP 200, and nobody is asked', async (t) => {
    const { house, key } = await startFederal(t)
    for (const [query, code, why] of [
      ['cnpj=98764010000107', 'CNPJ_INVALIDO', /dígito verificador/],
      ['cnpj=98.764.010%2F0001-06', 'CNPJ_INVALIDO', /somente dígitos/],
      [`cnpj=1&cpf=${CPF}`, 'CNPJ_INVALIDO', /14 dígitos/],
      ['cpf=52998224726', 'CPF_INVALIDO', /dígito verificador/],
    ] as const) {
      const { status, body, headers } = await house.ask(`/api/consultar-cnd-federal?${query}`, { key })
      const { error_code, error_message, retryable } = Object(body.source_status)
      assert.deepEqual([status, error_code, retryable, body.result], [200, code, false, null], query)
      assert.match(error_message, why)
      assert.equal(headers.get('x-credits-charged'), '0')
      assert.equal(headers.get('retry-after'), null)
    }
    assert.equal(await queriesTo(house, CONTRATO), 0)
  })
})
