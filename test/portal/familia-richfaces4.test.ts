import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado } from '../../src/estados/rj.ts'
import { ApiError } from '../../src/platform/errors.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { type Given, imagem, openPortal, type PortalAuthority } from '../kit/authority.ts'

let authority: PortalAuthority
before(async () => {
  authority = await openPortal('sucief-sincad-web.fazenda.rj.gov.br', 'www4.fazenda.rj.gov.br')
})
after(() => authority.close())

const CNPJ = '11222333000181'
const codigo = (expected: string) => (error: unknown) =>
  error instanceof SourceError && (error.codigo ?? error.kind) === expected

const pagina =
  '<form id="formulario" action="/sincad-web/index.jsf"><input type="hidden" name="formulario" value="formulario"><input type="hidden" name="javax.faces.ViewState" value="v1"><img src="captchaServlet?1"></form>'
const parcial = (viewState: string): Given => ({
  media: 'text/xml;charset=UTF-8',
  utf8: `<?xml version="1.0"?><partial-response><changes><update id="formulario:txtCNPJ"><![CDATA[<input>]]></update><update id="j_id1:javax.faces.ViewState:0"><![CDATA[${viewState}]]></update></changes></partial-response>`,
})
const heads = ['CNPJ/CPF', 'Razão Social', 'Município', 'Inscrição Estadual', 'Situação Cadastral']
const grade = (...rows: string[][]): string =>
  `<table id="formulario:tabelaIE"><tr>${heads.map((head) => `<th class="rf-dt-hdr-c">${head}</th>`).join('')}</tr>${rows
    .map((row) => `<tr>${row.map((cell) => `<td class="rf-dt-c">${cell}</td>`).join('')}</tr>`)
    .join('')}</table>`
const ask = (...answers: Given[]) => {
  authority.answers(...answers)
  return estado.ie[0].ask({ tipo: 'cnpj', documento: CNPJ }, authority.meios)
}

test('each row of the grid is a registration, and an empty cell is an empty text', async () => {
  const rows = [
    ['11.222.333/0001-81', 'FULANO LTDA', 'NITERÓI', '99.999.99-3', 'HABILITADO'],
    ['11.222.333/0001-81', 'FULANO LTDA', '&nbsp;', '88.888.88-1', 'BAIXADO'],
  ]
  const found = await ask(pagina, parcial('v2'), imagem, grade(...rows))
  assert.deepEqual(
    found.map((one) => [one.inscricao_estadual, one.municipio, one.situacao_ie]),
    [
      ['99999993', 'NITERÓI', 'ATIVA'],
      ['88888881', '', 'BAIXADA'],
    ],
  )
  const [, change, , query] = authority.seen
  assert.equal(change?.cabecalhos['faces-request'], 'partial/ajax')
  assert.deepEqual(change?.campos, {
    formulario: 'formulario',
    'formulario:txtCNPJ': '11.222.333/0001-81',
    'javax.faces.ViewState': 'v1',
    'javax.faces.source': 'formulario:txtCNPJ',
    'javax.faces.partial.event': 'change',
    'javax.faces.partial.execute': 'formulario:txtCNPJ',
    'javax.faces.partial.render': '@component',
    'javax.faces.behavior.event': 'valueChange',
    'org.richfaces.ajax.component': 'formulario:txtCNPJ',
    'AJAX:EVENTS_COUNT': '1',
    'javax.faces.partial.ajax': 'true',
  })
  assert.deepEqual(query?.campos, {
    formulario: 'formulario',
    'formulario:txtCNPJ': '11.222.333/0001-81',
    'formulario:cap': 'resposta 1',
    'formulario:btnPesquisar': 'formulario:btnPesquisar',
    skipValidation: 'false',
    'javax.faces.ViewState': 'v2',
  })
  assert.match(String(query?.cabecalhos.referer), /\/sincad-web\/index\.jsf$/)
})

test('the marks of the page decide; without them and without the grid it has changed', async () => {
  const marked = (texto: string): Given[] => [
    pagina,
    parcial('v2'),
    imagem,
    `<span class="rf-msgs-det">${texto}</span>`,
  ]
  assert.deepEqual(await ask(...marked('Nenhum resultado encontrado')), [])
  await assert.rejects(ask(...marked('CNPJ inválido')), ApiError)
  const misread = marked('Código da imagem inválido.')
  await assert.rejects(ask(...misread, ...misread, ...misread), codigo('captcha-errado'))
  await assert.rejects(ask(...marked('')), codigo('parse'))
  const fewer = grade(['11.222.333/0001-81', 'FULANO LTDA', '99.999.99-3'])
  await assert.rejects(ask(pagina, parcial('v2'), imagem, fewer), codigo('parse'))
})

test('a state of the page that is gone is an expired session, and an answer that is not partial is a change', async () => {
  const gone: Given = {
    media: 'text/xml',
    utf8: '<partial-response><error><error-name>class javax.faces.application.ViewExpiredException</error-name></error></partial-response>',
  }
  await assert.rejects(ask(pagina, gone), codigo('sessao-expirada'))
  await assert.rejects(ask(pagina, pagina), codigo('parse'))
})
