import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { solveChallenge } from 'altcha-lib/v1'
import type { Uf } from '../../simulator/documento/uf.ts'
import { portais as bahia } from '../../simulator/estados/ba.ts'
import { portais as gaucho } from '../../simulator/estados/rs.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { reservado } from '../kit/simulator.ts'
import {
  hiddenOf,
  openPortais,
  type PortalReply,
  type Portals,
  type Visitor,
} from '../kit/simulator-portal.ts'

const company = (uf: Uf) => exemplos().umaInscricao.get(uf) ?? ''
const isPdf = ({ body }: PortalReply) => body.toString('latin1').startsWith('%PDF-')

let portals: Portals
before(async () => {
  portals = await openPortais([...bahia, ...gaucho])
})
after(() => portals.close())

const BA = 'portal.sefaz.ba.gov.br'
const CADASTRO = '/scripts/cadastro/cadastroBa/'

async function askBa(fields: Record<string, string>, visitor = portals.visitor()) {
  const page = await visitor.get(BA, `${CADASTRO}consultaBa.asp`)
  const sent = { ...hiddenOf(page.text), ...fields }
  return visitor.post(BA, `${CADASTRO}result.asp`, sent, { charset: 'iso-8859-1' })
}

test('BA answers one registration in Latin letters that it does not declare, by CNPJ and by IE', async () => {
  const reply = await askBa({ CGC: company('BA'), B1: 'CNPJ  ->' })
  assert.equal(reply.headers['content-type'], 'text/html')
  const page = new TextDecoder('windows-1252').decode(reply.body)
  assert.match(page, /Razão Social:<\/td>/)
  assert.match(page, /<font>Regime<\/font> <font>de Apuração de ICMS:<\/font>/)
  const [, ie = ''] = /Inscrição Estadual:<\/td><td[^>]*>(\d{6,7}-\d{2})</.exec(page) ?? []
  assert.match((await askBa({ IE: ie.replace('-', ''), B2: 'IE  ->' })).text, new RegExp(ie))
})

test('BA takes a field of its form with its own value alone', async () => {
  assert.match((await askBa({ CGC: company('BA'), B1: 'CNPJ  ->', estado: 'SP' })).text, /estado/)
})

const DSCRE = 'servicos.sefaz.ba.gov.br'
const EMISSAO = '/sistemas/DSCRE/Modulos/Publico/EmissaoCertidao.aspx'
const RELATORIO = '/sistemas/DSCRE/Relatorios/Relatorio.aspx'

async function certifyBa(document: string, visitor = portals.visitor()) {
  const hidden = hiddenOf((await visitor.get(DSCRE, EMISSAO)).text)
  const sent = { ...hidden, __EVENTTARGET: 'ctl00$PHConteudo$btnImprimir' }
  const fields = { ...sent, ctl00$PHConteudo$TxtNumCNPJ: document }
  const page = await visitor.post(DSCRE, EMISSAO, fields)
  return { fields, page, report: () => visitor.get(DSCRE, RELATORIO) }
}

test('BA keeps the certificate behind the session, debts too, and says in a dialog why there is none', async () => {
  const clean = await certifyBa(company('BA'))
  assert.match(clean.page.text, /window\.open\('\/sistemas\/DSCRE\/Relatorios\/Relatorio\.aspx'/)
  assert.doesNotMatch(clean.page.text, /id="ctl00_/)
  assert.ok(isPdf(await clean.report()))
  for (const name of ['cnd-positiva', 'cnd-efeitos'])
    assert.ok(isPdf(await (await certifyBa(reservado(name))).report()), name)
  const refused = await certifyBa(reservado('cnd-sem-certidao'))
  assert.match(refused.page.text, /alert\('Não foi possível emitir/)
  assert.match((await refused.report()).text, /Nenhum relatório/)
})

const RS = 'www.sefaz.rs.gov.br'
const SITUACAO = '/sat/CertidaoSitFiscalSolic.aspx'

async function certifyRs(fields: Record<string, string>, visitor: Visitor = portals.visitor()) {
  const hidden = hiddenOf((await visitor.get(RS, SITUACAO)).text)
  const { challenge, salt, algorithm, maxnumber, signature } = JSON.parse(
    (await visitor.get(RS, '/sat/AltchaDesafio.ashx')).text,
  )
  const number = (await solveChallenge(challenge, salt, algorithm, maxnumber).promise)?.number
  const proof = JSON.stringify({ algorithm, challenge, number, salt, signature })
  const altcha = Buffer.from(proof).toString('base64')
  return visitor.post(RS, SITUACAO, { ...hidden, altcha, btnEnviar: 'Enviar', ...fields })
}

test('RS takes a proof of work, and prints every outcome but one', async () => {
  for (const name of ['cnd-positiva', 'cnd-efeitos', 'cnd-nao-inscrito'])
    assert.ok(isPdf(await certifyRs({ campoCnpj: reservado(name), campoCpf: '' })), name)
  assert.match((await certifyRs({ campoCnpj: company('RS'), altcha: 'e30=' })).text, /ALTCHA inválida/)
  assert.match((await certifyRs({ campoCnpj: reservado('cnd-sem-certidao') })).text, /Não foi possível/)
  assert.match((await certifyRs({ campoCnpj: company('RS'), campoCpf: '1' })).text, /Informe o CNPJ/)
})
