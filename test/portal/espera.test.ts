import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado as go } from '../../src/estados/go.ts'
import { createGuard } from '../../src/platform/wire/guard.ts'
import { askRotas } from '../../src/portal/rotas.ts'
import type { Inscricao } from '../../src/portal/rules-inscricao.ts'
import { openPortal, type PortalAuthority } from '../kit/authority.ts'

let authority: PortalAuthority
before(async () => {
  authority = await openPortal('appasp.sefaz.go.gov.br')
})
after(() => authority.close())

let rotulos: readonly string[] = []
let avisos: readonly string[] = []
let incompleta = false

const CNPJ = '11222333000181'
const [, rota] = go.ie

/** GO's page as it answers today, with one change. */
const pagina = (change: (page: string) => string = (page) => page): string =>
  change(`<html><body><h1>Consulta Sintegra</h1><b>CNPJ:</b><i>11.222.333/0001-81</i>
<b>Inscrição Estadual - CCE :</b><i>10.987.654-7</i><b>Nome Empresarial:</b><i>AÇAÍ LTDA</i>
<b>Nome Fantasia:</b><i></i><b>Contribuinte?</b><i>Sim</i><b>Logradouro:</b><i>RUA 1</i><b>Número:</b><i>10</i>
<b>Complemento:</b><i></i><b>Atividade Principal:</b><i></i><b>Regime de Apuração:</b><i></i><b>Operações com NF-e:</b><i></i>
<b>Bairro:</b><i>CENTRO</i><b>Município:</b><i>GOIANIA</i><b>UF:</b><i>GO</i><b>CEP:</b><i>74000-000</i>
<b>Situação Cadastral Vigente:</b><i>Ativo - HABILITADO</i><b>Data desta Situação Cadastral:</b><i>02/01/2010</i>
<b>Data de Cadastramento:</b><i>02/01/2010</i></body></html>`)

/** Asks as the service does, and notes how the reading was counted. */
async function ask(page: string): Promise<Inscricao[]> {
  authority.answers('<p>Sintegra</p>', page)
  const guard = createGuard(
    { info: () => {} },
    {
      onCall: (leitura) => {
        rotulos = leitura.rotulos
        incompleta = leitura.incompleta
      },
    },
  )
  const consulta = { uf: 'GO', meios: authority.meios, guard, request_id: 'r' } as const
  const respondido = await askRotas([rota], { tipo: 'cnpj', documento: CNPJ }, consulta)
  avisos = respondido.avisos
  return respondido.resposta
}

test('a registration with all that its route always tells is an answer', async () => {
  assert.equal((await ask(pagina()))[0]?.situacao_ie, 'ATIVA')
})

test('a registration without a situation is no answer: its label has another name today', async () => {
  const renamed = pagina((page) => page.replace('Situação Cadastral Vigente', 'Condição'))
  await assert.rejects(ask(renamed), { kind: 'parse', message: /falta o campo situacao_ie/ })
})

test('a registration without another field that is always told is no answer', async () => {
  const renamed = pagina((page) => page.replace('Município', 'Localidade'))
  await assert.rejects(ask(renamed), { kind: 'parse', message: /falta o campo municipio/ })
})

test('a page without its marker is another page, whatever it tells', async () => {
  const other = pagina((page) => page.replace('Inscrição Estadual - CCE', 'IE'))
  await assert.rejects(ask(other), { kind: 'parse', message: /falta "Inscrição Estadual"/ })
})

test('a page shorter than it ever was is another page', async () => {
  const short = pagina((page) => page.replace(/<b>Logradouro:.*CENTRO<\/i>/s, '').replace('AÇAÍ LTDA', 'ABC'))
  await assert.rejects(ask(short), { kind: 'parse', message: /caracteres/ })
})

test('a label that nobody knows is told, without its colon and without its value; a good page has none', async () => {
  await ask(pagina())
  assert.deepEqual(rotulos, [])
  const extra = pagina((page) =>
    page.replace('<b>Bairro:', '<b>Quadra Nova:</b><i>FULANO: 12:30</i><b>Bairro:'),
  )
  assert.equal((await ask(extra)).length, 1)
  assert.deepEqual(rotulos, ['Quadra Nova'])
  await assert.rejects(ask(pagina((page) => page.replace('Situação Cadastral Vigente', 'Condição'))), {
    kind: 'parse',
    message: /falta o campo situacao_ie/,
  })
  assert.deepEqual(rotulos, ['Condição'])
})

test('a page that lost the label of an optional field answers without it, and says which field and why', async () => {
  const [whole] = await ask(pagina())
  assert.deepEqual([avisos, incompleta], [[], false])
  for (const change of [
    (page: string) => page.replace('<b>CEP:', '<b>Código Postal:'),
    (page: string) => page.replace('<b>CEP:</b><i>74000-000</i>', ''),
  ]) {
    assert.deepEqual(await ask(pagina(change)), [{ ...whole, cep: '' }])
    assert.deepEqual(avisos, [
      'A SEFAZ-GO mudou a página: não se leu nela o campo cep, que ela costuma mostrar. Os outros campos foram lidos.',
    ])
    assert.equal(incompleta, true)
  }
})

test('a label that nobody knows is never the value of the empty label before it', async () => {
  const glued = (page: string) => page.replaceAll(/<b>([^<:]+?) ?:<\/b>/g, '<b>$1</b>')
  const whole = await ask(pagina(glued))
  const renamed = await ask(pagina((page) => glued(page).replace('<b>Bairro<', '<b>Setor Fiscal<')))
  assert.deepEqual(renamed, [{ ...whole[0], bairro: '' }])
  assert.deepEqual(rotulos, ['Setor Fiscal'])
})

test('a new label beside all the known ones is counted, and the answer lacks nothing', async () => {
  await ask(pagina((page) => page.replace('<b>Bairro:', '<b>Nome da Fazenda:</b><i>FAZ X</i><b>Bairro:')))
  assert.deepEqual([rotulos, avisos, incompleta], [['Nome da Fazenda'], [], false])
})

/** The address in one value, in the words of a page of 2024-11-07. */
const umValor = (endereco: string) =>
  pagina((page) =>
    page
      .replace(
        /<b>Logradouro:<.*?<b>Atividade/s,
        `<b>Endereço Estabelecimento</b><i>${endereco}</i><b>Atividade`,
      )
      .replace(/<b>Bairro:<.*?<b>Situação/s, '<b>Nome da Propriedade:</b><i>FAZ RIO VERDINHO</i><b>Situação'),
  )

test('GO’s address in one value is split into its fields', async () => {
  const [lida] = await ask(
    umValor('RODOVIA&nbsp; BR-060, nº SN, KM 381, SETOR INDUSTRIAL - RIO VERDE GO, CEP: 75.905-025 '),
  )
  assert.deepEqual([rotulos, avisos], [[], []])
  const { logradouro, numero, complemento, bairro, municipio, cep } = lida ?? assert.fail()
  assert.deepEqual(
    [logradouro, numero, complemento, bairro, municipio, cep],
    ['RODOVIA BR-060', 'SN', 'KM 381', 'SETOR INDUSTRIAL', 'RIO VERDE', '75905025'],
  )
  const [curta] = await ask(umValor('RUA 1, nº 10, SETOR - OESTE - APARECIDA DE GOIÂNIA GO, CEP: 00.000-000'))
  assert.deepEqual(
    [curta?.complemento, curta?.bairro, curta?.municipio, curta?.cep],
    ['', 'SETOR - OESTE', 'APARECIDA DE GOIÂNIA', ''],
  )
  const [outra] = await ask(umValor('FAZENDA BOA VISTA ZONA RURAL - RIO VERDE GO, CEP: 75.905-025'))
  assert.deepEqual(
    [outra?.logradouro, outra?.numero, outra?.bairro],
    ['FAZENDA BOA VISTA ZONA RURAL', '', ''],
  )
  await assert.rejects(ask(umValor('RIO VERDE')), { kind: 'parse', message: /falta o campo municipio/ })
})
