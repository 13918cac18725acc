import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado as ce } from '../../src/estados/ce.ts'
import { estado as go } from '../../src/estados/go.ts'
import { estado as ro } from '../../src/estados/ro.ts'
import { estado as se } from '../../src/estados/se.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { formulario } from '../../src/portal/formulario.ts'
import { inscricoes } from '../../src/portal/resultado.ts'
import { type Given, imagem, openPortal, type PortalAuthority } from '../kit/authority.ts'

let authority: PortalAuthority
before(async () => {
  authority = await openPortal(
    'appasp.sefaz.go.gov.br',
    'consultapublica.sefaz.ce.gov.br',
    'portalcontribuinte.sefin.ro.gov.br',
    'security.sefaz.se.gov.br',
  )
})
after(() => authority.close())

const CNPJ = '11222333000181'
const pares = (...pairs: readonly [string, string][]): string =>
  pairs.map(([label, value]) => `<p><b>${label}</b><i>${value}</i></p>`).join('')
const goiana = (ie: string): string =>
  pares(
    ['CNPJ:', '11.222.333/0001-81'],
    ['Inscrição Estadual - CCE :', ie],
    ['Nome Empresarial:', 'AÇAÍ LTDA'],
  ) + pares(['Nome Fantasia:', ''], ['Contribuinte?', 'Sim'], ['Data de Cadastramento:', '02/01/2010'])
const seFormulario =
  '<form action="outra.jsp"><input type="hidden" name="AppName" value="SIC"><input type="hidden" name="cdImagem" value="77"><img src="img/77"></form>'
const sergipana = pares(['CNPJ:', CNPJ], ['Inscrição Estadual:', '27.123.456-3'], ['Razão Social:', 'X LTDA'])
const blocked = (codigo: string) => (error: unknown) =>
  error instanceof SourceError && error.kind === 'blocked' && error.codigo === codigo
const parse = (error: unknown) => error instanceof SourceError && error.kind === 'parse'

const askGo = (tipo: 'cnpj' | 'cpf' | 'ie', documento: string, ...answers: Given[]) => {
  authority.answers('<p>Sintegra</p>', ...answers)
  return go.ie[1].ask({ tipo, documento }, authority.meios)
}

test('GO is asked with the masked document in the field of its kind, a session before it', async () => {
  const [found] = await askGo('cnpj', CNPJ, goiana('10.987.654-7'))
  assert.equal(found?.inscricao_estadual, '109876547')
  assert.equal(found?.razao_social, 'AÇAÍ LTDA')
  assert.equal(found?.nome_fantasia, '')
  assert.equal(found?.situacao_contribuinte, 'Sim')
  const [, pedido] = authority.seen
  assert.equal(pedido?.pedido, 'POST appasp.sefaz.go.gov.br/Sintegra/Consulta/consultar.asp')
  assert.equal(pedido?.cabecalhos.cookie, 'JSESSIONID=1')
  assert.deepEqual(pedido?.campos, {
    rTipoDoc: '2',
    tDoc: '11.222.333/0001-81',
    tCCE: '',
    tCNPJ: '11.222.333/0001-81',
    tCPF: '',
    btCGC: 'Consultar',
    'zion.SystemAction': 'consultarSintegra()',
    'zion.OnSubmited': '',
    'zion.FormElementPosted': 'zionFormID_1',
    zionPostMethod: '',
    zionRichValidator: 'true',
  })
  await askGo('ie', '109876547', goiana('10.987.654-7'))
  assert.equal(authority.seen[1]?.campos.tCCE, '10.987.654-7')
  assert.equal(authority.seen[1]?.campos.rTipoDoc, '1')
})

test('an answer of GO in UTF-8 is read so, whatever the server says of it', async () => {
  const utf8 = { utf8: goiana('10.987.654-7'), media: 'text/html; charset=ISO-8859-1' }
  const [found] = await askGo('cnpj', CNPJ, utf8)
  assert.deepEqual([found?.razao_social, found?.inscricao_estadual], ['AÇAÍ LTDA', '109876547'])
})

test('a document that is answered HTTP 500 is asked again in its other form, and no other failure is', async () => {
  const rota = formulario('GO', {
    leitor: inscricoes({
      espera: { marca: '', minimo: 0 },
      rotulos: { 'Inscrição Estadual - CCE': 'inscricao_estadual' },
    }),
    url: 'https://appasp.sefaz.go.gov.br/Sintegra/Consulta/default.asp',
    documentos: { cnpj: '' },
    captcha: 'nenhum',
    certeza: 'memoria',
    origem: '',
    em: '',
    destino: 'consultar.asp',
    fill: () => ({ tDoc: 'mascara' }),
    fillAgain: ({ documento }) => ({ tDoc: documento }),
  })
  const status = (code: number): Given => ({ utf8: '<h1>Erro</h1>', media: 'text/html', status: code })
  authority.answers('<p>Sintegra</p>', status(500), goiana('10.987.654-7'))
  const pergunta = { tipo: 'cnpj', documento: CNPJ } as const
  assert.equal((await rota.ask(pergunta, authority.meios))[0]?.inscricao_estadual, '109876547')
  assert.deepEqual(
    authority.seen.slice(1).map(({ campos }) => campos.tDoc),
    ['mascara', CNPJ],
  )
  authority.answers('<p>Sintegra</p>', status(503), goiana('10.987.654-7'))
  await assert.rejects(rota.ask(pergunta, authority.meios), (error) => error instanceof SourceError)
  assert.equal(authority.seen.length, 2)
})

test('labels that come again on one page of GO begin another registration', async () => {
  const two = await askGo('cnpj', CNPJ, goiana('10.987.654-7') + goiana('10.103.119-7'))
  assert.deepEqual(
    two.map((one) => one.inscricao_estadual),
    ['109876547', '101031197'],
  )
  assert.deepEqual(
    two.map((one) => one.data_inicio_atividade),
    ['2010-01-02', '2010-01-02'],
  )
})

test('GO without the taxpayer gives none; with a captcha it turned us away; anything else has changed', async () => {
  for (const said of ['Não foi encontrado nenhum contribuinte', 'Não encontrado!'])
    assert.deepEqual(await askGo('cpf', '52998224725', `<p>${said}</p>`), [])
  await assert.rejects(
    askGo('cnpj', CNPJ, '<div component="captcha"><input name="tTest"></div>'),
    blocked('captcha'),
  )
  await assert.rejects(askGo('cnpj', CNPJ, '<td class="aviso">Outra coisa</td>'), parse)
})

test('CE is asked in the address alone, and tells of each registration of its list on another page', async () => {
  const detail = (cgf: string): string =>
    `<table><tr><th>CGF</th><td>${cgf}</td></tr><tr><th>Razão Social</th><td>X LTDA</td></tr><tr><th>CNAE Principal(Nacional)</th><td>4711302 - MERCADO</td></tr></table>`
  authority.answers(
    '<table id="dadossintegra"><tr><td>X</td><td><a href="detalhar?id=1">06.000.001-5</a></td></tr><tr><td>X</td><td><a href="detalhar?id=2">06.000.002-3</a></td></tr></table>',
    detail('06.000.001-5'),
    detail('06.000.002-3'),
  )
  const two = await ce.ie[0].ask({ tipo: 'cnpj', documento: CNPJ }, authority.meios)
  assert.deepEqual(
    two.map((one) => one.inscricao_estadual),
    ['060000015', '060000023'],
  )
  assert.equal(two[0]?.cnae_codigo, '4711302')
  assert.deepEqual(
    authority.seen.map(({ pedido }) => pedido),
    [
      `GET consultapublica.sefaz.ce.gov.br/sintegra/consultar?tipdocumento=2&numcnpjcgf=${CNPJ}`,
      'GET consultapublica.sefaz.ce.gov.br/sintegra/detalhar?id=1',
      'GET consultapublica.sefaz.ce.gov.br/sintegra/detalhar?id=2',
    ],
  )
  authority.answers('<h2>Nenhum contribuinte encontrado</h2>')
  assert.deepEqual(await ce.ie[0].ask({ tipo: 'cnpj', documento: CNPJ }, authority.meios), [])
  authority.answers('<form><img src="c.png"><input name="captcha"></form>')
  await assert.rejects(ce.ie[0].ask({ tipo: 'cnpj', documento: CNPJ }, authority.meios), blocked('captcha'))
})

test("RO's number keeps its zeros, and its address is the establishment's, not that for letters", async () => {
  const address = pares(['Endereço:', 'RUA A'], ['Complemento:', ''], ['Bairro:', 'CENTRO'])
  const letters = pares(['Endereço:', 'RUA B'], ['Bairro:', 'OUTRO'])
  authority.answers(
    '<form></form>',
    `<table id="AutoNumber1">${pares(['Inscrição Estadual:', '0000000062521-3'], ['Razão Social:', 'X'])}${address}${letters}</table>`,
  )
  const [found] = await ro.ie[0].ask({ tipo: 'cnpj', documento: CNPJ }, authority.meios)
  assert.equal(found?.inscricao_estadual, '00000000625213')
  assert.deepEqual([found?.logradouro, found?.complemento, found?.bairro], ['RUA A', '', 'CENTRO'])
  assert.deepEqual(authority.seen[1]?.campos, { TipoDevedor: '3', NuDevedor: CNPJ, B1: 'Consultar Cadastro' })
})

test("SE's hidden fields go back with the text of the image in small letters, to its own address", async () => {
  authority.answers(seFormulario, imagem, sergipana)
  const captcha = { takes: () => true, solve: async () => 'AbC9' }
  await se.ie[0].ask({ tipo: 'ie', documento: '271234563' }, { ...authority.meios, captcha })
  assert.equal(authority.seen[1]?.pedido, 'GET security.sefaz.se.gov.br/SIC/sintegra/img/77')
  assert.equal(authority.seen[2]?.pedido, 'POST security.sefaz.se.gov.br/SIC/sintegra/result.jsp')
  const asked = { AppName: 'SIC', cdImagem: '77', cdCnpj: '', cdPessoaContribuinte: '271234563' }
  assert.deepEqual(authority.seen[2]?.campos, { ...asked, dsImagem: 'abc9' })
})
