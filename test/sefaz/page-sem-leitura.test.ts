import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { load } from 'cheerio'
import { autorizadores } from '../../src/sefaz/rules.ts'
import { NOW } from '../kit/basics.ts'
import { type House, start } from '../kit/house.ts'
import { boa, EVERY_MS, feita } from '../kit/sefaz.ts'

const open = { key: null } as const

let house: House
let clock = NOW.getTime()
before(async () => {
  house = await start({}, () => new Date(clock))
})
after(() => house.close())

const avisoOf = async (): Promise<string> => load((await house.ask('/sefaz/', open)).text)('#aviso').text()
const statusOf = async () => (await house.ask('/sefaz/api/v2/summary.json', open)).body.status

test('where only the public pages are read, nothing calls the NFC-e well, of which they know nothing', async () => {
  const leituras = autorizadores
    .filter(({ doc }) => doc !== 'nfce')
    .map(({ id }) => boa(id, clock, { resultado: 'disponivel', respostaMs: null, cStat: null }))
  await house.rooms.sefaz.monitor.keep(feita(clock, { rodada: { fonte: 'paginas' }, leituras }))
  assert.match(await avisoOf(), /^Tudo no ar onde há leitura/)
  assert.deepEqual(await statusOf(), { indicator: 'minor', description: 'Há autorizadores sem leitura' })
  const $ = load((await house.ask('/sefaz/sp/', open)).text)
  assert.match($('[aria-labelledby="doc-nfce"] .conselho').text(), /^Não há leitura de agora/)
  assert.equal($('[aria-labelledby="doc-nfe"] .conselho').text(), 'Emita normalmente.')
})

test('where no authorizer has a reading, nothing is said to be well', async () => {
  clock += 4 * EVERY_MS
  await house.rooms.sefaz.monitor.keep(feita(clock, { rodada: { fonte: 'paginas' }, leituras: [] }))
  assert.match(await avisoOf(), /^Nenhum estado tem leitura agora/)
  assert.deepEqual(await statusOf(), { indicator: 'minor', description: 'Sem leitura agora' })
})

test('of the slow states the documents that are slow are said', async () => {
  clock += 4 * EVERY_MS
  const lentas = ['nfe-go', 'nfce-go', 'nfce-mg']
  const leituras = autorizadores.map(({ id }) =>
    boa(id, clock, { respostaMs: lentas.includes(id) ? 3_000 : 300 }),
  )
  await house.rooms.sefaz.monitor.keep(feita(clock, { leituras }))
  assert.match(
    await avisoOf(),
    /em aberto; Goiás \(NF-e e NFC-e\) e Minas Gerais \(NFC-e\) demoram a responder\.$/,
  )
})
