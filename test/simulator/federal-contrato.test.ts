import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cenariosFederais } from '../../simulator/federal/cenarios.ts'
import { OUTRO_DOCUMENTO } from '../../simulator/mundo/comportamento.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { GATEWAY, openSubscriber, reserved } from '../kit/simulator-portal.ts'

let now = new Date('2026-11-21T12:00:00Z')
const { authorities, json, token, basic, get } = await openSubscriber(() => now)
after(() => authorities.close())

const bearer = async () => `Bearer ${JSON.parse((await token(basic)).text).access_token}`
const company = async (cnpj: string, query = 'qsa') => get(`/consulta-cnpj-df/v2/${query}/${cnpj}`)

test('a token is given for client credentials in a form, and no other way', async () => {
  const given = await token(basic)
  assert.equal(given.status, 200)
  const { access_token, ...rest } = JSON.parse(given.text)
  assert.match(access_token, /^[\w-]{20,}$/)
  assert.deepEqual(rest, { scope: 'am_application_scope default', token_type: 'Bearer', expires_in: 3600 })
  assert.equal((await token({ ...basic, 'content-type': 'application/json' })).status, 415)
  assert.equal((await token(basic, '')).status, 400)
  assert.equal((await token(basic, 'grant_type=password')).status, 400)
  assert.equal(
    (await token({ authorization: `Basic ${Buffer.from('outra:senha').toString('base64')}` })).status,
    401,
  )
  assert.equal((await token({})).status, 401)
})

test('the same token is given until it ends, with the seconds that are left', async () => {
  const first = await bearer()
  now = new Date(now.getTime() + 600_000)
  const again = JSON.parse((await token(basic)).text)
  assert.equal(`Bearer ${again.access_token}`, first)
  assert.equal(again.expires_in, 3000)
  now = new Date(now.getTime() + 3_000_000)
  assert.notEqual(await bearer(), first)
  const old = await get('/consulta-cnpj-df/v2/qsa/34238864000168', { authorization: first })
  assert.equal(old.status, 401)
  assert.equal(JSON.parse(old.text).code, '900901')
  const none = await authorities.ask(GATEWAY, {
    path: '/consulta-cnpj-df/v2/qsa/34238864000168',
    method: 'GET',
  })
  assert.equal(none.status, 401)
  assert.equal(JSON.parse(none.text).code, '900902')
})

test('each trial CNPJ has its situation', async () => {
  const said = []
  for (const cnpj of [
    '34238864000168',
    '54447820000155',
    '46768703000165',
    '31151791000184',
    '34428654000132',
  ])
    said.push(JSON.parse((await company(cnpj)).text).situacaoCadastral.codigo)
  assert.deepEqual(said, ['2', '3', '4', '8', '1'])
})

test('the capital is in hundredths, codes go with their words, partners are masked or not there', async () => {
  const bank = JSON.parse((await company('00000000000191')).text)
  assert.equal(Number(bank.capitalSocial), 12_000_000_000_000)
  assert.deepEqual(bank.naturezaJuridica, { codigo: '2038', descricao: 'Sociedade de Economia Mista' })
  assert.deepEqual(bank.endereco.municipio, { codigo: '9701', descricao: 'BRASILIA' })
  const cnpj = '34238864000168'
  const [qsa, basica, empresa] = await Promise.all(
    ['qsa', 'basica', 'empresa'].map((one) => company(cnpj, one)),
  )
  const [masked, none, whole] = [qsa, basica, empresa].map((reply) => JSON.parse(reply?.text ?? '').socios)
  assert.equal(none, undefined)
  assert.match(masked[0].cpf, /^\*{3}\d{6}\*{2}$/)
  assert.match(whole[0].cpf, /^\d{11}$/)
  assert.match(masked[0].qualificacao, /^\d\d$/)
})

test('both spellings of what clients met with two occur', async () => {
  const seen = new Set<string>()
  for (const { documento } of cenariosFederais) {
    const reply = await company(documento)
    if (reply.status !== 200) continue
    const said = JSON.parse(reply.text)
    for (const name of [...Object.keys(said), ...Object.keys(said.informacoesAdicionais)]) seen.add(name)
    seen.add(typeof said.capitalSocial)
  }
  for (const cnpj of exemplos().umaInscricao.values()) {
    const said = JSON.parse((await company(cnpj)).text)
    for (const name of [...Object.keys(said), ...Object.keys(said.informacoesAdicionais)]) seen.add(name)
    seen.add(typeof said.capitalSocial)
  }
  for (const name of [
    'telefone',
    'telefones',
    'listaPeriodosSimples',
    'listaPeriodoSimples',
    'string',
    'number',
  ])
    assert.ok(seen.has(name), name)
})

test('HTTP tells what went wrong', async () => {
  const statuses = async (cnpjs: readonly string[]) =>
    Promise.all(cnpjs.map(async (cnpj) => (await company(cnpj)).status))
  assert.deepEqual(await statuses([exemplos().desconhecido, '11111111111111']), [404, 400])
  assert.deepEqual(await statuses(['cnpj-206', 'cnpj-400', 'gateway-403'].map(reserved)), [206, 400, 403])
  assert.deepEqual(
    await statuses(['gateway-429', 'gateway-502', 'gateway-503', 'gateway-504'].map(reserved)),
    [429, 502, 503, 504],
  )
  assert.deepEqual(
    await statuses(['html-503', 'html-429', 'sessao-velha', 'html-403'].map(reserved)),
    [503, 429, 401, 403],
  )
  assert.equal((await get('/consulta-cnpj-df/v1/qsa/34238864000168')).status, 403)
  assert.equal(JSON.parse((await company(reserved('outro-documento'))).text).ni, OUTRO_DOCUMENTO)
  assert.equal('socios' in JSON.parse((await company(reserved('cnpj-sem-socios'))).text), false)
})

test('the tag of the bill is counted, cut to 32 characters', async () => {
  await get('/consulta-cnpj-df/v2/qsa/34238864000168', { 'x-request-tag': 'a'.repeat(40) })
  assert.equal((await json('/estatisticas.json')).federal.tags['a'.repeat(32)], 1)
})
