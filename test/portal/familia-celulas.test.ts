import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado as pb } from '../../src/estados/pb.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { type Given, openPortal, type PortalAuthority } from '../kit/authority.ts'

let authority: PortalAuthority
before(async () => {
  authority = await openPortal('www4.sefaz.pb.gov.br')
})
after(() => authority.close())

const CNPJ = '11222333000181'
const FORM = '<form><input name="nrDocumento"><div class="g-recaptcha" data-sitekey="k"></div></form>'
const celulas = [
  ['CNPJ', '11.222.333/0001-81'],
  ['Inscrição', '16.012.345-6'],
  ['Nome', 'AÇAÍ LTDA'],
  ['Rua', 'AV EPITÁCIO PESSOA'],
  ['Nº', '10'],
  ['Compl.', ''],
  ['Bairro', 'CENTRO'],
  ['Município', 'JOÃO PESSOA'],
  ['UF', 'PB'],
  ['CEP', '58000-000'],
  ['Fone', ''],
  ['CNAE', '4711-3/02 - COMÉRCIO VAREJISTA'],
  ['Regime', 'NORMAL'],
  ['Estado', 'ATIVO'],
  ['Data', '01/02/2020'],
] as const
type Celulas = readonly (readonly [string, string])[]
const tabela = (cells: Celulas): string =>
  `<table>${cells.map(([label, value]) => `<tr><td>${label}</td><td>${value}</td></tr>`).join('')}</table>`
const status = (utf8: string, code: number): Given => ({ utf8, media: 'text/html', status: code })
const ask = (...answers: readonly Given[]) => {
  authority.answers(FORM, ...answers)
  return pb.ie[1].ask({ tipo: 'cnpj', documento: CNPJ }, authority.meios)
}
const failing = (kind: string) => (error: unknown) => error instanceof SourceError && error.kind === kind

test('PB is read by the place of its cells, from the fourth on', async () => {
  const [found] = await ask(tabela(celulas))
  assert.deepEqual(
    [found?.inscricao_estadual, found?.razao_social, found?.municipio, found?.cep, found?.situacao_ie],
    ['160123456', 'AÇAÍ LTDA', 'JOÃO PESSOA', '58000000', 'ATIVA'],
  )
  assert.deepEqual(
    [found?.cnae_codigo, found?.regime_pagamento, found?.data_situacao, found?.uf_ie],
    ['4711302', 'NORMAL', '2020-02-01', 'PB'],
  )
  const asked = { tipoDoc: 'CNPJ', tpDocumento: '2', nrDocumento: CNPJ, 'g-recaptcha-response': 'resposta 1' }
  assert.deepEqual(authority.seen[1]?.campos, asked)
  assert.equal(authority.seen[1]?.pedido, 'POST www4.sefaz.pb.gov.br/sintegra/SINf_ConsultaSintegra')
})

test('PB says HTTP 404 where there is nobody; the 404 of the web server is an address that is gone', async () => {
  assert.deepEqual(await ask(status('<p>Contribuinte não localizado</p>', 404)), [])
  const gone = status('<p>The requested URL was not found on this server.</p>', 404)
  await assert.rejects(ask(gone), failing('http'))
  await assert.rejects(ask(status('<p>Erro</p>', 500)), failing('http'))
})

test('PB: cells that changed places, or a label of another field before a value, are no answer', async () => {
  const swapped = (a: number, b: number): Celulas =>
    celulas.map(([label, value], at) => [
      label,
      at === a ? (celulas[b]?.[1] ?? '') : at === b ? (celulas[a]?.[1] ?? '') : value,
    ])
  for (const [a, b] of [
    [1, 2],
    [2, 13],
    [8, 9],
    [13, 14],
    [0, 1],
  ] as const)
    await assert.rejects(ask(tabela(swapped(a, b))), failing('parse'), `${a} ${b}`)
  const named: Celulas = celulas.map(([label, value], at) => [
    at === 3 ? 'Bairro' : at === 6 ? 'Logradouro' : label,
    value,
  ])
  await assert.rejects(ask(tabela(named)), failing('parse'))
  await assert.rejects(ask(tabela(celulas.slice(0, 10))), failing('parse'))
  await assert.rejects(ask(`<html>${tabela(celulas)}`), failing('parse'))
})
