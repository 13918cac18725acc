import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado } from '../../src/estados/rj.ts'
import { ApiError } from '../../src/platform/errors.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import type { PerguntaCnd } from '../../src/portal/estado.ts'
import { type Given, openPortal, type PortalAuthority } from '../kit/authority.ts'
import { pdfOf } from '../kit/papers.ts'

let authority: PortalAuthority
let certidao: Buffer
before(async () => {
  authority = await openPortal('www4.fazenda.rj.gov.br')
  certidao = await pdfOf([
    ['CERTIDÃO NEGATIVA DE DÉBITOS - CND', 'CNPJ: 11.222.333/0001-81', 'CPF: 529.982.247-25'],
  ])
})
after(() => authority.close())

const CNPJ: PerguntaCnd = { tipo: 'cnpj', documento: '11222333000181', inscricoes: undefined }
const CPF: PerguntaCnd = { tipo: 'cpf', documento: '52998224725', inscricoes: undefined }
const ask = (answers: Given[], pergunta = CNPJ) => {
  authority.answers(...answers)
  return estado.cnd[1].ask(pergunta, authority.meios)
}
const is = (expected: string) => (error: unknown) =>
  error instanceof SourceError && (error.codigo ?? error.kind) === expected

const TIPO = 'consultaCertidao:pessoaFisicaJuridica'
const SCRIPT = `mojarra.ab(this,event,'valueChange','@this consultaCertidao:cpfCnpj','consultaCertidao:grupo')`
const pagina = (script = SCRIPT): string =>
  `<form id="consultaCertidao" action="emitirCertidao.jsf"><input type="hidden" name="consultaCertidao" value="consultaCertidao"><input type="hidden" name="javax.faces.ViewState" value="v1">
  <input type="radio" name="${TIPO}" id="${TIPO}:0" value="1" checked>Física<input type="radio" name="${TIPO}" id="${TIPO}:1" value="2" onchange="${script}">Jurídica
  <input type="text" name="consultaCertidao:cpfCnpj"><input type="submit" name="consultaCertidao:j_idt9" value="Enviar"></form>`
const parcial: Given = {
  media: 'text/xml;charset=UTF-8',
  utf8: '<partial-response><changes><update id="consultaCertidao:grupo"><![CDATA[<input name="consultaCertidao:cpfCnpj">]]></update><update id="j_id1:javax.faces.ViewState:0"><![CDATA[v2]]></update></changes></partial-response>',
}
const FORM = { consultaCertidao: 'consultaCertidao', [TIPO]: '2' }

test('the other kind of document is chosen as the script of its radio says, and the document goes masked', async () => {
  assert.equal((await ask([pagina(), parcial, certidao])).status, 'negativa')
  const [, escolha, envio] = authority.seen
  assert.equal(escolha?.pedido, 'POST www4.fazenda.rj.gov.br/certidao-fiscal-web/emitirCertidao.jsf')
  assert.equal(escolha?.cabecalhos['faces-request'], 'partial/ajax')
  assert.deepEqual(escolha?.campos, {
    ...FORM,
    'javax.faces.ViewState': 'v1',
    'consultaCertidao:cpfCnpj': '',
    'javax.faces.source': `${TIPO}:1`,
    'javax.faces.partial.event': 'valueChange',
    'javax.faces.behavior.event': 'valueChange',
    'javax.faces.partial.execute': `${TIPO}:1 consultaCertidao:cpfCnpj`,
    'javax.faces.partial.render': 'consultaCertidao:grupo',
    'javax.faces.partial.ajax': 'true',
  })
  assert.deepEqual(envio?.campos, {
    ...FORM,
    'javax.faces.ViewState': 'v2',
    'consultaCertidao:cpfCnpj': '11.222.333/0001-81',
    'consultaCertidao:j_idt9': 'Enviar',
  })
})

test('the kind that is chosen already, and one without a script, are not announced', async () => {
  await ask([pagina(), certidao], CPF)
  assert.equal(authority.seen[1]?.campos[TIPO], '1')
  assert.equal(authority.seen[1]?.campos['consultaCertidao:cpfCnpj'], '529.982.247-25')
  await ask([pagina(''), certidao])
  assert.deepEqual([authority.seen.length, authority.seen[1]?.campos['javax.faces.ViewState']], [2, 'v1'])
})

test('a script that is of another engine, a radio, a button or a form that is gone is a page that changed', async () => {
  await assert.rejects(ask([pagina('A4J.AJAX.Submit(this)'), parcial, certidao]), is('parse'))
  for (const [from, to] of [
    [`${TIPO}:1`, `${TIPO}:9`],
    ['Enviar', 'Seguir'],
    ['id="consultaCertidao"', ''],
  ] as const)
    await assert.rejects(ask([pagina().replaceAll(from, to), parcial, certidao]), is('parse'), from)
  await assert.rejects(ask([pagina(), pagina(), certidao]), is('parse'))
})

test('what the page says in the place of a certificate is told as such', async () => {
  const said = (texto: string): Given[] => [pagina(), parcial, `<ul><li>${texto}</li></ul>${pagina()}`]
  assert.equal(
    (await ask(said('Certidão não emitida: constam débitos perante a Receita Estadual.'))).status,
    'positiva',
  )
  await assert.rejects(ask(said('CNPJ inválido.')), ApiError)
  await assert.rejects(ask(said('Bem-vindo')), is('parse'))
})

test('the label of a field that the page drew anew is no part of what the state says', async () => {
  const debitos = 'Certidão não emitida: constam débitos perante a Receita Estadual.'
  const redrawn = pagina().replace('<input type="text"', '<span>CNPJ:</span> <input type="text"')
  const { status, status_raw } = await ask([pagina(), parcial, `<ul><li>${debitos}</li></ul>${redrawn}`])
  assert.deepEqual([status, status_raw], ['positiva', debitos])
})
