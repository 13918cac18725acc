import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { test } from 'node:test'
import { criarCliente } from '@consulta-fiscal/cliente'
import { DIAGNOSTICAR, postNota, useCatalogo } from '../kit/catalogo.ts'
import type { Answer } from '../kit/house.ts'

/** The total is as the catalogue of this test computes it. */
const NOTA = readFileSync('data/rejeicoes/notas/venda-interna.xml', 'utf8').replace(
  /<vNF>[^<]*/,
  '<vNF>3818.00',
)
const ERRADA = NOTA.replace('<NCM>', '<NCM> ')
const house = useCatalogo({ codigos: [231, 232, 230, 301, 302, 303, 305, 306, 480, 481, 482] })

type Mais = { query?: Record<string, string>; type?: string; key?: string; headers?: Record<string, string> }

const post = (
  body: string | Uint8Array<ArrayBuffer>,
  { query = {}, type = 'application/xml', key, headers }: Mais = {},
): Promise<Answer> =>
  house().ask(`${DIAGNOSTICAR}?${new URLSearchParams(query)}`, {
    method: 'POST',
    body,
    headers: { 'content-type': type, ...headers },
    ...(key !== undefined && { key }),
  })

const emJson = (corpo: Record<string, unknown>, key?: string): Promise<Answer> =>
  postNota(house(), corpo, { ...(key !== undefined && { key }) })

const semId = ({ body }: Answer): object => ({ ...body, request_id: '' })

test('an XML sent as it is gets the same answer as in JSON, by either media type and with the same options', async () => {
  for (const type of [
    'application/xml',
    'text/xml',
    'application/xml; charset=utf-8',
    'Text/XML;charset="UTF-8"',
  ]) {
    const answer = await post(ERRADA, { type })
    assert.equal(answer.status, 200, `${type}: ${answer.text.slice(0, 300)}`)
    assert.deepEqual(semId(answer), semId(await emJson({ xml: ERRADA })), type)
  }
  const options = { cstat: '539', motivo: 'Rejeição: Duplicidade', corrigido: '0', nada: '1' }
  const answer = await post(ERRADA, { query: options })
  assert.equal(Object(answer.body.cstat).codigo, 539)
  assert.deepEqual(
    semId(answer),
    semId(await emJson({ xml: ERRADA, cstat: 539, motivo: 'Rejeição: Duplicidade', corrigido: false })),
  )
  const malformed = await post(NOTA.replace('</emit>', ''))
  assert.equal(malformed.status, 200)
  assert.equal(Object(malformed.body.esquema).valido, false)
})

test('cadastros, its limit and its price are the same in the query', async () => {
  const { key } = await house().open('starter')
  const query = { cadastros: 'true', maximo_creditos: '1' }
  const answer = await post(NOTA, { query, key })
  const same = await emJson({ xml: NOTA, cadastros: true, maximo_creditos: 1 }, key)
  assert.equal(answer.status, 200, answer.text.slice(0, 300))
  assert.equal(answer.headers.get('x-credits-charged'), same.headers.get('x-credits-charged'))
  const decisoes = ({ body }: Answer) =>
    Object(body.cadastros).decisoes.map(({ codigo, resultado }: Record<string, unknown>) => [
      codigo,
      resultado,
    ])
  assert.ok(decisoes(answer).length > 0)
  assert.deepEqual(decisoes(answer), decisoes(same))
  assert.equal((await post(NOTA, { key })).headers.get('x-credits-charged'), '0')
})

const comAcento = (xml: string): Buffer<ArrayBuffer> => Buffer.from(xml, 'latin1')

test('bytes are read as their charset says, else as UTF-8, else as an old program for Windows writes them', async () => {
  const avisosDe = async (bytes: Uint8Array<ArrayBuffer>, type?: string): Promise<string> => {
    const { status, body, text } = await post(bytes, { ...(type && { type }) })
    assert.equal(status, 200, text.slice(0, 300))
    assert.match(String(Object(body.corrigido).xml), /São Paulo/)
    return Object(body.avisos).join(' ')
  }
  assert.match(ERRADA, /São Paulo/)
  assert.match(await avisosDe(comAcento(ERRADA)), /não está em UTF-8, como a SEFAZ exige \(rejeição 402\)/)
  assert.match(await avisosDe(comAcento(ERRADA), 'text/xml; charset=ISO-8859-1'), /rejeição 402/)
  assert.doesNotMatch(await avisosDe(Buffer.from(ERRADA)), /UTF-8/)
  assert.doesNotMatch(await avisosDe(Buffer.from(`\uFEFF${ERRADA}`)), /UTF-8/)
})

const REFUSALS: [string, string | Uint8Array<ArrayBuffer>, Mais, number, string, RegExp][] = [
  ['an empty body', '', {}, 400, 'PARAMETRO_AUSENTE', /xml: é obrigatório/],
  ['what is no XML', 'nota', {}, 400, 'PARAMETRO_INVALIDO', /não é um XML/],
  [
    'JSON with the type of an XML',
    JSON.stringify({ xml: NOTA }),
    {},
    400,
    'PARAMETRO_INVALIDO',
    /não é um XML/,
  ],
  ['<!DOCTYPE', `<!DOCTYPE NFe>${NOTA}`, {}, 400, 'PARAMETRO_INVALIDO', /DOCTYPE/],
  ['UTF-16', Buffer.from(`\uFEFF${NOTA}`, 'utf16le'), {}, 400, 'PARAMETRO_INVALIDO', /UTF-16.*UTF-8/],
  ['another charset', NOTA, { type: 'text/xml; charset=utf-16' }, 415, 'TIPO_NAO_SUPORTADO', /charset/],
  [
    'bytes that are not of the charset',
    comAcento(NOTA),
    { type: 'application/xml; charset=utf-8' },
    400,
    'CORPO_INVALIDO',
    /não está em UTF-8/,
  ],
  [
    'a compressed body',
    NOTA,
    { headers: { 'content-encoding': 'gzip' } },
    415,
    'TIPO_NAO_SUPORTADO',
    /compressão/,
  ],
  [
    'another type',
    NOTA,
    { type: 'application/soap+xml' },
    415,
    'TIPO_NAO_SUPORTADO',
    /application\/xml, ou o corpo em JSON/,
  ],
  [
    'a code that is no number',
    NOTA,
    { query: { cstat: 'abc' } },
    400,
    'PARAMETRO_INVALIDO',
    /cstat: envie um número inteiro/,
  ],
  [
    'a code out of range',
    NOTA,
    { query: { cstat: '10000' } },
    400,
    'PARAMETRO_INVALIDO',
    /cstat: envie no máximo 9999/,
  ],
  [
    'maximo_creditos below 0',
    NOTA,
    { query: { maximo_creditos: '-1' } },
    400,
    'PARAMETRO_INVALIDO',
    /envie 0 ou mais/,
  ],
  [
    'no switch',
    NOTA,
    { query: { cadastros: 'sim' } },
    400,
    'PARAMETRO_INVALIDO',
    /cadastros: envie true, false/,
  ],
  [
    'a misspelt option',
    NOTA,
    { query: { cadastro: 'true' } },
    400,
    'PARAMETRO_INVALIDO',
    /o campo é cadastros/,
  ],
  ['the XML in the query', NOTA, { query: { xml: '<NFe/>' } }, 400, 'PARAMETRO_INVALIDO', /o XML é o corpo/],
]

for (const [what, body, mais, status, code, says] of REFUSALS)
  test(`an XML as it is: ${what} is refused with ${code}, and the sentence says what to send`, async () => {
    const answer = await post(body, mais)
    assert.equal(answer.status, status, answer.text)
    assert.equal(answer.body.error_code, code)
    assert.match(String(answer.body.detail), says)
    assert.equal(answer.headers.get('x-credits-charged'), '0')
    assert.doesNotMatch(answer.text, /venda|CNPJ/)
  })

test('an option that comes twice is refused, and one in the address of JSON is still', async () => {
  const twice = await house().ask(`${DIAGNOSTICAR}?cstat=539&cstat=540`, {
    method: 'POST',
    body: NOTA,
    headers: { 'content-type': 'application/xml' },
  })
  assert.match(String(twice.body.detail), /cstat: foi enviado mais de uma vez/)
  const json = await house().ask(`${DIAGNOSTICAR}?cstat=539`, {
    method: 'POST',
    body: JSON.stringify({ xml: NOTA }),
    headers: { 'content-type': 'application/json' },
  })
  assert.match(String(json.body.detail), /envie cstat no corpo JSON/)
})

test('1 MiB is the most, and more is refused before it has arrived', async () => {
  const MIB = 1024 * 1024
  const whole = NOTA.trimEnd() + ' '.repeat(MIB - Buffer.byteLength(NOTA.trimEnd()))
  assert.equal((await post(whole)).status, 200)
  const key = house().apiKey ?? ''
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const headers = { 'content-type': 'application/xml', 'content-length': MIB + 1, 'x-api-key': key }
  const sent = request(house().address + DIAGNOSTICAR, { method: 'POST', headers }, (got) => {
    resolve(got.statusCode ?? 0)
    got.resume()
  })
  sent.on('error', reject)
  // The first byte is all that is sent.
  sent.write('<')
  assert.equal(await promise, 413)
  sent.destroy()
})

test('without a key nothing of the body is read, and no other endpoint takes an XML', async () => {
  const strange = await house().ask(DIAGNOSTICAR, {
    method: 'POST',
    body: NOTA,
    headers: { 'content-type': 'text/xml' },
    key: null,
  })
  assert.equal(strange.status, 401)
  const other = await house().ask('/api/consultar-nfe-xml', {
    method: 'POST',
    body: NOTA,
    headers: { 'content-type': 'application/xml' },
  })
  assert.equal(other.body.error_code, 'TIPO_NAO_SUPORTADO')
  assert.match(String(other.body.detail), /^Envie o corpo em JSON/)
})

test('the client sends the bytes of a file as they are, with the same options', async () => {
  const fiscal = criarCliente({ endereco: house().address, chave: house().apiKey ?? '' })
  const laudo = await fiscal.diagnosticar({ xml: comAcento(ERRADA), cstat: 539, corrigido: false })
  assert.equal(laudo.cstat?.codigo, 539)
  assert.equal(laudo.corrigido, null)
  assert.match(laudo.avisos.join(), /rejeição 402/)
  const text = await fiscal.diagnosticar({ xml: ERRADA, cstat: 539, cadastros: false })
  assert.deepEqual(text.emendas, laudo.emendas)
  assert.equal(text.corrigido?.xml, NOTA)
})
