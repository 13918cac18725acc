import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado, primeFacesPedido } from '../../src/estados/pi.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { type Given, imagem, openPortal, type PortalAuthority } from '../kit/authority.ts'
import { pdfOf } from '../kit/papers.ts'

let authority: PortalAuthority
let certidao: Buffer
before(async () => {
  authority = await openPortal('webas.sefaz.pi.gov.br')
  certidao = await pdfOf([
    [
      'CERTIDÃO DE SITUAÇÃO FISCAL E TRIBUTÁRIA - NEGATIVA',
      'Certidão Nº 2026112233',
      'CNPJ: 11.222.333/0001-81',
      'Não constam débitos em nome do contribuinte.',
      'Data de Emissão: 21/11/2026 Válida até: 19/01/2027',
    ],
  ])
})
after(() => authority.close())

const CNPJ = '11222333000181'
const codigo = (expected: string) => (error: unknown) =>
  error instanceof SourceError && (error.codigo ?? error.kind) === expected

test('the registration is asked for with the letters of the image, by the button that reads so', async () => {
  const filtro =
    '<form id="f" action="index.jsf"><input type="hidden" name="javax.faces.ViewState" value="v1"><img src="dynamiccontent.properties.jsf?primefaces_image=k1&amp;n=securityCaptcha"><button name="f:j_idt9" type="submit"><span>Consultar</span></button></form>'
  const achado =
    '<div class="ui-panel-content"><label>Inscrição Estadual</label><input value="19.301.656-7"><label>Razão Social/Nome</label><input value="FULANO LTDA"><label>Complemento</label><input value=""><label>Bairro</label><input value="CENTRO"></div>'
  authority.answers(filtro, imagem, achado)
  const [found] = await estado.ie[0].ask({ tipo: 'cnpj', documento: CNPJ }, authority.meios)
  assert.deepEqual(
    [found?.inscricao_estadual, found?.complemento, found?.bairro],
    ['193016567', '', 'CENTRO'],
  )
  assert.deepEqual(authority.seen[2]?.campos, {
    'javax.faces.ViewState': 'v1',
    cnpj: '11.222.333/0001-81',
    ie: '',
    captcha: 'resposta 1',
    'f:j_idt9': '',
  })
})

const item = (id: string, acao: string): string =>
  `<li><a id="${id}" href="#" onclick="PrimeFaces.ab({s:&quot;mainMenuForm:mainMenuBar&quot;,f:&quot;mainMenuForm&quot;,u:&quot;tabView&quot;,pa:[{name:&quot;mainMenuForm:mainMenuBar_menuid&quot;,value:&quot;${acao}&quot;}]});return false;">${acao}</a></li>`
const menu = (nome: string): string =>
  `<li><a href="#">${nome}</a><ul>${item(`${nome}1`, `${nome} consultar`)}${item(`${nome}2`, `${nome} solicitar`)}</ul></li>`
const inicio: Given =
  `<form id="mainMenuForm" action="index.xhtml"><input type="hidden" name="mainMenuForm" value="mainMenuForm"><div id="mainMenuForm:mainMenuBar"><ul>${menu('divida')}${menu('fiscal')}</ul></div>` +
  '<input type="hidden" name="javax.faces.ViewState" value="v1"></form><div id="tabView"></div>'
let estados = 1
const parcial = (html: string): Given => {
  estados += 1
  return {
    media: 'text/xml;charset=UTF-8',
    utf8: `<partial-response><changes><update id="tabView"><![CDATA[${html}]]></update><update id="javax.faces.ViewState"><![CDATA[v${estados}]]></update></changes></partial-response>`,
  }
}
/** A tab of the page: the number of tabs opened before, the form, and its button. */
const aba = (n: number, form: string, botao: string, mais = ''): Given => {
  const id = `tabView:tabContent_tabItem${n}:${form}`
  return parcial(
    `<form id="${id}"><input type="hidden" name="${id}" value="${id}"><select name="${id}:tipoPessoa_input"><option value="juridica">Jurídica</option><option value="fisica">Física</option></select>` +
      `<input type="text" name="${id}:contribuinteCpfCnpjId"><button id="${id}:${botao}" onclick='PrimeFaces.ab({s:"${id}:${botao}",u:"${id}"});return false;'>ir</button>${mais}</form>`,
  )
}
const CONSULTAR = 'certidaoSituacaoTv:formConsultar'
const consultar = (n = 0): Given => aba(n, CONSULTAR, 'buscarBtn')
const solicitar = (n = 1): Given =>
  aba(n, 'formSolicitar', 'solicitarBtn', '<input type="text" name="contribuinteIncricaoId" value="">')

type Row = [pedida: string, kind: string, situacao: string, validade: string]
const grade = (...rows: Row[]): Given =>
  parcial(
    `<table><thead><tr><th>Número</th><th>Data da Solicitação</th><th>Certidão</th><th>Situação</th><th>Validade</th><th></th></tr></thead><tbody id="x:resultsDataTable_data">${rows
      .map(
        ([pedida, kind, situacao, validade], at) =>
          `<tr data-ri="${at}"><td>${at}</td><td>${pedida}</td><td>${kind}</td><td>${situacao}</td><td>${validade}</td><td>${situacao === 'Concluída' ? `<button type="submit" name="g:${at}:baixar">Baixar</button>` : ''}</td></tr>`,
      )
      .join('')}</tbody></table>`,
  )
const FISCAL = 'Situação Fiscal e Tributária'
const registrada = () => parcial('<div id="x:messages">Solicitação registrada</div>')
const ask = (answers: Given[], deadlineMs = 10_000) => {
  authority.answers(inicio, ...answers)
  const meios = { ...authority.meios, deadlineMs }
  return estado.cnd[0].ask({ tipo: 'cnpj', documento: CNPJ, inscricoes: undefined }, meios)
}

test('the menu opens a tab, whose ids are read, and a certificate there that still holds is fetched', async () => {
  const tela = consultar(3)
  const rows = grade(
    ['01/02/2026', FISCAL, 'Concluída', '02/04/2026'],
    ['20/11/2026', FISCAL, 'Concluída', '19/01/2027'],
  )
  const found = await ask([tela, rows, certidao])
  assert.deepEqual([found.status, found.validade], ['negativa', '2027-01-19'])
  const [, abre, busca, baixa] = authority.seen
  assert.equal(abre?.cabecalhos['faces-request'], 'partial/ajax')
  assert.deepEqual(abre?.campos, {
    mainMenuForm: 'mainMenuForm',
    'javax.faces.ViewState': 'v1',
    'javax.faces.partial.ajax': 'true',
    'javax.faces.source': 'mainMenuForm:mainMenuBar',
    'javax.faces.partial.execute': '@all',
    'javax.faces.partial.render': 'tabView',
    'mainMenuForm:mainMenuBar': 'mainMenuForm:mainMenuBar',
    'mainMenuForm:mainMenuBar_menuid': 'fiscal consultar',
  })
  const form = `tabView:tabContent_tabItem3:${CONSULTAR}`
  const fields = {
    [form]: form,
    [`${form}:tipoPessoa_input`]: 'juridica',
    [`${form}:contribuinteCpfCnpjId`]: CNPJ,
  }
  assert.deepEqual(busca?.campos, {
    ...fields,
    'javax.faces.ViewState': `v${estados - 1}`,
    'javax.faces.partial.ajax': 'true',
    'javax.faces.source': `${form}:buscarBtn`,
    'javax.faces.partial.execute': '@all',
    'javax.faces.partial.render': form,
    [`${form}:buscarBtn`]: `${form}:buscarBtn`,
  })
  assert.deepEqual(baixa?.campos, { ...fields, 'javax.faces.ViewState': `v${estados}`, 'g:1:baixar': '' })
})

test('where the grid has none that holds one is requested in another tab, and what the grid then says is the answer', async () => {
  const old: Row = ['01/02/2026', FISCAL, 'Não emitida: existem débitos', '']
  const ready = grade(old, ['21/11/2026', FISCAL, 'Concluída', '19/01/2027'])
  const found = await ask([consultar(), grade(old), solicitar(), registrada(), ready, certidao])
  assert.equal(found.status, 'negativa')
  const [, , , , pedido] = authority.seen
  assert.equal(pedido?.campos['tabView:tabContent_tabItem1:formSolicitar:contribuinteCpfCnpjId'], CNPJ)
  assert.equal(pedido?.campos.contribuinteIncricaoId, '')
  const refused = grade(['21/11/2026 10:00', FISCAL, 'Não emitida: existem débitos', ''])
  assert.equal((await ask([consultar(), grade(), solicitar(), registrada(), refused])).status, 'positiva')
})

test('a refusal that comes after the request is the answer to it, whatever its date says', async () => {
  const old: Row = ['01/02/2026', FISCAL, 'Não emitida: existem débitos', '']
  const refused = grade(old, ['22/11/2026 00:01', FISCAL, 'Não emitida: existem débitos', ''])
  const found = await ask([consultar(), grade(old), solicitar(), registrada(), refused])
  assert.equal(found.status, 'positiva')
})

test('a certificate that is not ready within the time is being processed, and is not requested twice', async () => {
  const pending = grade(['21/11/2026', FISCAL, 'Em processamento', ''])
  await assert.rejects(ask([consultar(), pending], 4_000), codigo('em-processamento'))
  assert.equal(authority.seen.length, 3)
})

test('the grid is looked at again, in the same tab, until the certificate is there', async () => {
  const rota = primeFacesPedido('PI', {
    ...estado.cnd[0],
    captcha: 'nenhum',
    espera: { marca: '', minimo: 0, partes: [] },
    documentos: { cnpj: '0' },
    menu: { form: 'mainMenuForm', barra: 'mainMenuForm:mainMenuBar', item: 2 },
    consulta: { entrada: 1, form: CONSULTAR, botao: 'buscarBtn' },
    solicitacao: { entrada: 2, form: 'formSolicitar', botao: 'solicitarBtn' },
    campos: { tipo: 'tipoPessoa', documento: 'contribuinteCpfCnpjId' },
    grade: { corpo: 'resultsDataTable_data', situacao: 3 },
    registrada: 'Solicitação registrada',
    processando: 'Em processamento',
    intervaloMs: 1,
    mensagem: '[id$="messages"]',
    layout: {},
  })
  const pending = grade(['21/11/2026', FISCAL, 'Em processamento', ''])
  const ready = grade(['21/11/2026', FISCAL, 'Concluída', '19/01/2027'])
  authority.answers(
    inicio,
    consultar(),
    grade(),
    solicitar(),
    registrada(),
    grade(),
    pending,
    ready,
    certidao,
  )
  const asked = { tipo: 'cnpj', documento: CNPJ, inscricoes: undefined } as const
  assert.equal((await rota.ask(asked, authority.meios)).status, 'negativa')
})

test('a field with a mask takes the document with it, and a person is the second of the list', async () => {
  const rows = grade(['20/11/2026', FISCAL, 'Concluída', '19/01/2027'])
  const masked = aba(0, CONSULTAR, 'buscarBtn', '<script>PrimeFaces.cw("InputMask","w",{id:"d"});</script>')
  authority.answers(inicio, masked, rows, await pdfOf([['CERTIDÃO NEGATIVA', 'CPF: 529.982.247-25']]))
  await estado.cnd[0].ask({ tipo: 'cpf', documento: '52998224725', inscricoes: undefined }, authority.meios)
  const [, , busca] = authority.seen
  const form = `tabView:tabContent_tabItem0:${CONSULTAR}`
  assert.equal(busca?.campos[`${form}:contribuinteCpfCnpjId`], '529.982.247-25')
  assert.equal(busca?.campos[`${form}:tipoPessoa_input`], 'fisica')
})

test('a page in the place of the pieces is read as a page, and what is gone from it is a change', async () => {
  const fora = '<p>Serviço fora do horário de atendimento.</p>'
  await assert.rejects(ask([fora]), codigo('fechado'))
  await assert.rejects(ask([consultar(), fora]), codigo('fechado'))
  await assert.rejects(ask([consultar(), parcial('<p>novo</p>')]), codigo('parse'))
  await assert.rejects(ask([parcial('<p>novo</p>')]), codigo('parse'))
  await assert.rejects(ask([aba(0, CONSULTAR, 'outroBtn')]), codigo('parse'))
  authority.answers('<form id="mainMenuForm"><div id="mainMenuForm:mainMenuBar"></div></form>')
  const asked = { tipo: 'cnpj', documento: CNPJ, inscricoes: undefined } as const
  await assert.rejects(estado.cnd[0].ask(asked, authority.meios), codigo('parse'))
})
