import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { startNfe, useNfe } from '../kit/nfe.ts'

/** No answer may contain this. */
const SEGREDO = 'segredo-no-corpo'

type Corpo = Record<string, unknown>
/** The fault of a body, how to make it from a good one, the code, the parameter at fault, and the message. */
type Falta = [nome: string, muda: (bom: Corpo) => Corpo, code: string, parametro: string, diz: RegExp]

const sem = (nome: string) => (bom: Corpo) => ({ ...bom, [nome]: undefined })
const com = (nome: string, valor: unknown) => (bom: Corpo) => ({ ...bom, [nome]: valor })
const muda = (nome: string, change: (texto: string) => string) => (bom: Corpo) => ({
  ...bom,
  [nome]: change(String(bom[nome])),
})
const octetos = (change: (pfx: Buffer) => Buffer) =>
  muda('certificado', (texto) => change(Buffer.from(texto, 'base64')).toString('base64'))

const CHAVE = 'CHAVE_INVALIDA'
const CERTIFICADO = 'CERTIFICADO_INVALIDO'
const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'
const OBRIGATORIO = /é obrigatório e não foi enviado/
const ILEGIVEL = /não é um certificado A1 que se possa ler/
const NAO_ABRE = /A senha não abre o certificado/
const BASE64 = /não está em base64/

const faltas: Falta[] = [
  ['no chave', sem('chave'), 'PARAMETRO_AUSENTE', 'chave', OBRIGATORIO],
  ['an empty chave', com('chave', ''), 'PARAMETRO_AUSENTE', 'chave', OBRIGATORIO],
  ['a chave that is null', com('chave', null), 'PARAMETRO_AUSENTE', 'chave', OBRIGATORIO],
  ['a chave of spaces and dots alone', com('chave', ' . '), CHAVE, 'chave', /recebidos.*: 0/],
  ['a chave of 43 digits', muda('chave', (chave) => chave.slice(1)), CHAVE, 'chave', /44 dígitos.*: 43/],
  ['a chave of 45 digits', muda('chave', (chave) => `${chave}1`), CHAVE, 'chave', /44 dígitos.*: 45/],
  ['NFe before the chave', muda('chave', (chave) => `NFe${chave}`), CHAVE, 'chave', /sem o prefixo NFe/],
  ['a chave of letters', com('chave', 'x'.repeat(44)), CHAVE, 'chave', /envie só dígitos/],
  ['a chave with a dash', muda('chave', (c) => `${c.slice(0, 4)}-${c.slice(4)}`), CHAVE, 'chave', /: 45/],
  ['a chave that is a number', com('chave', 123), CHAVE, 'chave', /envie um texto/],
  ['a chave that is a list', com('chave', ['1']), CHAVE, 'chave', /envie um texto/],
  ['no certificado', sem('certificado'), CERTIFICADO, 'certificado', OBRIGATORIO],
  ['an empty certificado', com('certificado', ''), CERTIFICADO, 'certificado', OBRIGATORIO],
  ['a certificado of spaces', com('certificado', '  '), CERTIFICADO, 'certificado', BASE64],
  ['a certificado that is a number', com('certificado', 5), CERTIFICADO, 'certificado', /envie um texto/],
  ['no base64', com('certificado', 'não é!'), CERTIFICADO, 'certificado', BASE64],
  [
    'base64 of a length that none has',
    muda('certificado', (c) => c.slice(0, 101)),
    CERTIFICADO,
    'certificado',
    BASE64,
  ],
  ['a data: address', muda('certificado', (c) => `data:;base64,${c}`), CERTIFICADO, 'certificado', /"data:/],
  [
    'base64url',
    muda('certificado', (c) => Buffer.from(c, 'base64').toString('base64url')),
    CERTIFICADO,
    'certificado',
    /base64url.*base64 comum/,
  ],
  ['PEM in the place of the file', com('certificado', PEM), CERTIFICADO, 'certificado', /está em PEM/],
  ['base64 of PEM', octetos(() => Buffer.from(PEM)), CERTIFICADO, 'certificado', /está em PEM/],
  ['garbage', octetos(() => Buffer.alloc(3_000, 7)), CERTIFICADO, 'certificado', ILEGIVEL],
  ['half a file', octetos((pfx) => pfx.subarray(0, 1_500)), CERTIFICADO, 'certificado', ILEGIVEL],
  ['a file of 70 kB', octetos(() => Buffer.alloc(70_000, 48)), CERTIFICADO, 'certificado', ILEGIVEL],
  ['a wrong password', com('senha', SEGREDO), CERTIFICADO, 'senha', NAO_ABRE],
  ['an empty password, where the file has one', com('senha', ''), CERTIFICADO, 'senha', NAO_ABRE],
  ['no senha', sem('senha'), CERTIFICADO, 'senha', OBRIGATORIO],
  ['a senha that is a number', com('senha', 1), CERTIFICADO, 'senha', /envie um texto/],
  ...['sim', '', 'TRUE', 2, null, [], {}].flatMap((valor): Falta[] =>
    ['manifestar', 'simular'].map((nome) => [
      `${nome} = ${JSON.stringify(valor)}`,
      com(nome, valor),
      ...(['PARAMETRO_INVALIDO', nome, /envie true, false, 1 ou 0\.$/] as const),
    ]),
  ),
]

/**
 * Names that seem to mean another parameter. A service that ignored them would send an event that cannot be
 * undone.
 */
const trocados: [enviado: string, campo: string][] = [
  ['Manifestar', 'manifestar'],
  ['manifesta', 'manifestar'],
  ['manifestação', 'manifestar'],
  ['manifest_event', 'manifestar'],
  ['simulacao', 'simular'],
  ['SIMULAR', 'simular'],
]

/** Bodies that are no JSON object. */
const corpos: [nome: string, corpo: string, diz: RegExp][] = [
  ['not JSON', `{"senha": "${SEGREDO}" oops`, /não é um JSON válido/],
  ['cut', `{"senha": "${SEGREDO}`, /não é um JSON válido/],
  ['empty', '', /está vazio/],
  ['a list', `["${SEGREDO}"]`, /deve ser um objeto JSON/],
  ['null', 'null', /deve ser um objeto JSON/],
  ['a text', `"${SEGREDO}"`, /deve ser um objeto JSON/],
  ['with __proto__', `{"__proto__": {"a": 1}, "senha": "${SEGREDO}"}`, /não é um JSON válido/],
  ['with constructor.prototype', '{"constructor": {"prototype": {"a": 1}}}', /não é um JSON válido/],
]

describe('what an NF-e call refuses', { concurrency: false }, () => {
  const nfeOf = useNfe(startNfe)
  let bom: Corpo
  before(async () => {
    const { house } = nfeOf()
    bom = { chave: house.chaveDe('ciencia-anterior'), ...(await house.a1('nfe-ciencia-anterior')) }
  })

  async function refuses(corpo: unknown, code: string, init: { headers?: Record<string, string> } = {}) {
    const { house, key } = nfeOf()
    house.passos()
    const answer = await house.post(corpo, { key, ...init })
    assert.equal(answer.body.error_code, code, answer.text)
    assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
    assert.equal(answer.headers.get('x-credits-charged'), '0')
    assert.equal(answer.body.request_id, answer.headers.get('x-request-id'))
    assert.ok(!answer.text.includes(SEGREDO), 'the body is not echoed')
    assert.equal(house.passos(), '', 'nobody was asked')
    return answer
  }

  for (const [nome, change, code, parametro, diz] of faltas)
    test(`400 ${code}: ${nome}`, async () => {
      const { status, body } = await refuses(change(bom), code)
      assert.equal(status, 400)
      assert.match(String(body.detail), diz)
      const [error] = Object(body.errors)
      assert.equal(error.parameter, parametro)
    })

  for (const [enviado, campo] of trocados)
    test(`400 PARAMETRO_INVALIDO: ${enviado} in the place of ${campo}`, async () => {
      const { body } = await refuses({ ...bom, [enviado]: false }, 'PARAMETRO_INVALIDO')
      assert.equal(body.detail, `Parâmetro ${enviado}: não existe; o campo é ${campo}.`)
    })

  for (const campo of ['manifestar', 'simular'])
    test(`400 PARAMETRO_INVALIDO: ${campo} in the address`, async () => {
      const { house, key } = nfeOf()
      house.passos()
      const { body, text } = await house.ask(`/api/consultar-nfe-xml?${campo}=false`, {
        key,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(bom),
      })
      assert.equal(body.error_code, 'PARAMETRO_INVALIDO', text)
      assert.match(String(body.detail), /no corpo JSON, e não no endereço/)
      assert.equal(house.passos(), '')
    })

  for (const [nome, motivo] of [
    ['vencido', /O certificado venceu em \d\d\/\d\d\/\d{4}, \d\d:\d\d \(horário de Brasília\)/],
    ['futuro', /O certificado só vale a partir de/],
    ['sem-chave', /não tem a chave privada/],
    ['sem-titular', /não diz o CNPJ nem o CPF do titular/],
  ] as const)
    test(`400 CERTIFICADO_INVALIDO: the file ${nome}, in words of its own`, async () => {
      const { house } = nfeOf()
      const { body } = await refuses({ ...bom, ...(await house.a1(nome)) }, CERTIFICADO)
      assert.match(String(body.detail), motivo)
    })

  for (const [nome, corpo, diz] of corpos)
    test(`400 CORPO_INVALIDO: a body that is ${nome}`, async () => {
      const { status, body } = await refuses(corpo, 'CORPO_INVALIDO')
      assert.equal(status, 400)
      assert.match(String(body.detail), diz)
    })

  for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', ''])
    test(`415 TIPO_NAO_SUPORTADO: content-type "${type}"`, async () => {
      const { status } = await refuses(bom, 'TIPO_NAO_SUPORTADO', { headers: { 'content-type': type } })
      assert.equal(status, 415)
    })

  test('415 TIPO_NAO_SUPORTADO: a compressed body', async () => {
    const headers = { 'content-encoding': 'gzip' }
    const { status, body } = await refuses(bom, 'TIPO_NAO_SUPORTADO', { headers })
    assert.equal(status, 415)
    assert.match(String(body.detail), /sem compressão/)
  })

  test('400 CORPO_INVALIDO: a body in another charset, which would make a password wrong', async () => {
    const { house, key } = nfeOf()
    const response = await fetch(`${house.address}/api/consultar-nfe-xml`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json; charset=iso-8859-1' },
      body: Buffer.from(JSON.stringify({ ...bom, senha: 'açúcar' }), 'latin1'),
    })
    const body = Object(await response.json())
    assert.deepEqual([response.status, body.error_code], [400, 'CORPO_INVALIDO'])
    assert.match(body.detail, /UTF-8/)
  })

  test('413 CORPO_MUITO_GRANDE: a body of 1 MiB and one octet', async () => {
    const { status } = await refuses(`"${'x'.repeat(1024 * 1024 - 1)}"`, 'CORPO_MUITO_GRANDE')
    assert.equal(status, 413)
  })

  test('405: only POST, and Allow says so', async () => {
    const { house, key } = nfeOf()
    const { status, headers, body } = await house.ask('/api/consultar-nfe-xml', { key })
    assert.deepEqual([status, headers.get('allow')], [405, 'POST'])
    assert.equal(body.error_code, 'METODO_NAO_PERMITIDO')
  })

  test('several faults are listed together, and the absent key names the code', async () => {
    const { body } = await refuses({ manifestar: 'sim' }, 'PARAMETRO_AUSENTE')
    const named = Object(body.errors).map(({ parameter }: { parameter: string }) => parameter)
    assert.deepEqual(named.sort(), ['certificado', 'chave', 'manifestar', 'senha'])
  })
})
