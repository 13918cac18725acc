import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado as sc } from '../../src/estados/sc.ts'
import { estado as sp } from '../../src/estados/sp.ts'
import { ApiError } from '../../src/platform/errors.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import type { Pergunta } from '../../src/portal/estado.ts'
import { type Given, imagem, openPortal, type PortalAuthority } from '../kit/authority.ts'

let authority: PortalAuthority
before(async () => {
  authority = await openPortal('www.cadesp.fazenda.sp.gov.br', 'sat.sef.sc.gov.br')
})
after(() => authority.close())

const cnpj = { tipo: 'cnpj', documento: '11222333000181' } as const
const [, cadesp] = sp.ie
const [, sat] = sc.ie
const trio = (state: string): string =>
  `<input type="hidden" name="__VIEWSTATE" value="${state}"><input type="hidden" name="__EVENTVALIDATION" value="e">`
const failing =
  (kind: string, codigo?: string) =>
  (error: unknown): boolean =>
    error instanceof SourceError && error.kind === kind && error.codigo === codigo

const P = 'ctl00$conteudoPaginaPlaceHolder$filtroTabContainer$filtroEmitirCertidaoTabPanel$'
const SESSAO = '/(S(abc))/Pages/Cadastro/Consultas/ConsultaPublica/'
const filtro = (state: string, escolhido = 0, mensagem = ''): string =>
  `<form action="ConsultaPublica.aspx">${trio(state)}<select name="${P}tipoFiltroDropDownList">` +
  [0, 1].map((n) => `<option value="${n}" ${n === escolhido ? 'selected' : ''}>x</option>`).join('') +
  `</select><input name="${P}valorFiltroTextBox"><img src="../../../../imagemDinamica.aspx">` +
  `<input type="submit" name="${P}consultaPublicaButton" value="Consultar">` +
  `<span id="x_MensagemErroFiltroLabel">${mensagem}</span></form>`
const contribuinte =
  '<td>IE:</td><td>110.042.490.114</td><td>CNPJ:</td><td>11.222.333/0001-81</td><td>Nome Empresarial:</td><td>FULANO</td>' +
  '<td>Nome Fantasia:</td><td></td><td>Natureza Jurídica:</td><td>412-0 - Produtor Rural (Pessoa Física)</td>' +
  '<td>Nº:</td><td>S/N</td><td>Situação Cadastral:</td><td>Ativo</td>'
const consultar = (pergunta: Pergunta, ...answers: Given[]) => {
  authority.answers({ para: `${SESSAO}ConsultaPublica.aspx` }, ...answers)
  return cadesp.ask(pergunta, authority.meios)
}

test('the challenge of the firewall before CADESP is a block, not a page that changed', async () => {
  const desafio =
    '<html><head><noscript>Please enable JavaScript to view the page content.<br/>Your support ID is: 123.</noscript><script src="/x.js"></script></head><body></body></html>'
  await assert.rejects(consultar(cnpj, desafio), failing('blocked', 'waf'))
})

test('CADESP keeps its session in the path, and each step sends the state of the page before it', async () => {
  const [found] = await consultar(cnpj, filtro('v1'), filtro('v2', 1), imagem, contribuinte)
  assert.equal(found?.inscricao_estadual, '110042490114')
  assert.equal(found?.tipo_ie, 'PRODUTOR RURAL')
  assert.equal(found?.nome_fantasia, '')
  const [, , lista, figura, pedido] = authority.seen
  assert.equal(lista?.campos.__EVENTTARGET, `${P}tipoFiltroDropDownList`)
  assert.equal(lista?.campos.__VIEWSTATE, 'v1')
  assert.equal(figura?.pedido, 'GET www.cadesp.fazenda.sp.gov.br/(S(abc))/imagemDinamica.aspx')
  assert.equal(pedido?.pedido, `POST www.cadesp.fazenda.sp.gov.br${SESSAO}ConsultaPublica.aspx`)
  assert.deepEqual(pedido?.campos, {
    __VIEWSTATE: 'v2',
    __EVENTVALIDATION: 'e',
    [`${P}tipoFiltroDropDownList`]: '1',
    [`${P}valorFiltroTextBox`]: cnpj.documento,
    [`${P}consultaPublicaButton`]: 'Consultar',
    [`${P}imagemDinamicaTextBox`]: 'resposta 1',
  })
})

test('CADESP by IE, its list as it came, is asked without a postback', async () => {
  await consultar({ tipo: 'ie', documento: '110042490114' }, filtro('v1'), imagem, contribuinte)
  assert.equal(authority.seen.length, 4)
})

test('CADESP: nobody is an empty answer, a bad document is the client’s, a third misread image gives up', async () => {
  const ie: Pergunta = { tipo: 'ie', documento: '110042490114' }
  const nada =
    '<span id="x_MensagemNadaEncontradoLabel">Não existem registros que atendem ao critério de filtro definido.</span>'
  assert.deepEqual(await consultar(ie, filtro('v1'), imagem, nada), [])
  await assert.rejects(
    consultar(ie, filtro('v1'), imagem, filtro('v2', 0, 'IE inválida.')),
    (error) => error instanceof ApiError,
  )
  const errada = [filtro('v1'), imagem, filtro('v2', 0, 'O texto não confere com a imagem.')]
  await assert.rejects(consultar(ie, ...errada, ...errada, ...errada), failing('blocked', 'captcha-errado'))
  assert.equal(authority.challenges.length, 3)
  await assert.rejects(consultar(ie, '<p>Novo CADESP</p>'), failing('parse'))
})

const B = 'Body_Main_Main_sepBusca_'
const BUSCA =
  `<form>${trio('v1')}<select id="${B}idnContribuinte_IdentificationTypeField" name="t"><option value="7">CNPJ</option><option value="8">CPF</option>` +
  `<option value="9">IE</option></select><input id="${B}idnContribuinte_MaskedField" name="m"><div data-sitekey="k"></div>` +
  `<a id="${B}btnBuscar" href="javascript:__doPostBack(&#39;ctl00$btnBuscar&#39;,&#39;&#39;)"><span>Buscar</span></a></form>` +
  "<script>Sys.WebForms.PageRequestManager._initialize('ctl00$ScriptManager1', 'form1', ['tctl00$uppBusca',''], [], [], 90, '');</script>"
const um = (ie: string): string =>
  `<div id="x_ctnResultado_comprovante${ie}">CPF: <b>529.982.247-25</b> Inscrição Estadual: <b>${ie}</b> Nome Empresarial: <b>FULANO</b> CNAE Principal: <b>0111-3/01 - ARROZ</b></div>`
const parte = (type: string, content: string): string => `${content.length}|${type}|id|${content}|`
const cpf: Pergunta = { tipo: 'cpf', documento: '52998224725' }
const buscar = (...answers: Given[]) => {
  authority.answers(BUSCA, ...answers)
  return sat.ask(cpf, authority.meios)
}

test('SC is asked for its panel, and shows each registration in its block', async () => {
  const found = await buscar(
    parte('updatePanel', um('251.040.852') + um('251.040.860')) + parte('hiddenField', 'v2'),
  )
  assert.deepEqual(
    found.map((one) => one.inscricao_estadual),
    ['251040852', '251040860'],
  )
  assert.equal(found[0]?.tipo_ie, 'PRODUTOR RURAL')
  const [, pedido] = authority.seen
  assert.equal(pedido?.campos.t, '8')
  assert.equal(pedido?.campos.m, '529.982.247-25')
  assert.equal(pedido?.campos.ctl00$ScriptManager1, 'ctl00$uppBusca|ctl00$btnBuscar')
  assert.equal(pedido?.campos.__ASYNCPOST, 'true')
  assert.equal(pedido?.cabecalhos['x-microsoftajax'], 'Delta=true')
})

test('SC: a redirect of the panel is followed, a captcha is told, a broken or failed answer is none', async () => {
  const [found] = await buscar(parte('pageRedirect', '%2ftax.NET%2fResultado.aspx'), um('251.040.852'))
  assert.equal(found?.inscricao_estadual, '251040852')
  assert.equal(authority.seen[2]?.pedido, 'GET sat.sef.sc.gov.br/tax.NET/Resultado.aspx')
  const captcha = '<div class="g-recaptcha" data-sitekey="k"></div>'
  await assert.rejects(buscar(parte('updatePanel', captcha)), failing('blocked', 'captcha'))
  await assert.rejects(buscar(captcha), failing('blocked', 'captcha'))
  await assert.rejects(buscar(parte('updatePanel', um('251.040.852')).slice(0, -20)), failing('parse'))
  await assert.rejects(buscar(parte('error', 'Object reference')), failing('http'))
  authority.answers(BUSCA.replace('uppBusca', 'outro'))
  await assert.rejects(sat.ask(cpf, authority.meios), failing('parse'))
})
