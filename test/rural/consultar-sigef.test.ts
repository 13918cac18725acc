import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parcelasDe } from '../../simulator/rural/parcelas.ts'
import { openGuardadas } from '../../src/rural/lookup-sigef.ts'
import { NOW, rowsOf, testOnce } from '../kit/basics.ts'
import { loseTable, queriesTo } from '../kit/house.ts'
import { askSigef, detentor, parcelasIn, startRural, toldBy } from '../kit/rural.ts'
import { reservado } from '../kit/simulator.ts'

const SUCESSO = { http: 200, codigo: '', retryable: false, repetir: null, creditos: '1' }
const HOST = 'sigef.incra.gov.br'
const ACERVO = 'acervofundiario.incra.gov.br'

testOnce('a holder has his parcels, with every field of the specification, for one credit', async (t) => {
  const house = await startRural(t)
  const documento = detentor(([first, ...more]) => more.length === 0 && first?.noAcervo === true)
  const [sim] = parcelasDe(documento)
  const answer = await askSigef(house, documento)
  assert.deepEqual(toldBy(answer), SUCESSO)
  assert.deepEqual(Object.keys(answer.body), [
    'request_id',
    'document',
    'document_type',
    'cached',
    'source_status',
    'result',
    'fonte',
    'consultado_em',
    'avisos',
  ])
  assert.equal(answer.body.document, documento)
  assert.equal(answer.body.cached, false)
  assert.equal(answer.body.fonte, 'BR/sigef')
  assert.equal(answer.body.consultado_em, house.rooms.platform.now().toISOString())
  assert.doesNotMatch(String(answer.body.avisos), /data de certificação/)
  assert.deepEqual(answer.body.result, {
    total_parcelas: 1,
    area_total_ha: Number(sim?.area) / 10_000,
    parcelas: [
      {
        codigo_parcela: sim?.codigo,
        denominacao: sim?.imovel.denominacao,
        area_ha: Number(sim?.area) / 10_000,
        municipio: sim?.municipios[0]?.nome,
        uf: sim?.municipios[0]?.uf,
        detentor: sim?.detentores.map(({ nome }) => nome).join('; '),
        matricula: sim?.matricula,
        status: 'CERTIFICADA',
        data_certificacao: sim?.aprovacao.slice(0, 10),
        natureza: sim?.natureza.toUpperCase(),
      },
    ],
  })
})

testOnce('several holders are joined, and of several municipalities the first is told', async (t) => {
  const house = await startRural(t)
  const muitos = detentor(([first]) => first?.detentores.length === 2)
  const [parcela] = parcelasIn(await askSigef(house, muitos))
  assert.equal(
    parcela?.detentor,
    parcelasDe(muitos)[0]
      ?.detentores.map(({ nome }) => nome)
      .join('; '),
  )
  const dois = detentor(([first]) => first?.municipios.length === 2)
  const [outra] = parcelasIn(await askSigef(house, dois))
  assert.equal(outra?.municipio, parcelasDe(dois)[0]?.municipios[0]?.nome)
})

for (const nome of rowsOf(['sigef-25-nova', 'sigef-25']))
  test(`25 parcels on three pages are all found, but for those of the history, and summed exactly: ${nome}`, async (t) => {
    const house = await startRural(t)
    const documento = reservado(nome)
    const valem = parcelasDe(documento).filter(({ historica }) => !historica)
    assert.ok(valem.length > 10 && valem.length < 25)
    const answer = await askSigef(house, documento)
    assert.deepEqual(toldBy(answer), SUCESSO)
    assert.deepEqual(
      parcelasIn(answer).map(({ codigo_parcela }) => codigo_parcela),
      valem.map(({ codigo }) => codigo),
    )
    const { total_parcelas, area_total_ha } = Object(answer.body.result)
    assert.equal(total_parcelas, valem.length)
    assert.equal(area_total_ha, valem.reduce((sum, { area }) => sum + area, 0) / 10_000)
    assert.equal(await queriesTo(house, HOST), 3 + valem.length, 'three pages, and each parcel once')
  })

testOnce('a holder without parcels, or with old ones alone, is an answer, and costs a credit', async (t) => {
  const house = await startRural(t)
  for (const documento of ['11222333000181', reservado('sigef-historico')]) {
    const answer = await askSigef(house, documento)
    assert.deepEqual(toldBy(answer), SUCESSO)
    assert.deepEqual(answer.body.result, { total_parcelas: 0, area_total_ha: 0, parcelas: [] })
  }
})

const REPETE = { http: 200, retryable: true, repetir: '60', creditos: '0' }
const NUNCA = { http: 200, retryable: false, repetir: null, creditos: '0' }

/** The documents that bring each failure about; `npm test` asks about the first of each line. */
const falhas = [
  ['SIGEF_HTTP_ERROR', REPETE, ['sessao-velha', 'waf', 'sigef-barrado', 'sigef-sessao-cai', 'sigef-401']],
  ['SIGEF_HTTP_ERROR', REPETE, ['sigef-500', 'html-403', 'html-404']],
  ['SIGEF_NETWORK_ERROR', REPETE, ['reset', 'corta-antes']],
  ['SIGEF_PARSE_FAILED', NUNCA, ['outro-documento', 'layout', 'vazio', 'sigef-conta-errada']],
  ['SIGEF_PARSE_FAILED', NUNCA, ['sigef-detalhe-mudado', 'sigef-detalhe-404']],
] as const

for (const [nome, codigo, told] of falhas.flatMap(([codigo, told, nomes]) =>
  rowsOf<string>(nomes).map((nome) => [nome, codigo, told] as const),
))
  test(`${codigo} is told with HTTP 200, without a result, and charges nothing: ${nome}`, async (t) => {
    const house = await startRural(t)
    const answer = await askSigef(house, reservado(nome))
    assert.deepEqual(toldBy(answer), { ...told, codigo })
    assert.deepEqual([answer.body.result, answer.body.fonte, answer.body.cached], [null, '', false])
    assert.deepEqual(await house.rooms.platform.cache.sweep(), 0)
  })

testOnce('SIGEF_DISABLED: a service that has it switched off answers no kept parcels either', async (t) => {
  const house = await startRural(t, { SIGEF: 'desligado' })
  const { sealed, now } = house.rooms.platform
  const achadas = { parcelas: [], consultado_em: now().toISOString(), avisos: [] }
  await openGuardadas(sealed, now).keep({ tipo: 'cnpj', documento: '11222333000181' }, achadas)
  const answer = await askSigef(house, '11222333000181')
  assert.deepEqual(toldBy(answer), { ...NUNCA, codigo: 'SIGEF_DISABLED' })
  assert.equal(await queriesTo(house, HOST), 0)
})

for (const nome of rowsOf(['wfs-fora', 'wfs-excecao']))
  test(`without the open map the day of certification is empty, and a notice says so: ${nome}`, async (t) => {
    const house = await startRural(t)
    const answer = await askSigef(house, reservado(nome))
    assert.deepEqual(toldBy(answer), SUCESSO)
    assert.ok(parcelasIn(answer).length > 0)
    assert.deepEqual(
      new Set(parcelasIn(answer).map(({ data_certificacao }) => data_certificacao)),
      new Set(['']),
    )
    assert.match(String(answer.body.avisos), /não informou desta vez a data de certificação/)
    // A failure is not kept as an answer is: in an hour the open map is asked again, and no parcel.
    const [sigef, acervo] = [await queriesTo(house, HOST), await queriesTo(house, ACERVO)]
    house.turn(new Date(NOW.getTime() + 3_599_000))
    assert.equal((await askSigef(house, reservado(nome))).body.cached, true)
    house.turn(new Date(NOW.getTime() + 3_600_001))
    assert.equal((await askSigef(house, reservado(nome))).body.cached, false)
    assert.equal(await queriesTo(house, HOST), sigef + 1, 'the list alone')
    assert.ok((await queriesTo(house, ACERVO)) > acervo)
  })

testOnce('with SIGEF_WFS=false the open map is not asked', async (t) => {
  const house = await startRural(t, { SIGEF_WFS: 'false' })
  const answer = await askSigef(house, reservado('wfs-fora'))
  assert.doesNotMatch(String(answer.body.avisos), /data de certificação/)
  assert.equal(await queriesTo(house, ACERVO), 0)
})

testOnce('an answer is kept for 168 hours, at the same price, and so is each parcel', async (t) => {
  const house = await startRural(t)
  const began = house.rooms.platform.now().getTime()
  const documento = detentor(({ length }) => length > 1)
  const count = parcelasDe(documento).length
  await askSigef(house, documento)
  const asked = await queriesTo(house, HOST)
  assert.equal(asked, 1 + count)
  house.turn(new Date(began + 167 * 3_600_000))
  const kept = await askSigef(house, documento)
  assert.deepEqual([kept.body.cached, toldBy(kept)], [true, SUCESSO])
  assert.equal(kept.headers.get('age'), String(167 * 3600))
  assert.equal(await queriesTo(house, HOST), asked)
  house.turn(new Date(began + 168 * 3_600_000 + 1))
  assert.equal((await askSigef(house, documento)).body.cached, false)
  assert.equal(await queriesTo(house, HOST), asked * 2)
})

testOnce(
  'a client who takes no old page is served with those that another search read within that time',
  async (t) => {
    const house = await startRural(t)
    const valem = (of: string) => parcelasDe(of).filter(({ historica }) => !historica)
    const um = detentor((parcelas) => parcelas.some(({ detentores }) => detentores.length === 2))
    const outro =
      parcelasDe(um)
        .flatMap(({ detentores }) => detentores)
        .find(({ documento }) => documento !== um)?.documento ?? ''
    await askSigef(house, um)
    house.turn(new Date(house.rooms.platform.now().getTime() + 600_000))
    assert.deepEqual(
      toldBy(await askSigef(house, outro, { headers: { 'cache-control': 'max-age=900' } })),
      SUCESSO,
    )
    const shared = valem(outro).filter(({ codigo }) => valem(um).some((one) => one.codigo === codigo))
    assert.ok(shared.length > 0)
    assert.equal(await queriesTo(house, HOST), 1 + valem(um).length + 1 + valem(outro).length - shared.length)
  },
)

testOnce('a client may have SIGEF asked anew, every page of it', async (t) => {
  const house = await startRural(t)
  const documento = detentor(({ length }) => length > 1)
  await askSigef(house, documento)
  const asked = await queriesTo(house, HOST)
  // Age counts whole seconds.
  house.turn(new Date(house.rooms.platform.now().getTime() + 3_600_999))
  const young = await askSigef(house, documento, { headers: { 'cache-control': 'max-age=3600' } })
  assert.equal(young.body.cached, true)
  const anew = await askSigef(house, documento, { headers: { 'cache-control': 'no-cache' } })
  assert.deepEqual(
    [anew.body.cached, anew.body.consultado_em],
    [false, house.rooms.platform.now().toISOString()],
  )
  assert.equal(await queriesTo(house, HOST), asked * 2)
})

testOnce('a failure of our own is ERRO_INTERNO and not one of SIGEF, and charges nothing', async (t) => {
  const house = await startRural(t)
  await loseTable(house, 'trabalhos')
  const { status, body, headers } = await askSigef(house, '11222333000181')
  assert.deepEqual([status, body.error_code], [500, 'ERRO_INTERNO'])
  assert.equal(headers.get('x-credits-charged'), '0')
})
