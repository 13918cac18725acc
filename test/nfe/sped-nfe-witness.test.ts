import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import type { Tools } from 'node-sped-nfe'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { chaveDo } from '../../simulator/nfe/nota.ts'
import { openDocZip, readNfeProc } from '../../src/nfe/source-documento.ts'
import { cutOut, openSpedNfe, openStage, type Stage } from '../kit/witnesses.ts'

let stage: Stage
before(async () => {
  stage = await openStage()
})
after(() => stage.close())

/**
 * The published addresses of the national environment. Version 1.2.52 of the package has none: it throws for
 * `AN`.
 */
const AN = {
  NFeDistribuicaoDFe: 'https://www1.nfe.fazenda.gov.br/NFeDistribuicaoDFe/NFeDistribuicaoDFe.asmx',
  NFeRecepcaoEvento: 'https://www.nfe.fazenda.gov.br/NFeRecepcaoEvento4/NFeRecepcaoEvento4.asmx',
}

/** Puts the national environment into the package's two catalogues of addresses until the test ends. */
async function addAddresses(t: TestContext): Promise<void> {
  for (const model of ['mod55', 'mod65']) {
    const file = new URL(`./utils/webservices/${model}.js`, import.meta.resolve('node-sped-nfe'))
    const { default: catalogue }: { default: { eventos: (uf: string) => unknown } } = await import(file.href)
    t.mock.method(catalogue, 'eventos', () => ({ producao: AN }))
  }
}

/** A second client of the national environment. It is given the addresses. */
async function callWitness(t: TestContext, scenario: string): Promise<Tools> {
  await addAddresses(t)
  const { documento: CNPJ } = comCenario(scenario).titular
  return openSpedNfe(t, stage, { mod: '55', UF: 'SP', tpAmb: 1, CNPJ, certificate: `nfe-${scenario}` })
}

test('a second independent client gets the summary, registers a Ciência and gets the note', async (t) => {
  const tools = await callWitness(t, 'ciencia')
  const chNFe = chaveDo(comCenario('ciencia'), new Date(Date.now() - 3_600_000))
  const { renegociados } = stage.gateway.estatisticas().handshakes

  const before = cutOut(await tools.sefazDistDFe({ chNFe }), 'retDistDFeInt')
  assert.deepEqual(before.text('cStat'), ['138'])
  assert.match(before.xml, /schema="resNFe_v1\.01\.xsd"/)

  const event = cutOut(await tools.sefazEvento({ chNFe, tpEvento: '210210' }), 'retEnvEvento')
  assert.deepEqual(event.text('cStat'), ['128', '135'])
  assert.deepEqual(event.text('chNFe'), [chNFe])
  assert.equal(stage.gateway.estatisticas().handshakes.renegociados, renegociados + 1)

  const whole = cutOut(await tools.sefazDistDFe({ chNFe }), 'retDistDFeInt')
  const [docZip = ''] = whole.text('docZip')
  const opened = openDocZip(docZip)
  assert.ok(opened.ok && readNfeProc(opened.xml, chNFe).ok)
})

test('a second independent client is told why it is refused', async (t) => {
  const chave = (scenario: string): string => chaveDo(comCenario(scenario), new Date(Date.now() - 3_600_000))
  const stranger = await callWitness(t, 'estranho')
  const answer = cutOut(await stranger.sefazDistDFe({ chNFe: chave('estranho') }), 'retDistDFeInt')
  assert.deepEqual(answer.text('cStat'), ['640'])
  const event = await stranger.sefazEvento({ chNFe: chave('estranho'), tpEvento: '210210' })
  assert.deepEqual(cutOut(event, 'retEnvEvento').text('cStat'), ['128', '575'])
})
