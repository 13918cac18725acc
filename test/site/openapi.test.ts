import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { ambitos, ufs } from '../../src/documento/uf.ts'
import { manifestacoes, statusNfe } from '../../src/nfe/rules.ts'
import { errorCodes, sourceCodes } from '../../src/platform/errors.ts'
import { ambientes, sourceErrorKinds } from '../../src/platform/wire/fonte.ts'
import { estadosDoCircuito } from '../../src/platform/wire/leituras.ts'
import { captchaTipos } from '../../src/portal/captcha.ts'
import { certezas } from '../../src/portal/estado.ts'
import { disponibilidades } from '../../src/portal/rotas.ts'
import { situacoesCertidao } from '../../src/portal/rules-certidao.ts'
import { type House, start } from '../kit/house.ts'

type Schema = {
  $ref?: string
  type?: string
  description?: string
  enum?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
}
type Media = { content: Record<string, { schema: Schema & { allOf?: Schema[] } }> }
type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: object[]
  parameters?: { name: string; description: string; schema: Schema }[]
  requestBody?: Media
  responses: Record<string, Media & { description: string; headers: object }>
}
type Components = { schemas: Record<string, Schema>; headers: Record<string, { schema: Schema }> }

let house: House
let text: string
let operations: [string, Operation][]
let components: Components
let tags: { name: string; description: string }[]
before(async () => {
  house = await start()
  const answer = await house.ask('/openapi.json', { key: null })
  text = answer.text
  const document = JSON.parse(text)
  components = document.components
  tags = document.tags
  operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  )
})
after(() => house.close())

/** What Redocly's recommended rules say of a document: `error rule`, `warn rule`. */
async function lint(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return found.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`)
}

/** Streams stand outside the answers on purpose: the linter does not look at `x-eventos`. */
const allowed = ['ConsultarCndTodos', 'ConsultarIeTodos', 'PerfilProdutor', 'SefazStatus'].map(
  (name) => `warn no-unused-components: Component: "Eventos${name}" is never used.`,
)

test('the document has no error of OpenAPI 3.1, with the simulator and live under a public address', async (t) => {
  assert.deepEqual(await lint(text), allowed)
  const env = { AUTHORITIES: 'live', PUBLIC_URL: 'https://exemplo.com.br/fiscal' }
  const live = await start({ ...env, BOOTSTRAP_API_KEY: 'chave-de-teste-0123456789' })
  t.after(() => live.close())
  const { text: served } = await live.ask('/openapi.json', { key: null })
  assert.notEqual(served, text)
  assert.deepEqual(await lint(served), allowed)
  assert.match((await lint(text.replace('"operationId":"consultar"', '"operationId":7'))).join(), /error/)
})

/** Without a key: the public list, and what comes before there is one. */
const isKeyless = (call: string): boolean => /\/public\/|\/auth\/(?:login|registrar)$/.test(call)

test('each call has a theme, an identifier, a summary, a description, security and described parameters', () => {
  const described = tags.map(({ name }) => name)
  for (const [call, operation] of operations) {
    assert.equal(operation.tags.length, 1, call)
    assert.ok(described.includes(operation.tags[0] ?? ''), call)
    assert.ok(operation.summary && operation.description, call)
    // The reference page has it in one line of a phone's 390 pixels.
    assert.ok(operation.summary.length <= 50, call)
    assert.deepEqual(operation.security, isKeyless(call) ? [] : [{ chave: [] }, { login: [] }], call)
    for (const { name, description, schema } of operation.parameters ?? []) {
      assert.ok(description, `${call} ${name}`)
      const whole = ['codigo', 'page', 'page_size', 'cstat', 'maximo_creditos'].includes(name)
      assert.equal(schema.type, whole ? 'integer' : 'string', `${call} ${name}`)
    }
    for (const [status, response] of Object.entries(operation.responses))
      assert.ok(response.description, `${call} ${status}`)
  }
  const ids = operations.map(([, { operationId }]) => operationId)
  assert.equal(new Set(ids).size, ids.length)
  for (const tag of tags) assert.ok(tag.description, tag.name)
  const used = new Set(operations.flatMap(([, operation]) => operation.tags))
  assert.deepEqual(described.toSorted(), [...used].toSorted())
})

test('every body that is sent or answered is a schema with a name, and an answer is of one kind', () => {
  const named = ({ $ref = '' }: Schema) => {
    assert.match($ref, /^#\/components\/schemas\//)
    return components.schemas[$ref.split('/').at(-1) ?? '']
  }
  for (const [call, { requestBody, responses }] of operations) {
    if (requestBody) assert.ok(named(requestBody.content['application/json']?.schema ?? {}), call)
    for (const [status, { content }] of Object.entries(responses)) {
      // Nothing changed since the client's copy: such an answer has no body.
      if (status === '304') {
        assert.equal(content, undefined, call)
        continue
      }
      const type = status === '200' ? 'application/json' : 'application/problem+json'
      assert.deepEqual(Object.keys(content), [type], `${call} ${status}`)
      const { schema = {} } = content[type] ?? {}
      const [body = schema, own] = 'allOf' in schema ? (schema.allOf ?? []) : []
      assert.ok(named(body), `${call} ${status}`)
      if (status === '200') continue
      const codes = own?.properties?.error_code?.enum ?? []
      assert.ok(codes.length > 0, `${call} ${status}`)
      for (const code of codes) {
        const [, row] = Object.entries(errorCodes).find(([name]) => name === code) ?? []
        assert.equal(String(row?.status), status, `${call} ${code}`)
      }
    }
  }
})

test('every named schema but an answer, and every member of each, says what it is', () => {
  const silent = (place: string, { properties = {}, items }: Schema): string[] => [
    ...(items ? silent(place, items) : []),
    ...Object.entries(properties).flatMap(([name, schema]) => [
      ...(schema.description || schema.$ref ? [] : [`${place}.${name}`]),
      ...silent(`${place}.${name}`, schema),
    ]),
  ]
  for (const [name, schema] of Object.entries(components.schemas)) {
    assert.ok(schema.description || name.startsWith('Resposta'), name)
    assert.deepEqual(silent(name, schema), [])
  }
})

test('the words of every closed list are those of the domain', () => {
  const cpfCnpj = ['cpf', 'cnpj']
  const lists: Record<string, readonly unknown[]> = {
    Uf: ufs,
    'RespostaConsultar.document_type': [...cpfCnpj, 'ie'],
    'RespostaConsultarIeTodos.document_type': cpfCnpj,
    'RespostaConsultarCnd.document_type': cpfCnpj,
    'RespostaConsultarCndTodos.document_type': cpfCnpj,
    'RespostaConsultarCnir.document_type': cpfCnpj,
    'PessoaFisicaCnir.sexo': ['', 'M', 'F'],
    'Problema.error_code': Object.keys(errorCodes),
    'SituacaoDaFonte.status': ['success', 'error', 'timeout'],
    'SituacaoDaFonte.error_code': [
      '',
      'SITE_INDISPONIVEL',
      'PROCESSAMENTO_FALHOU',
      'DOCUMENTO_INVALIDO',
      'ERRO_INTERNO',
      'BANCO_INDISPONIVEL',
      ...Object.keys(sourceCodes),
    ],
    'Certidao.status': situacoesCertidao,
    'ResultadoNfe.status': statusNfe,
    'ResultadoNfe.manifestacao': [...manifestacoes, null],
    'SimulacaoDaNota.evento': ['210210', '210200', null],
    'Fonte.uf': ambitos,
    'Fonte.servico': ['ie', 'cnd', 'nfe-xml', 'cnpj', 'cnir', 'sigef'],
    'Fonte.aceita': [...cpfCnpj, 'ie', 'chave'],
    'CaptchaDaFonte.tipo': ['nenhum', ...captchaTipos],
    'CaptchaDaFonte.quando': ['nunca', 'sempre', 'as-vezes', 'desenhado'],
    'Fonte.situacao': disponibilidades,
    'Fonte.certeza': certezas,
    'CircuitoDaFonte.estado': estadosDoCircuito,
    'FalhaDaFonte.tipo': sourceErrorKinds,
  }
  for (const [place, words] of Object.entries(lists)) {
    const [name = '', ...path] = place.split('.')
    const found = path.reduce<Schema | undefined>(
      (schema, member) => schema?.properties?.[member],
      components.schemas[name],
    )
    assert.deepEqual((found?.items ?? found)?.enum, words, place)
  }
  for (const name of ['RespostaConsultar', 'RespostaConsultarCnd', 'EntradaIe', 'EntradaCnd'])
    assert.equal(components.schemas[name]?.properties?.uf?.$ref, '#/components/schemas/Uf', name)
  for (const [call, { parameters = [] }] of operations)
    for (const { name, schema } of parameters)
      if (name === 'uf') assert.deepEqual(schema.enum, call === 'get /api/v1/fontes' ? ambitos : ufs, call)
  assert.deepEqual(components.headers['X-Ambiente']?.schema.enum, ambientes)
  assert.equal(components.schemas.Inscricao?.properties?.situacao_ie?.enum, undefined)
})

test('a uf in lower case is taken, though the description lists capitals', async () => {
  const { status, body } = await house.ask('/api/v1/fontes?uf=sp')
  assert.equal(status, 200)
  assert.ok(Array.isArray(body.fontes) && body.fontes.length > 0)
})
