import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { unidades } from '../../src/documento/uf.ts'
import { autorizadores } from '../../src/sefaz/rules.ts'
import { askAtivacao } from '../../src/sefaz/source.ts'
import { enderecos } from '../../src/sefaz/source-enderecos.ts'
import { EM, envelope, NFE, retConsStatServ, useStatus } from '../kit/sefaz-rounds.ts'
import { cutOut, openSchema } from '../kit/witnesses.ts'

const { answers, asked, meios, probe } = useStatus()
const schema = openSchema('consStatServ_v4.00.xsd')
after(() => schema.dispose())

test('each authorizer is asked at its own address, with our certificate and the cUF of a state it serves', async () => {
  answers(envelope(retConsStatServ('107', { tpAmb: '' })))
  for (const ambiente of ['producao', 'homologacao'] as const) {
    for (const { id, doc, ufs } of autorizadores) {
      asked.length = 0
      await probe(id, { ambiente })
      const [sent, ...more] = asked
      assert.ok(sent && more.length === 0, id)
      assert.equal(sent.host + sent.path, enderecos[id]?.[ambiente])
      assert.match(sent.document, /^\d{14}$/)
      const name = doc === 'cte' ? 'consStatServCTe' : 'consStatServ'
      const { xml, text } = cutOut(sent.body, name)
      const tpAmb = ambiente === 'producao' ? '1' : '2'
      assert.deepEqual(
        [text('tpAmb'), text('cUF'), text('xServ')],
        [[tpAmb], ufs[0] && [unidades[ufs[0]].codigo], ['STATUS']],
      )
      if (doc !== 'cte') assert.equal(schema.problem(xml), undefined, id)
    }
  }
})

test('the envelope is SOAP 1.2, with its action and with nothing between the tags', async () => {
  answers(envelope(retConsStatServ('107')))
  asked.length = 0
  await probe('nfe-sp')
  await probe('cte-mt')
  const [nfe, cte] = asked
  const wsdl = `${NFE}/wsdl/NFeStatusServico4`
  assert.equal(nfe?.type, `application/soap+xml; charset=utf-8; action="${wsdl}/nfeStatusServicoNF"`)
  assert.ok(
    nfe?.body.includes(
      `Body><nfeDadosMsg xmlns="${wsdl}"><consStatServ xmlns="${NFE}" versao="4.00"><tpAmb>1</tpAmb><cUF>35</cUF><xServ>STATUS</xServ></consStatServ></nfeDadosMsg></`,
    ),
  )
  const own = 'http://www.portalfiscal.inf.br/cte'
  assert.equal(
    cte?.type,
    `application/soap+xml; charset=utf-8; action="${own}/wsdl/CTeStatusServicoV4/cteStatusServicoCT"`,
  )
  assert.ok(
    cte?.body.includes(
      `Body><cteDadosMsg xmlns="${own}/wsdl/CTeStatusServicoV4"><consStatServCTe xmlns="${own}" versao="4.00"><tpAmb>1</tpAmb><cUF>51</cUF><xServ>STATUS</xServ></consStatServCTe></cteDadosMsg></`,
    ),
  )
})

test('the SVC of a state is asked by the cUF of that state: 107 is activated, 113 ending, 114 deactivated', async () => {
  for (const [doc, uf, host] of [
    ['nfe', 'SP', 'www.sefazvirtual.fazenda.gov.br'],
    ['nfe', 'PR', 'nfe.svrs.rs.gov.br'],
    ['cte', 'SC', 'nfe.fazenda.sp.gov.br'],
    ['cte', 'SP', 'cte.svrs.rs.gov.br'],
  ] as const) {
    for (const [cStat, estado] of [
      ['107', 'ativada'],
      ['113', 'encerrando'],
      ['114', 'desativada'],
    ] as const) {
      asked.length = 0
      const { codigo } = unidades[uf]
      answers(
        envelope(
          retConsStatServ(cStat, { cUF: codigo }).replaceAll(
            'retConsStatServ',
            doc === 'cte' ? 'retConsStatServCTe' : 'retConsStatServ',
          ),
        ),
      )
      assert.deepEqual(await askAtivacao(doc, uf, EM, meios()), { estado, em: EM })
      assert.equal(asked[0]?.host, host)
      assert.ok(asked[0]?.body.includes(`<cUF>${codigo}</cUF>`))
    }
  }
})

test('an SVC that says nothing of the state has told nothing', async () => {
  answers(envelope(retConsStatServ('410')))
  await assert.rejects(askAtivacao('nfe', 'SP', EM, meios()), {
    name: 'SourceError',
    codigo: 'cStat 410',
    message: 'SVC-AN respondeu "Outro motivo" (cStat 410).',
  })
  answers(envelope(retConsStatServ('107', { cUF: '31' })))
  await assert.rejects(askAtivacao('nfe', 'SP', EM, meios()), { name: 'SourceError', kind: 'parse' })
})

test('each authorizer has an address of its own in each environment; Goiás alone has one for two documents', () => {
  const { 'nfce-go': nfceGo, ...others } = enderecos
  assert.deepEqual(nfceGo, enderecos['nfe-go'])
  const all = Object.values(others).flatMap((one) => [one.producao, one.homologacao])
  assert.equal(new Set(all).size, 2 * 26)
})
