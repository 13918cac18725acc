import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listContribuintes } from '../../simulator/mundo/mundo.ts'
import { exemplosRurais, parcelasDe } from '../../simulator/rural/parcelas.ts'
import { type Authorities, openAuthorities } from '../kit/authority.ts'
import { reservado } from '../kit/simulator.ts'

const HOST = 'acervofundiario.incra.gov.br'
let authorities: Authorities
before(async () => {
  authorities = await openAuthorities(() => new Date('2026-11-14T15:00:00Z'))
})
after(() => authorities.close())

const ask = (layer: string, code: string) => {
  const query = new URLSearchParams({
    tema: layer,
    SERVICE: 'WFS',
    VERSION: '1.0.0',
    REQUEST: 'GetFeature',
    TYPENAME: layer,
    [`map_layer_${layer}_filter`]: `(('[parcela_codigo]'='${code}'))`,
  })
  return authorities.ask(HOST, { path: `/i3geo/ogc.php?${query}`, method: 'GET', certificate: null })
}

const all = listContribuintes().flatMap(({ documento }) => parcelasDe(documento))

test('the layer of its state and kind tells when a parcel was approved, in GML 2, and no holder', async () => {
  for (const natureza of ['Particular', 'Público'] as const) {
    const parcel = all.find((one) => one.noAcervo && one.natureza === natureza)
    const uf = parcel?.imovel.lugar.uf.toLowerCase()
    const layer = `certificada_sigef_${natureza === 'Público' ? 'publico' : 'particular'}_${uf}`
    const { text } = await ask(layer, parcel?.codigo ?? '')
    assert.ok(text.includes(`<ms:parcela_codigo>${parcel?.codigo}</ms:parcela_codigo>`), text)
    assert.ok(text.includes(`<ms:data_aprovacao>${parcel?.aprovacao}</ms:data_aprovacao>`))
    for (const { documento, nome } of parcel?.detentores ?? [])
      assert.ok(!text.includes(documento) && !text.includes(nome))
    const other = layer.includes('publico')
      ? layer.replace('publico', 'particular')
      : layer.replace('particular', 'publico')
    assert.doesNotMatch((await ask(other, parcel?.codigo ?? '')).text, /featureMember/)
  }
})

test('some parcels are not there; an unknown layer, or no filter, is an exception with HTTP 200', async () => {
  const absent = all.find((one) => !one.noAcervo && one.natureza === 'Particular')
  const uf = absent?.imovel.lugar.uf.toLowerCase()
  const { status, text } = await ask(`certificada_sigef_particular_${uf}`, absent?.codigo ?? '')
  assert.equal(status, 200)
  assert.match(text, /<wfs:FeatureCollection[\s\S]*<gml:null>/)
  for (const [layer, code] of [
    ['certificada_snci_mt', absent?.codigo ?? ''],
    ['certificada_sigef_particular_mt', 'x'],
  ] as const) {
    const refused = await ask(layer, code)
    assert.equal(refused.status, 200)
    assert.match(refused.text, /<ServiceExceptionReport/)
  }
})

test('the geodata fail by the document behind the code', async () => {
  const [out] = parcelasDe(reservado('wfs-fora'))
  assert.equal((await ask('certificada_sigef_particular_mt', out?.codigo ?? '')).status, 503)
  const [exception] = parcelasDe(reservado('wfs-excecao'))
  assert.match(
    (await ask('certificada_sigef_particular_mt', exception?.codigo ?? '')).text,
    /ServiceException/,
  )
  const [right] = parcelasDe(exemplosRurais().pessoa)
  assert.ok(right)
})
