import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ufs } from '../../src/documento/uf.ts'
import { measureIncidente } from '../../src/sefaz/lookup.ts'
import type { Incidente } from '../../src/sefaz/rules-rodada.ts'
import { NOW } from '../kit/basics.ts'
import { type House, start, testFaults, testWhoAsksFirst } from '../kit/house.ts'
import { boa, EVERY_MS, feita, muda } from '../kit/sefaz.ts'

const PATH = '/api/v1/sefaz/historico'
const DAY_MS = 86_400_000
/** 2026-11-13T02:58Z is 23:58 of the 12th in Brasília, and the next round is of the 13th. */
const EVE = Date.parse('2026-11-13T02:58:00Z')

const ofRs: Incidente = {
  id: 'i-rs',
  casa: 'RS',
  inicio: EVE,
  fim: EVE + 3 * EVERY_MS,
  quedas: [
    {
      autorizador: 'cte-svrs',
      inicio: EVE + 1,
      fim: EVE + EVERY_MS,
      cStat: 108,
      motivo: 'Serviço paralisado',
    },
    { autorizador: 'nfe-svrs', inicio: EVE, fim: EVE + 3 * EVERY_MS, cStat: null, motivo: 'não respondeu' },
  ],
}
const ofSp: Incidente = {
  id: 'i-sp',
  casa: 'SP',
  inicio: NOW.getTime() - 60_000,
  fim: null,
  quedas: [
    { autorizador: 'nfe-sp', inicio: NOW.getTime() - 60_000, fim: null, cStat: 109, motivo: 'sem previsão' },
  ],
}

let house: House
before(async () => {
  house = await start()
  const { monitor } = house.rooms.sefaz
  const times = [300, 100, 200, 400]
  for (const [i, respostaMs] of times.entries()) {
    const em = EVE + i * EVERY_MS
    const leituras = [boa('nfe-sp', em, { respostaMs, desmentida: i === 0 }), muda('nfe-svrs', em)]
    await monitor.keep(feita(em, { leituras, incidentes: i === 3 ? [ofRs] : [] }))
  }
  const em = NOW.getTime() - 60_000
  await monitor.keep(feita(em, { leituras: [muda('nfe-sp', em)], rodada: { semRede: true } }))
  const last = NOW.getTime() - 30_000
  const erro = boa('nfe-sp', last, { resultado: 'erro', cStat: 109, respostaMs: 50 })
  await monitor.keep(feita(last, { leituras: [erro], incidentes: [ofSp] }))
})
after(() => house.close())

const historico = async (query: string) => (await house.ask(`${PATH}?${query}`)).body

test('availability, percentiles and failures by class, for the period and each of its days', async () => {
  const body = await historico('doc=nfe&uf=sp&de=2026-11-12&ate=2026-11-14')
  const { request_id, incidentes, ...rest } = body
  const semLeituras = { leituras: 0, disponibilidade: null, p50_ms: null, p95_ms: null }
  assert.deepEqual(rest, {
    doc: 'nfe',
    uf: 'SP',
    de: '2026-11-12',
    ate: '2026-11-14',
    estados: [
      {
        uf: 'SP',
        autorizador: 'SEFAZ SP',
        leituras: 5,
        disponibilidade: 80,
        p50_ms: 200,
        p95_ms: 400,
        falhas: { erro: 1, timeout: 0 },
        palavra: { conferidas: 4, desmentidas: 1, desmentida: 25 },
      },
    ],
    dias: [
      {
        dia: '2026-11-12',
        leituras: 1,
        disponibilidade: 100,
        p50_ms: 300,
        p95_ms: 300,
        falhas: { erro: 0, timeout: 0 },
      },
      {
        dia: '2026-11-13',
        leituras: 3,
        disponibilidade: 100,
        p50_ms: 200,
        p95_ms: 400,
        falhas: { erro: 0, timeout: 0 },
      },
      { ...semLeituras, dia: '2026-11-14', leituras: 1, disponibilidade: 0, falhas: { erro: 1, timeout: 0 } },
    ],
  })
})

test('an incident is one cause: what fell, where, for how long and with which code', async () => {
  const { incidentes } = await historico('doc=cte&uf=SC')
  assert.deepEqual(incidentes, [
    {
      id: 'i-rs',
      casa: 'SEFAZ RS',
      inicio: '2026-11-13T02:58:00.000Z',
      fim: '2026-11-13T03:04:00.000Z',
      duracao_s: 360,
      autorizadores: ['SVRS'],
      documentos: ['nfe', 'cte'],
      estados: 'AC AL AM AP BA CE DF ES GO MA PA PB PI RJ RN RO RR RS SC SE TO'.split(' '),
      codigo: null,
      motivo: 'não respondeu',
      quedas: [
        {
          autorizador: 'SVRS',
          doc: 'nfe',
          estados: 'AC AL AP CE DF ES PA PB PI RJ RN RO RR SC SE TO'.split(' '),
          inicio: '2026-11-13T02:58:00.000Z',
          fim: '2026-11-13T03:04:00.000Z',
          codigo: null,
          motivo: 'não respondeu',
        },
        {
          autorizador: 'SVRS',
          doc: 'cte',
          estados: 'AC AL AM BA CE DF ES GO MA PA PB PI RJ RN RO RS SC SE TO'.split(' '),
          inicio: '2026-11-13T02:58:00.001Z',
          fim: '2026-11-13T03:00:00.000Z',
          codigo: 108,
          motivo: 'Serviço paralisado',
        },
      ],
    },
  ])
})

test('SVAN is run by SERPRO, and an incident of a clock that was set back has not lasted yet', () => {
  const inicio = NOW.getTime()
  const queda = { autorizador: 'nfe-svan', inicio, fim: null, cStat: null, motivo: '' }
  const { casa, duracaoS } = measureIncidente(
    { id: '1', casa: 'SERPRO', inicio, fim: null, quedas: [queda] },
    inicio - 60_000,
  )
  assert.deepEqual([casa, duracaoS], ['SERPRO', 0])
})

test('an incident that lasts has no end, and one of another state or time is not told', async () => {
  const idsOf = async (query: string) => {
    const { incidentes } = await historico(query)
    return Object.values(Object(incidentes)).map((one) => Object(one).id)
  }
  assert.deepEqual(await idsOf('doc=nfe'), ['i-sp', 'i-rs'])
  assert.deepEqual(await idsOf('uf=SP'), ['i-sp'])
  assert.deepEqual(await idsOf('uf=SP&doc=nfce'), [])
  assert.deepEqual(await idsOf('de=2026-11-12&ate=2026-11-12'), ['i-rs'])
  assert.deepEqual(await idsOf('de=2026-11-01&ate=2026-11-11'), [])
  const [open] = Object(await historico('uf=SP')).incidentes
  assert.equal(open.fim, null)
  assert.equal(open.duracao_s, 60)
})

test('the days of a board are counted once; a new round is told at once, and an incident goes on', async (t) => {
  let agora = NOW.getTime()
  const own = await start({}, () => new Date(agora))
  t.after(() => own.close())
  const { monitor, db } = own.rooms.sefaz
  const ask = async () => {
    const { estados, incidentes } = (await own.ask(`${PATH}?uf=SP&de=2026-11-14&ate=2026-11-14`)).body
    return [estados, incidentes].map((list) => Object(Array.isArray(list) ? list[0] : undefined))
  }
  const keep = (em: number) => monitor.keep(feita(em, { leituras: [boa('nfe-sp', em)], incidentes: [ofSp] }))
  await keep(agora - 30_000)
  const [estado, incidente] = await ask()
  assert.deepEqual([estado.leituras, incidente.duracao_s], [1, 60])
  await db.kysely.deleteFrom('leituras_sefaz').execute()
  agora += 10_000
  const [mesmo, maisLongo] = await ask()
  assert.deepEqual(mesmo, estado)
  assert.deepEqual(maisLongo, { ...incidente, duracao_s: 70 })
  await keep(agora - 2_000)
  await keep(agora - 1_000)
  assert.equal((await ask())[0]?.leituras, 2)
  await db.kysely.deleteFrom('leituras_sefaz').execute()
  agora += 3_600_000
  assert.equal((await ask())[0]?.leituras, 0, 'the board is too old to say what is new')
})

test('without a state all 27 are told in alphabetical order, without their days', async () => {
  const { estados, dias, uf, doc } = Object(await historico(''))
  assert.deepEqual([doc, uf, dias], ['nfe', null, []])
  assert.deepEqual(
    estados.map((estado: { uf: string }) => estado.uf),
    ufs,
  )
  const svrs = estados.filter(({ autorizador }: { autorizador: string }) => autorizador === 'SVRS')
  assert.equal(svrs.length, 16)
  for (const { leituras, disponibilidade, falhas } of svrs)
    assert.deepEqual([leituras, disponibilidade, falhas], [4, 0, { erro: 0, timeout: 4 }])
})

test('without days the last 90 are told, and with one of them 90 at most from or to it', async () => {
  const daysOf = async (query: string) => {
    const { de, ate, dias } = Object(await historico(`uf=SP&${query}`))
    return [de, ate, dias.length]
  }
  assert.deepEqual(await daysOf(''), ['2026-08-17', '2026-11-14', 90])
  assert.deepEqual(await daysOf('ate=2026-10-31'), ['2026-08-03', '2026-10-31', 90])
  assert.deepEqual(await daysOf('de=2026-11-10'), ['2026-11-10', '2026-11-14', 5])
  assert.deepEqual(await daysOf('de=2026-01-01'), ['2026-01-01', '2026-03-31', 90])
})

test('the day is Brasília’s, also between midnight there and in UTC', async (t) => {
  const night = await start({}, () => new Date(NOW.getTime() + DAY_MS / 2 - 60_000))
  t.after(() => night.close())
  assert.equal((await night.ask(PATH)).body.ate, '2026-11-14')
  assert.equal((await night.ask(`${PATH}?ate=2026-11-15`)).status, 400)
})

test('the history is free, and needs a key', async () => {
  const { status, headers } = await house.ask(PATH)
  assert.equal(status, 200)
  assert.equal(headers.get('x-credits-charged'), '0')
  assert.equal((await house.ask(PATH, { key: null })).status, 401)
})

testFaults(() => house, PATH, [
  ['a document that is not watched', 'doc=mdfe', 'PARAMETRO_INVALIDO', /doc: envie nfe, nfce ou cte/],
  ['a day that does not exist', 'de=2026-02-30', 'PARAMETRO_INVALIDO', /de: envie um dia que exista/],
  ['a day in another form', 'ate=14/11/2026', 'PARAMETRO_INVALIDO', /ate: envie um dia que exista/],
  [
    'a period that runs backwards',
    'de=2026-11-02&ate=2026-11-01',
    'PARAMETRO_INVALIDO',
    /de: não pode ser depois de ate/,
  ],
  [
    'a day of the future',
    'ate=2026-11-15',
    'PARAMETRO_INVALIDO',
    /ate: não pode ser depois de hoje, 2026-11-14/,
  ],
  ['a beginning in the future', 'de=2026-11-15', 'PARAMETRO_INVALIDO', /de: não pode ser depois de hoje/],
  [
    'a day so late that all 90 days to it are still to come',
    'ate=9999-12-31',
    'PARAMETRO_INVALIDO',
    /ate: não pode ser depois de hoje/,
  ],
  ['more than 90 days', 'de=2026-08-01&ate=2026-10-30', 'PARAMETRO_INVALIDO', /91 dias; peça no máximo 90/],
  ['a state that there is not', 'uf=XX', 'UF_NAO_SUPORTADA', /27 UFs/],
])
testWhoAsksFirst(() => house, PATH)
