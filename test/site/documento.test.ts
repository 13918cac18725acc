import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Contrato, type House, openContrato, start } from '../kit/house.ts'

const CND = '/api/consultar-cnd?uf=SP&cnpj=99001002000162'

let house: House
let document: Record<string, unknown>
let contrato: Contrato
before(async () => {
  house = await start()
  document = (await house.ask('/openapi.json', { key: null })).body
  contrato = openContrato(JSON.parse(JSON.stringify(document)))
})
after(() => house.close())

test('an answer that is not as the document says is found, whatever is wrong with it', async () => {
  const answer = await house.ask(CND)
  assert.equal(answer.status, 200)
  const vinda = (changed: { headers?: Record<string, string>; status?: number; body?: object }) => {
    const headers = new Headers([...answer.headers, ...Object.entries(changed.headers ?? {})])
    const text = JSON.stringify({ ...answer.body, ...changed.body })
    return { path: CND, method: 'GET', status: changed.status ?? 200, headers, text }
  }
  const result = Object(answer.body.result)
  const source_status = Object(answer.body.source_status)
  contrato.check(vinda({}))
  for (const [wrong, changed] of Object.entries({
    'a day in another form': { body: { result: { ...result, validade: '31/12/2026' } } },
    'a day that is null': { body: { result: { ...result, emissao: null } } },
    'a PDF that is no base64': { body: { result: { ...result, pdf_base64: '%PDF' } } },
    'an id that is none': { body: { request_id: '7' } },
    'a state that is none': { body: { uf: 'XX' } },
    'a document with a mask': { body: { document: '99.001.002/0001-62' } },
    'a code of another endpoint': {
      body: { source_status: { ...source_status, error_code: 'PROVIDER_ERROR' } },
    },
    'a status of another endpoint': { body: { source_status: { ...source_status, status: 'timeout' } } },
    'a member that is missing': { body: { cached: undefined } },
    'a header that nobody described': { headers: { 'x-outro': '1' } },
    'a header that is no number': { headers: { 'x-credits-remaining': 'x' } },
    'a status that nobody described': { status: 418 },
  }))
    assert.throws(() => contrato.check(vinda(changed)), { code: 'ERR_ASSERTION' }, wrong)
})

test('a failure is held to the codes of its endpoint and its status', async () => {
  const { headers, text, status } = await house.ask('/api/consultar-cnd?uf=SP&cnpj=1')
  assert.equal(status, 400)
  const of = (error_code: string) => ({
    path: CND,
    method: 'GET',
    status,
    headers,
    text: JSON.stringify({ ...JSON.parse(text), error_code }),
  })
  contrato.check(of('DOCUMENTO_INVALIDO'))
  for (const code of ['CHAVE_INVALIDA', 'SITE_INDISPONIVEL', 'OUTRO'])
    assert.throws(() => contrato.check(of(code)), { code: 'ERR_ASSERTION' }, code)
})

test('an operation tells the codes of its source in one list, and its answer has no other', () => {
  const told = (value: unknown): string[][] => {
    if (typeof value !== 'object' || value === null) return []
    const { allOf, $ref } = Object(value)
    if (Array.isArray(allOf) && /SituacaoDaFonte$/.test(allOf[0]?.$ref ?? ''))
      return [allOf[1].properties.error_code.enum]
    if (typeof $ref === 'string')
      return told(
        $ref
          .split('/')
          .slice(1)
          .reduce<unknown>((at, name) => Object(at)[name], document),
      )
    return Object.values(value).flatMap(told)
  }
  let operations = 0
  for (const [path, methods] of Object.entries(Object(document.paths)))
    for (const operation of Object.values<Record<string, unknown>>(Object(methods))) {
      const lists = told(Object(Object(operation.responses)['200']).content)
      if (lists.length === 0) {
        assert.equal(operation['x-codigos-da-fonte'], undefined, path)
        continue
      }
      operations++
      const all = new Set(lists.flat().filter((code) => code !== ''))
      assert.deepEqual([...all], operation['x-codigos-da-fonte'] ?? [], path)
    }
  assert.equal(operations, 8)
})

test('the document tells the forms that the answers keep', () => {
  const schemas = Object(Object(document.components).schemas)
  const at = (name: string, member: string) => schemas[name].properties[member]
  assert.equal(at('RespostaConsultarNfeXml', 'total').const, 1)
  assert.deepEqual(at('RespostaConsultarNfeXml', 'creditos_cobrados').enum, [0, 1, 3])
  assert.match('A1B2.C3D4.0000.FFFF', new RegExp(at('CertidaoFederal', 'protocolo').pattern))
  assert.doesNotMatch('A1B2C3D40000FFFF', new RegExp(at('CertidaoFederal', 'protocolo').pattern))
  assert.equal(at('Certidao', 'pdf_base64').contentEncoding, 'base64')
  assert.equal(at('ParcelaSigef', 'codigo_parcela').format, 'uuid')
  assert.deepEqual(
    [at('ImovelCafir', 'percentual_proprietario')].map(({ minimum, maximum }) => [minimum, maximum]),
    [[0, 100]],
  )
  assert.match('01310100', new RegExp(at('EnderecoDaEmpresa', 'cep').pattern))
  const { parameters } = Object(document.paths)['/api/v1/rejeicoes'].get
  const categoria = parameters.find(({ name }: { name: string }) => name === 'categoria')
  assert.equal(categoria.schema.oneOf.length, 17)
})
