import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { maskDocumento } from '../../simulator/documento/documento.ts'
import { portais } from '../../simulator/estados/sc.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { reservado } from '../kit/simulator.ts'
import { hiddenOf, openPortais, type Portals, siteKeyOf, type Visitor } from '../kit/simulator-portal.ts'

const SAT = 'sat.sef.sc.gov.br'
const CONSULTA = '/tax.NET/Sat.Cadastro.Web/ComprovanteIE/Consulta.aspx'
const SOLICITACAO = '/tax.NET/Sat.CtaCte.Web/SolicitacaoCnd.aspx'
const CORPO = 'ctl00$ctl00$ctl00$Body$Main$Main$'
const company = exemplos().umaInscricao.get('SC') ?? ''
const producer = exemplos().produtorRural.find(({ uf }) => uf === 'SC')?.documento ?? ''

let portals: Portals
before(async () => {
  portals = await openPortais(portais)
})
after(() => portals.close())

const press = (name: string) => ({ __EVENTTARGET: CORPO + name })
const search = (control: string, type: string, number: string) => ({
  [`${CORPO}sepBusca$${control}$IdentificationTypeField`]: type,
  [`${CORPO}sepBusca$${control}$MaskedField`]: number,
  ...press('sepBusca$btnBuscar'),
})

async function consult(type: string, number: string) {
  const visitor = portals.visitor()
  const fields = {
    ...hiddenOf((await visitor.get(SAT, CONSULTA)).text),
    ...search('idnContribuinte', type, number),
  }
  return visitor.post(SAT, CONSULTA, fields)
}

test('the receipt of registration comes by CNPJ and CPF with their punctuation, one box each', async () => {
  const { text } = await consult('2', maskDocumento(company))
  assert.match(text, /Inscrição Estadual:<\/td><td>\d{3}\.\d{3}\.\d{3}</)
  assert.match((await consult('1', maskDocumento(producer))).text, /CPF:<\/td>/)
  const many = await consult('2', maskDocumento(reservado('muitas')))
  assert.equal(many.text.match(/id="Body_Main_Main_ctnResultado_comprovante\d+"/g)?.length, 40)
  const said = async (type: string, number: string) =>
    /<ul class="sat-vs-error"><li>([^<]*)</.exec((await consult(type, number)).text)?.[1]
  assert.equal(await said('3', '251.040.853'), 'Inscrição Estadual inválida.')
})

test('a search that is posted for its panel is answered in pieces, each with its length', async () => {
  const visitor = portals.visitor()
  const { text } = await visitor.get(SAT, CONSULTA)
  const [, manager = '', panel = ''] = /_initialize\('([^']+)', 'form1', \['t([^']+)'/.exec(text) ?? []
  const fields = {
    ...hiddenOf(text),
    ...search('idnContribuinte', '2', maskDocumento(company)),
    [manager]: `${panel}|${CORPO}sepBusca$btnBuscar`,
    __ASYNCPOST: 'true',
  }
  const reply = await visitor.post(SAT, CONSULTA, fields, { headers: { 'x-microsoftajax': 'Delta=true' } })
  const [all = '', length] = /^(\d+)\|updatePanel\|\w+\|/.exec(reply.text) ?? []
  assert.equal(reply.text.charAt(all.length + Number(length)), '|')
  assert.match(reply.text, /Inscrição Estadual:/)
})

test('a captcha that is not usual is drawn in the box', async () => {
  const { text } = await consult('2', maskDocumento(reservado('captcha-inesperado')))
  assert.notEqual(siteKeyOf(text), '')
})

async function request(document: string, visitor = portals.visitor()) {
  const { text } = await visitor.get(SAT, SOLICITACAO)
  const solved = await portals.token('recaptcha-v2', siteKeyOf(text), `https://${SAT}${SOLICITACAO}`)
  const fields = { ...hiddenOf(text), ...search('idnCnd', '2', maskDocumento(document)) }
  return visitor.post(SAT, SOLICITACAO, { ...fields, 'g-recaptcha-response': solved })
}

async function follow(visitor: Visitor, page: string, target: string) {
  const fields = { ...hiddenOf(page), ...press(target) }
  return visitor.post(SAT, SOLICITACAO, fields)
}

test('a certificate in force is in the grid; others are made at the press of a button', async () => {
  const [kinds, ways] = [new Set<string>(), new Set<string>()]
  for (const document of [
    company,
    exemplos().semInscricao,
    ...['259', '261', '264', '402', 'cnd-efeitos'].map(reservado),
  ]) {
    const visitor = portals.visitor()
    const { text } = await request(document, visitor)
    const [, kind = 'none'] = /<span class="(valido|vencido)">/.exec(text) ?? []
    kinds.add(kind)
    const made = kind === 'valido' ? text : (await follow(visitor, text, 'ctnResultado$btnGerarCnd')).text
    const [, opened] = /window\.open\('([^']+)'/.exec(made) ?? []
    if (opened) {
      ways.add('window')
      const page = await visitor.get(SAT, `/tax.NET/Sat.CtaCte.Web/${opened}`)
      assert.match(page.text, /CERTIDÃO (?:NEGATIVA|POSITIVA COM EFEITOS)/)
    } else if (kind !== 'valido') {
      ways.add('link')
      assert.match(made, /sat-vs-success"><li>[^<]*<\/li><li>[^<]*<\/li><li><a href="javascript:__doPostBack/)
    }
    const pdf = await follow(visitor, made, 'ctnResultado$grpCnd$gridView$ctl02$cmd0')
    assert.equal(pdf.headers['content-type'], 'application/pdf')
  }
  assert.deepEqual([...kinds].sort(), ['none', 'valido', 'vencido'])
  assert.deepEqual([...ways].sort(), ['link', 'window'])
})

test('who has pending items gets a popup, who is refused a sentence', async () => {
  for (const [name, said] of [
    ['cnd-positiva', /id="Body_Main_Main_popPendencias"[\s\S]*Existem pendências/],
    ['cnd-sem-certidao', /sat-vs-error"><li>Não foi possível emitir/],
  ] as const) {
    const visitor = portals.visitor()
    const { text } = await request(reservado(name), visitor)
    assert.doesNotMatch(text, /valido/)
    assert.match((await follow(visitor, text, 'ctnResultado$btnGerarCnd')).text, said)
  }
})
