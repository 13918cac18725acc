import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado as ms } from '../../src/estados/ms.ts'
import { estado as rs } from '../../src/estados/rs.ts'
import { ApiError } from '../../src/platform/errors.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { type Given, imagem, openPortal, type PortalAuthority } from '../kit/authority.ts'
import { pdfOf } from '../kit/papers.ts'

let authority: PortalAuthority
before(async () => {
  authority = await openPortal('servicos.efazenda.ms.gov.br', 'www.sefaz.rs.gov.br')
})
after(() => authority.close())

const cnpj = { tipo: 'cnpj', documento: '11222333000181', inscricoes: undefined } as const
const [, consultapublica] = ms.ie
const [, contribuinte] = rs.ie
const failing =
  (kind: string, codigo?: string) =>
  (error: unknown): boolean =>
    error instanceof SourceError && error.kind === kind && error.codigo === codigo

const FORM =
  '<form id="busca"><input type="hidden" name="outro" value="1"></form><form><input type="hidden" name="__RequestVerificationToken" value="t">' +
  '<input type="text" name="CodInscrCnpj"><div class="g-recaptcha" data-sitekey="k"></div></form>'
const gaucha = (...answers: Given[]) => {
  authority.answers(FORM, ...answers)
  return contribuinte.ask(cnpj, authority.meios)
}

test('RS is sent the token of its own form, and the answer to its captcha twice', async () => {
  const celulas = [
    'Inscrição Estadual:',
    '224/365879-2',
    'Razão Social:',
    'FULANO',
    'Número:',
    '',
    'CEP:',
    '',
  ]
  const [found] = await gaucha(celulas.map((one) => `<div class="col-xs-4">${one}</div>`).join(''))
  assert.equal(found?.inscricao_estadual, '2243658792')
  assert.equal(found?.numero, '')
  const [, pedido] = authority.seen
  assert.equal(pedido?.pedido, 'POST www.sefaz.rs.gov.br/consultas/contribuinte/Home/Consulta')
  assert.deepEqual(pedido?.campos, {
    __RequestVerificationToken: 't',
    CodInscrCnpj: cnpj.documento,
    validateButton: 'Pesquisar',
    recaptchaValor: 'resposta 1',
    'g-recaptcha-response': 'resposta 1',
  })
  assert.deepEqual(authority.challenges, [
    'recaptcha-v2 k https://www.sefaz.rs.gov.br/consultas/contribuinte',
  ])
})

test('RS: nobody, a refused document, a page that changed', async () => {
  assert.deepEqual(await gaucha('<p>Nenhum contribuinte encontrado.</p>'), [])
  const refused = gaucha('<p>Inscrição Estadual ou CNPJ inválido.</p>')
  await assert.rejects(refused, (error) => error instanceof ApiError)
  await assert.rejects(gaucha('<h1>Bem-vindo</h1>'), failing('parse'))
  authority.answers('<p>Portal novo</p>')
  await assert.rejects(contribuinte.ask(cnpj, authority.meios), failing('parse'))
})

const PUBLICA =
  '<form><input type="hidden" id="error" value=""><input type="text" name="documentoCNPJ"></form><div data-sitekey="k"></div>'
const pantaneira = (...answers: Given[]) => {
  authority.answers(PUBLICA, ...answers)
  return consultapublica.ask(cnpj, authority.meios)
}
const erro = (words: string): string => PUBLICA.replace('value=""', `value="${words}"`)

test('MS is sent the CNPJ and an empty registration, and its redirect is followed', async () => {
  const par = (label: string, value: string): string =>
    `<tr><td><label>${label}</label></td><td>${value}</td></tr>`
  const celulas = [
    par('Inscrição Estadual', '28.311.594-7'),
    par('Razão Social', 'FULANO'),
    par('Situação Cadastral', 'ATIVO'),
  ]
  const [found] = await pantaneira(
    { para: '/consultapublica/Home/Outra' },
    `<table>${celulas.join('')}</table>`,
  )
  assert.deepEqual(
    [found?.inscricao_estadual, found?.razao_social, found?.situacao_ie],
    ['283115947', 'FULANO', 'ATIVA'],
  )
  const [, pedido] = authority.seen
  assert.equal(pedido?.pedido, 'POST servicos.efazenda.ms.gov.br/consultapublica/Home/Consulta')
  const fields = { documentoIE: '', documentoCNPJ: cnpj.documento, 'g-recaptcha-response': 'resposta 1' }
  assert.deepEqual(pedido?.campos, fields)
})

test('MS: a redirect to its first page is nobody, unless the hidden message says what was wrong', async () => {
  const index = { para: '/consultapublica/Home/Index' }
  assert.deepEqual(await pantaneira(index, PUBLICA), [])
  await assert.rejects(pantaneira(index, erro('CNPJ inválido')), (error) => error instanceof ApiError)
  await assert.rejects(pantaneira(index, erro('Erro 4711')), failing('parse'))
  const robo = erro('Marque a opção Não sou um robô')
  authority.answers(PUBLICA, robo, PUBLICA, index, PUBLICA)
  assert.deepEqual(await consultapublica.ask(cnpj, authority.meios), [])
  assert.equal(authority.challenges.length, 2)
})

test('MS certifies, states debts, tells who is not registered, and gives up after three misread images', async () => {
  const inicio =
    '<form><select name="Tipo"><option value="1">CPF</option><option value="2">CNPJ</option></select><input type="text" name="n"></form>'
  const pdf = await pdfOf([['CERTIDÃO NEGATIVA', 'CNPJ 11.222.333/0001-81', 'Validade: 19/01/2027']])
  const pedir = (fala: Given, vezes = 1) => {
    authority.answers(...Array(vezes).fill([inicio, imagem, fala]).flat())
    return ms.cnd[0].ask(cnpj, authority.meios)
  }
  assert.equal((await pedir(pdf)).validade, '2027-01-19')
  assert.deepEqual(authority.seen[2]?.campos, {
    tipoIdentificacao: '2',
    numeroIdentificacao: cnpj.documento,
    CaptchaNumero: 'resposta 1',
  })
  const alerta = (words: string): string => `<h1>Certidão Negativa</h1><div class="alert">${words}</div>`
  assert.equal((await pedir(alerta('Constam débitos em nome do contribuinte.'))).status, 'positiva')
  const fora = await pedir(alerta('Documento não cadastrado no Estado de Mato Grosso do Sul.'))
  assert.equal(fora.status, 'nao_contribuinte')
  const errada = pedir(alerta('O Texto digitado não confere com a Imagem'), 4)
  await assert.rejects(errada, failing('blocked', 'captcha-errado'))
  assert.equal(authority.seen.length, 9)
})
