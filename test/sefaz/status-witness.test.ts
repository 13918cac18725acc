import assert from 'node:assert/strict'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { createClientAsync } from 'soap'
import { autorizadores } from '../../simulator/sefaz/autorizadores.ts'
import { servicos } from '../../simulator/sefaz/servicos.ts'
import { cutOut, openSchema, openSpedNfe, openStage, type Stage } from '../kit/witnesses.ts'

let stage: Stage
before(async () => {
  stage = await openStage()
})
after(() => stage.close())

/** The status of a state's authorizer as the client read it, and the host that it asked for it. */
async function askStatus(t: TestContext, mod: '55' | '65', UF: string, tpAmb: 1 | 2 = 1) {
  const before = stage.gateway.estatisticas().pedidos
  const CNPJ = '11222333000181'
  const isChecked = tpAmb === 2
  const tools = await openSpedNfe(t, stage, { mod, UF, tpAmb, CNPJ, certificate: 'empresa', isChecked })
  const { xml, text } = cutOut(await tools.sefazStatus(), 'retConsStatServ')
  const { pedidos } = stage.gateway.estatisticas()
  const host = Object.keys(pedidos).find((name) => pedidos[name] !== before[name])
  return { xml, host, said: [text('cStat'), text('tpAmb'), text('xMotivo')].flat() }
}

/** The host of an authorizer in production, or in homologation. */
const hostOf = (id: string, where: 'producao' | 'homologacao' = 'producao'): string | undefined =>
  servicos.find(({ ids }) => ids.includes(id))?.[where].split('/')[0]

test('an independent client reads 107 of every authorizer of the NF-e and the NFC-e, at the addresses that it knows', async (t) => {
  const schema = openSchema('retConsStatServ_v4.00.xsd')
  t.after(() => schema.dispose())
  for (const { id, doc, ufs } of autorizadores) {
    if (doc === 'cte') continue
    const { xml, host, said } = await askStatus(t, doc === 'nfe' ? '55' : '65', ufs[0] ?? '')
    assert.deepEqual([id, host, said[0], said[1]], [id, hostOf(id), '107', '1'])
    assert.equal(schema.problem(xml), undefined, id)
  }
})

test('an independent client reads 107 in homologation, from the host of homologation', async (t) => {
  const { host, said } = await askStatus(t, '55', 'SP', 2)
  assert.deepEqual([host, said[0], said[1]], [hostOf('nfe-sp', 'homologacao'), '107', '2'])
})

test('a client made of the WSDL reads 107 of every authorizer of the CT-e', async (t) => {
  const a1 = await stage.icp.certificado('empresa')
  assert.ok(a1)
  const { ca } = stage.icp
  const httpsAgent = new Agent({
    host: '127.0.0.1',
    port: stage.gateway.porta,
    ca,
    pfx: a1.pfx,
    passphrase: a1.item.senha,
  })
  t.after(() => httpsAgent.destroy())
  const client = await createClientAsync(join(import.meta.dirname, 'ctestatusservicov4.wsdl'), {
    forceSoap12Headers: true,
  })
  client.setSecurity({
    addOptions: (options) => Object.assign(options, { httpsAgent, proxy: false }),
    toXML: () => '',
  })
  const asked = {
    'cte-mg': '31',
    'cte-ms': '50',
    'cte-mt': '51',
    'cte-pr': '41',
    'cte-svrs': '43',
    'cte-svsp': '35',
  }
  for (const [id, cUF] of Object.entries(asked)) {
    client.setEndpoint(`https://${servicos.find(({ ids }) => ids.includes(id))?.producao}`)
    const attributes = { xmlns: 'http://www.portalfiscal.inf.br/cte', versao: '4.00' }
    const message = { consStatServCTe: { attributes, tpAmb: '1', cUF, xServ: 'STATUS' } }
    const [answer, envelope]: unknown[] = await client.cteStatusServicoCTAsync(message)
    const { text } = cutOut(String(envelope), 'retConsStatServCTe')
    assert.deepEqual([id, text('cStat'), text('cUF')], [id, ['107'], [cUF]])
    // The client reads the wrapper of the WSDL alone. Three servers have the other one.
    const isPlain = ['cte-mg', 'cte-ms', 'cte-mt'].includes(id)
    assert.equal(Object(answer).retConsStatServCTe?.cStat, isPlain ? undefined : '107')
  }
})
