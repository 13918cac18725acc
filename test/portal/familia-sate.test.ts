import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado } from '../../src/estados/ap.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { type Given, imagem, openPortal, type PortalAuthority } from '../kit/authority.ts'

let authority: PortalAuthority
before(async () => {
  authority = await openPortal('www.sefaz.ap.gov.br')
})
after(() => authority.close())

const [, rota] = estado.ie
const CNPJ = '11222333000181'
const FORM =
  '<form action="outro.do"><input type="hidden" name="hidAcao"><input type="hidden" name="hidHistorico" value="0">' +
  '<input type="hidden" name="hidSessao" value="s1"><select name="cmbTpDocumento"><option value="">Selecione</option>' +
  '<option value="9">Inscrição Estadual</option><option value="2">CNPJ</option><option value="7">CPF</option></select></form>'
const TELA = FORM.replace('s1', 's2')
const achada = (ie: string): string =>
  `<table><tr><td>CNPJ:</td><td>11.222.333/0001-81</td></tr><tr><td>Inscrição Estadual:</td><td>${ie}</td></tr>` +
  '<tr><td>Razão Social:</td><td>EMPRESA DE TESTE LTDA</td></tr><tr><td>Complemento:</td><td>&nbsp;</td></tr><tr><td>Bairro:</td><td>CENTRO</td></tr></table>'
const ask = (...answers: Given[]) => {
  authority.answers(...answers)
  return rota.ask({ tipo: 'cnpj', documento: CNPJ }, authority.meios)
}
const codigo = (expected: string) => (error: unknown) =>
  error instanceof SourceError && error.codigo === expected
const parse = (error: unknown) => error instanceof SourceError && error.kind === 'parse'

test('SATE is told the kind of document, then shows the image, then takes number and text, its hidden fields going back', async () => {
  const [found] = await ask(FORM, TELA, imagem, achada('03.012.345-9'))
  assert.equal(found?.inscricao_estadual, '030123459')
  assert.equal(found?.complemento, '')
  assert.equal(found?.bairro, 'CENTRO')
  const [inicio, tipo, jcaptcha, dados] = authority.seen
  assert.equal(inicio?.pedido, 'GET www.sefaz.ap.gov.br/sate/seg/SEGf_AcessarFuncao.jsp?cdFuncao=ARR_305')
  assert.equal(tipo?.pedido, 'POST www.sefaz.ap.gov.br/sate/arr/ARRf_DarInternetEmitir.do')
  const fixos = { hidHistorico: '-1', cmbTpDocumento: '2' }
  assert.deepEqual(tipo?.campos, { ...fixos, hidAcao: 'obterTipoContribuinte', hidSessao: 's1' })
  assert.equal(jcaptcha?.pedido, 'GET www.sefaz.ap.gov.br/sate/servicos/JCaptcha')
  assert.equal(dados?.cabecalhos.cookie, 'JSESSIONID=1')
  assert.deepEqual(dados?.campos, {
    ...fixos,
    hidAcao: 'obterDadosContribuinte',
    hidSessao: 's2',
    edtNrDocumento: CNPJ,
    edtCaptchaResponse: 'resposta 1',
  })
})

test('the code of a kind of document is the one of the option that reads so', async () => {
  authority.answers(FORM, TELA, imagem, achada('03.012.345-9'))
  await rota.ask({ tipo: 'ie', documento: '030123459' }, authority.meios)
  assert.equal(authority.seen[3]?.campos.cmbTpDocumento, '9')
})

test('a page of SATE with two registrations gives both, and one with nobody gives none', async () => {
  const two = await ask(FORM, TELA, imagem, achada('03.012.345-9') + achada('03.000.001-4'))
  assert.deepEqual(
    two.map((one) => one.inscricao_estadual),
    ['030123459', '030000014'],
  )
  assert.deepEqual(await ask(FORM, TELA, imagem, '<p>Contribuinte inexistente</p>'), [])
})

test('a misread image begins a new session, and the third is the last', async () => {
  const errado = '<p>Código da imagem inválido</p>'
  const [found] = await ask(FORM, TELA, imagem, errado, FORM, TELA, imagem, achada('03.012.345-9'))
  assert.equal(found?.inscricao_estadual, '030123459')
  assert.equal(authority.seen[4]?.cabecalhos.cookie, undefined)
  const visit = [FORM, TELA, imagem, errado]
  await assert.rejects(ask(...visit, ...visit, ...visit, ...visit), codigo('captcha-errado'))
  assert.equal(authority.seen.length, 12)
})

test('SATE with another layout, or with somebody else on it, is not understood', async () => {
  await assert.rejects(ask('<p>Nova página</p>'), parse)
  await assert.rejects(ask(FORM.replace('>CNPJ<', '>Documento<')), parse)
  await assert.rejects(ask(FORM, TELA, '<p>sem imagem</p>'), parse)
  await assert.rejects(ask(FORM, TELA, imagem, '<p>Consulta</p>'), parse)
  await assert.rejects(ask(FORM, TELA, imagem, achada('1').replaceAll('0001-81', '0002-62')), parse)
})
