import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codigoDe, DAY_MS, dito, startFederal } from '../kit/federal.ts'
import { BANCO_DO_BRASIL, newClock, queriesTo, start } from '../kit/house.ts'
import {
  askSigef,
  CNIR_CPF,
  CNIR_PATH,
  detentor,
  importSession,
  json,
  openConnector,
  property,
  record,
  startRural,
  toldBy,
} from '../kit/rural.ts'

const YEAR_MS = 365 * DAY_MS
const SIGEF = 'sigef.incra.gov.br'
const GATEWAY = 'gateway.apiserpro.serpro.gov.br'

test('a federal certificate of a year ago is not delivered: its end is past, and another is issued', async (t) => {
  const { ask, emissoes, pass } = await startFederal(t)
  const old = await ask('emite')
  const validade = Object(old.body.result).validade_iso
  pass(YEAR_MS)
  const anew = await ask('emite')
  assert.deepEqual(dito(anew), { situacao: 'negativa', modo: 'emissao', cached: false, creditos: 1 })
  assert.notEqual(codigoDe(anew), codigoDe(old))
  assert.ok(Object(anew.body.result).validade_iso > validade)
  assert.equal(await emissoes('emite'), 2)
})

test('what SIGEF said a year ago is asked anew', async (t) => {
  const house = await startRural(t)
  const documento = detentor(({ length }) => length > 1)
  await askSigef(house, documento)
  const asked = await queriesTo(house, SIGEF)
  house.turn(new Date(house.rooms.platform.now().getTime() + YEAR_MS))
  const anew = await askSigef(house, documento)
  assert.deepEqual(
    [anew.body.cached, anew.body.consultado_em, toldBy(anew).creditos],
    [false, house.rooms.platform.now().toISOString(), '1'],
  )
  assert.equal(await queriesTo(house, SIGEF), 2 * asked, 'its list, and every page')
})

test('a session with SIGEF of a year ago is told in /ready, and in the answer of a search', async (t) => {
  const house = await startRural(t)
  await importSession(house, 'sessionid=valor')
  house.turn(new Date(house.rooms.platform.now().getTime() + YEAR_MS))
  const { body } = await house.ask('/ready', { key: null })
  const { sessao, aviso } = Object(body.sigef)
  assert.equal(sessao, 'vencida')
  assert.match(aviso, /importe os cookies/)
  assert.equal(toldBy(await askSigef(house, '11222333000181')).codigo, 'SIGEF_NO_SESSION')
  assert.equal(await queriesTo(house, SIGEF), 0)
})

test('what the connector of CNIR said a year ago is asked anew', async (t) => {
  const { now, pass } = newClock()
  const connector = await openConnector({}, now)
  t.after(() => connector.close())
  const ask = () => connector.house.ask(`${CNIR_PATH}?cpf=${CNIR_CPF}`)
  await ask()
  pass(YEAR_MS)
  connector.give(json(record([property(), property()])))
  const { body } = await ask()
  assert.deepEqual([body.total_imoveis, body.consultado_em], [2, now().toISOString()])
  assert.equal(connector.asked.length, 2)
})

test('what the live register of companies said a year ago is asked anew', async (t) => {
  const { now, pass } = newClock()
  const house = await start({}, now)
  t.after(() => house.close())
  const ask = () => house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}&force_fresh=true`)
  await ask()
  const asked = await queriesTo(house, GATEWAY)
  pass(YEAR_MS)
  const { body, headers } = await ask()
  assert.deepEqual([body.cached, body.consultado_em], [false, now().toISOString()])
  assert.equal(headers.get('x-credits-charged'), '3')
  assert.ok((await queriesTo(house, GATEWAY)) > asked)
})
