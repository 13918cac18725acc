import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { estado as ba } from '../../src/estados/ba.ts'
import { estado as rs } from '../../src/estados/rs.ts'
import { estado as sc } from '../../src/estados/sc.ts'
import { estado as sp } from '../../src/estados/sp.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import type { RotaCnd } from '../../src/portal/estado.ts'
import { type Given, openPortal, type PortalAuthority } from '../kit/authority.ts'
import { pdfOf } from '../kit/papers.ts'

let authority: PortalAuthority
let negativa: Buffer
let deSp: Buffer
/** The paper as BA and RS print it. */
let papel: Buffer
before(async () => {
  authority = await openPortal(
    'www10.fazenda.sp.gov.br',
    'sat.sef.sc.gov.br',
    'servicos.sefaz.ba.gov.br',
    'www.sefaz.rs.gov.br',
  )
  negativa = await pdfOf([
    ['CERTIDÃO NEGATIVA DE DÉBITOS', 'CNPJ 11.222.333/0001-81', 'Emissão: 20/11/2026', 'Certidão Nº: 123456'],
  ])
  deSp = await pdfOf([
    [
      'Débitos Tributários Não Inscritos na Dívida Ativa do Estado de São Paulo',
      'CNPJ 11.222.333/0001-81',
      'não constam débitos declarados ou apurados pendentes de inscrição na Dívida Ativa de responsabilidade do estabelecimento',
    ],
  ])
  papel = await pdfOf([
    [
      'Certidão Negativa de Débitos Tributários',
      'Certidão de Situação Fiscal nº 123456',
      'CNPJ 11.222.333/0001-81',
      'Emissão: 20/11/2026',
      'Válida até: 19/01/2027',
    ],
  ])
})
after(() => authority.close())

const cnpj = { tipo: 'cnpj', documento: '11222333000181', inscricoes: undefined } as const
const emitir = (rota: RotaCnd, ...answers: Given[]) => {
  authority.answers(...answers)
  return rota.ask(cnpj, authority.meios)
}
const trio = (state: string): string =>
  `<input type="hidden" name="__VIEWSTATE" value="${state}"><input type="hidden" name="__EVENTVALIDATION" value="e">`
const failing =
  (kind: string, codigo?: string) =>
  (error: unknown): boolean =>
    error instanceof SourceError && error.kind === kind && error.codigo === codigo

test('SP certifies in two steps, the token in both of its fields', async () => {
  const inicio =
    `<form>${trio('v1')}<input type="radio" id="MainContent_cnpjradio" name="g" value="cnpjradio">` +
    '<input type="radio" id="MainContent_cpfradio" name="g" value="cpfradio"><input id="MainContent_txtDocumento" name="d">' +
    '<div class="g-recaptcha" data-sitekey="k"></div><input type="submit" id="MainContent_btnPesquisar" name="b" value=" Emitir "></form>'
  const pronta = `<form>${trio('v2')}<input type="submit" id="MainContent_btnImpressao" name="i" value="Imprimir"></form>`
  const certidao = await emitir(sp.cnd[0], inicio, pronta, { para: 'ImpressaoCertidaoNegativa.aspx' }, deSp)
  assert.equal(certidao.status, 'negativa')
  const [, pedido, impressao] = authority.seen
  assert.deepEqual(pedido?.campos, {
    __VIEWSTATE: 'v1',
    __EVENTVALIDATION: 'e',
    g: 'cnpjradio',
    d: '11.222.333/0001-81',
    b: ' Emitir ',
    'g-recaptcha-response': 'resposta 1',
    ctl00$MainContent$hdgrecaptcha: 'resposta 1',
  })
  assert.equal(impressao?.campos.__VIEWSTATE, 'v2')
  const fechada = '<p class="bg-danger">Serviço disponível em dias úteis, das 06:00 às 21:00.</p>'
  await assert.rejects(emitir(sp.cnd[0], inicio, fechada), failing('blocked', 'fechado'))
  const deve = '<p class="bg-danger">Constam débitos em nome do requerente. Solicite pelo SIPET.</p>'
  assert.equal((await emitir(sp.cnd[0], inicio, deve)).status, 'positiva')
})

const H = 'ctl00$PHConteudo$TxtNum'
const DSCRE = `<form>${trio('v1')}<input name="${H}CNPJ"><input name="${H}CPF"><input name="${H}InscricaoEstadual"></form>`
const comScript = (script: string): string => `${DSCRE}<script>${script}</script>`

const B = 'Body_Main_Main_sepBusca_'
const BUSCA =
  `<form>${trio('v1')}<select id="${B}idnCnd_IdentificationTypeField" name="t"><option value="7">CNPJ</option><option value="8">CPF</option>` +
  `<option value="9">IE</option></select><input id="${B}idnCnd_MaskedField" name="m"><div data-sitekey="k"></div>` +
  `<a id="${B}btnBuscar" href="javascript:__doPostBack(&#39;ctl00$btnBuscar&#39;,&#39;&#39;)"><span>Buscar</span></a></form>`
const grade = (...dias: string[]): string =>
  `<form>${trio('v2')}<table id="Body_Main_Main_ctnResultado_grpCnd_gridView">` +
  dias
    .map(
      (dia, n) =>
        `<tr><td>1</td><td>2</td><td>3</td><td><span class="valido">${dia}</span></td><td><a href="javascript:__doPostBack('baixar','${n}')">PDF</a></td></tr>`,
    )
    .join('') +
  '</table><input type="submit" id="Body_Main_Main_ctnResultado_btnGerarCnd" name="gerar" value="Gerar"></form>'

test('SC gives the certificate that is in force, and makes one only where none is: a file, a link or a window', async () => {
  await emitir(sc.cnd[0], BUSCA, grade('20/11/2026', '21/11/2026'), negativa)
  assert.equal(authority.seen[1]?.campos.__EVENTTARGET, 'ctl00$btnBuscar')
  assert.equal(authority.seen[2]?.campos.__EVENTARGUMENT, '1')
  await emitir(sc.cnd[0], BUSCA, grade('20/11/2026'), negativa)
  assert.equal(authority.seen[2]?.campos.gerar, 'Gerar')
  const feita =
    '<ul class="sat-vs-success"><li>1</li><li>2</li><li><a href="/baixar.aspx">Baixar</a></li></ul>'
  assert.equal((await emitir(sc.cnd[0], BUSCA, grade(), feita, negativa)).status, 'negativa')
  const janela = `${grade()}<script>window.open('Impressao.aspx');</script>`
  const linhas = [
    'CERTIDÃO NEGATIVA DE DÉBITOS',
    'Certidão nº: 900001',
    'CNPJ 11.222.333/0001-81',
    'Emitida em: 21/11/2026',
    'Válida até: 20/01/2027',
  ]
  const pagina = `<html><body>${linhas.map((linha) => `<p>${linha}</p>`).join('')}</body></html>`
  const impressa = await emitir(sc.cnd[0], BUSCA, grade(), janela, pagina)
  assert.deepEqual([impressa.status, impressa.pdf_base64, impressa.protocolo], ['negativa', '', '900001'])
  assert.match(impressa.impressao_base64 ?? '', /^JVBERi/)
  assert.equal(authority.seen[3]?.pedido, 'GET sat.sef.sc.gov.br/tax.NET/Sat.CtaCte.Web/Impressao.aspx')
  const popup = `<div id="Body_Main_Main_popPendencias">Existem pendências que impedem a emissão.</div>`
  assert.equal((await emitir(sc.cnd[0], BUSCA, grade(), popup)).status, 'positiva')
})

test('BA leaves the certificate to the report that it opens', async () => {
  const { validade } = await emitir(
    ba.cnd[0],
    DSCRE,
    comScript("window.open('../Relatorio.aspx?a=1');"),
    papel,
  )
  assert.equal(validade, '2027-01-19')
  const [, pedido, relatorio] = authority.seen
  assert.equal(pedido?.campos.__EVENTTARGET, 'ctl00$PHConteudo$btnImprimir')
  assert.deepEqual([pedido?.campos[`${H}CNPJ`], pedido?.campos[`${H}CPF`]], [cnpj.documento, ''])
  const opened = 'GET servicos.sefaz.ba.gov.br/sistemas/DSCRE/Modulos/Relatorio.aspx?a=1'
  assert.equal(relatorio?.pedido, opened)
  // A client that runs no script finds the certificate at the address that it has always had.
  await emitir(ba.cnd[0], DSCRE, DSCRE, papel)
  const known = 'GET servicos.sefaz.ba.gov.br/sistemas/DSCRE/Relatorios/Relatorio.aspx'
  assert.equal(authority.seen[2]?.pedido, known)
})

test('BA says in a dialog why there is none, and nothing else is asked then', async () => {
  const deve = String.raw`alert('N\u00e3o \xe9 poss\xedvel: constam d\u00e9bitos em nome do\ncontribuinte.');`
  const { status, status_raw } = await emitir(ba.cnd[0], DSCRE, comScript(deve), papel)
  assert.deepEqual([status, authority.seen.length], ['positiva', 2])
  assert.match(status_raw, /constam débitos em nome do contribuinte/)
  const sempre = comScript("function valida() { alert('CNPJ inválido'); }")
  assert.equal((await emitir(ba.cnd[0], sempre, sempre, papel)).status, 'negativa')
  const fechada = '<p>Emissão disponível somente nos dias úteis</p>'
  await assert.rejects(emitir(ba.cnd[0], DSCRE, fechada, papel), failing('blocked', 'fechado'))
  const velha = '<h2>The state information is invalid for this page and might be corrupted.</h2>'
  await assert.rejects(emitir(ba.cnd[0], DSCRE, velha), failing('http', 'sessao-expirada'))
})

test('RS is found by the names of its fields, whatever state its form carries', async () => {
  const desafio = {
    algorithm: 'SHA-256',
    challenge: hash('sha256', 's7'),
    salt: 's',
    signature: 'x',
    maxnumber: 50,
  }
  const json = { utf8: JSON.stringify(desafio), media: 'application/json' }
  const inicio =
    '<form id="busca"><input name="q"></form><form><input name="campoCnpj"><input name="campoCpf"><input type="hidden" name="x" value="1">' +
    '<altcha-widget id="altcha" challengeurl="/desafio"></altcha-widget><input type="submit" id="btnEnviar" name="btnEnviar" value="Enviar"></form>'
  const { status } = await emitir(rs.cnd[0], inicio, json, papel)
  assert.equal(status, 'negativa')
  const { altcha, ...campos } = authority.seen[2]?.campos ?? {}
  assert.deepEqual(campos, { x: '1', campoCnpj: cnpj.documento, campoCpf: '', btnEnviar: 'Enviar' })
  assert.equal(JSON.parse(Buffer.from(altcha ?? '', 'base64').toString()).number, 7)
})
