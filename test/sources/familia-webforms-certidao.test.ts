import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SourceError } from '../../src/domain/source-error.ts'
import type { RotaCnd } from '../../src/sources/estado.ts'
import { estado as ba } from '../../src/sources/estados/ba.ts'
import { estado as sc } from '../../src/sources/estados/sc.ts'
import { estado as sp } from '../../src/sources/estados/sp.ts'
import { pdfOf } from './pdf-de-teste.ts'
import { type Fala, type Palco, startPalco } from './portal-em-cena.ts'

let palco: Palco
let negativa: Buffer
before(async () => {
  palco = await startPalco('www10.fazenda.sp.gov.br', 'sat.sef.sc.gov.br', 'servicos.sefaz.ba.gov.br')
  negativa = await pdfOf([
    ['CERTIDÃO NEGATIVA DE DÉBITOS', 'CNPJ 11.222.333/0001-81', 'Emissão: 20/11/2026', 'Certidão Nº: 123'],
  ])
})
after(() => palco.close())

const cnpj = { tipo: 'cnpj', documento: '11222333000181', inscricoes: undefined } as const
const emitir = (rota: RotaCnd, ...falas: Fala[]) => {
  palco.falas(...falas)
  return rota.consultar(cnpj, palco.meios)
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
  const certidao = await emitir(
    sp.cnd[0],
    inicio,
    pronta,
    { para: 'ImpressaoCertidaoNegativa.aspx' },
    negativa,
  )
  assert.equal(certidao.status, 'negativa')
  const [, pedido, impressao] = palco.vistos
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

test('SC gives the certificate that is in force, and makes one only where none is', async () => {
  await emitir(sc.cnd[0], BUSCA, grade('20/11/2026', '21/11/2026'), negativa)
  assert.equal(palco.vistos[1]?.campos.__EVENTTARGET, 'ctl00$btnBuscar')
  assert.equal(palco.vistos[2]?.campos.__EVENTARGUMENT, '1')
  await emitir(sc.cnd[0], BUSCA, grade('20/11/2026'), negativa)
  assert.equal(palco.vistos[2]?.campos.gerar, 'Gerar')
  const feita =
    '<ul class="sat-vs-success"><li>1</li><li>2</li><li><a href="/baixar.aspx">Baixar</a></li></ul>'
  assert.equal((await emitir(sc.cnd[0], BUSCA, grade(), feita, negativa)).status, 'negativa')
  const popup = `<div id="Body_Main_Main_popPendencias">Existem pendências que impedem a emissão.</div>`
  assert.equal((await emitir(sc.cnd[0], BUSCA, grade(), popup)).status, 'positiva')
})

test('BA leaves the certificate to a report; the reason for none stands on the page before it', async () => {
  const H = 'ctl00$PHConteudo$TxtNum'
  const inicio = `<form>${trio('v1')}<input name="${H}CNPJ"><input name="${H}CPF"><input name="${H}InscricaoEstadual"></form>`
  const { validade } = await emitir(ba.cnd[0], inicio, inicio, negativa)
  assert.equal(validade, '2027-01-19')
  const [, pedido, relatorio] = palco.vistos
  assert.equal(pedido?.campos.__EVENTTARGET, 'ctl00$PHConteudo$btnImprimir')
  assert.deepEqual([pedido?.campos[`${H}CNPJ`], pedido?.campos[`${H}CPF`]], [cnpj.documento, ''])
  assert.equal(relatorio?.pedido, 'GET servicos.sefaz.ba.gov.br/sistemas/DSCRE/Relatorios/Relatorio.aspx')
  const motivo =
    '<h1>Certidão Negativa de Débitos</h1><span id="ctl00_PHConteudo_LblMensagem">Constam pendências em nome do contribuinte.</span>' +
    inicio
  assert.equal((await emitir(ba.cnd[0], inicio, motivo, '<p>Erro</p>')).status, 'positiva')
  const fechada = '<p>Emissão disponível somente nos dias úteis</p>'
  await assert.rejects(emitir(ba.cnd[0], inicio, fechada, negativa), failing('blocked', 'fechado'))
  const velha = '<h2>The state information is invalid for this page and might be corrupted.</h2>'
  await assert.rejects(emitir(ba.cnd[0], inicio, velha), failing('http', 'sessao-expirada'))
})
