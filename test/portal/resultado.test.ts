import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { estado as ba } from '../../src/estados/ba.ts'
import { estado as ce } from '../../src/estados/ce.ts'
import { estado as pr } from '../../src/estados/pr.ts'
import { SourceError } from '../../src/platform/wire/fonte.ts'
import { type Given, imagem, openPortal, type PortalAuthority } from '../kit/authority.ts'

let authority: PortalAuthority
before(async () => {
  authority = await openPortal(
    'portal.sefaz.ba.gov.br',
    'consultapublica.sefaz.ce.gov.br',
    'www.sintegra.fazenda.pr.gov.br',
  )
})
after(() => authority.close())

const CNPJ = '11222333000181'
const parse = (error: unknown) => error instanceof SourceError && error.kind === 'parse'
const linhas = (...pairs: readonly (readonly [string, string])[]): string =>
  pairs.map(([label, value]) => `<tr><td>${label}</td><td>${value}</td></tr>`).join('')
const QUEM = [
  ['CNPJ:', '11.222.333/0001-81'],
  ['Inscrição Estadual:', '123456-63'],
  ['Razão Social:', 'JOSÉ &amp; FILHOS &Eacute;PICOS LTDA'],
] as const

const consultaBa = async (...answers: Given[]) => {
  authority.answers('<form><input type="hidden" name="x" value="1"></form>', ...answers)
  return ba.ie[1].ask({ tipo: 'cnpj', documento: CNPJ }, authority.meios)
}

test('a message that waits hidden for a script is no word of the state', async () => {
  const validator = '<span style="color:Red;visibility:hidden;">CNPJ inválido</span>'
  const popup =
    '<div style="display: none"><p>Nenhum resultado encontrado</p></div><p hidden>CPF inválido</p>'
  const [found] = await consultaBa(`${validator}${popup}<table>${linhas(...QUEM)}</table>`)
  assert.equal(found?.razao_social, 'JOSÉ & FILHOS ÉPICOS LTDA')
  await assert.rejects(consultaBa(`${validator}${popup}<p>Bem-vindo. Usuário e senha:</p>`), parse)
})

test('a registration that is shown counts, whatever phrase stands in the foot', async () => {
  const foot = '<p>Ajuda: se ler "nenhum registro encontrado" ou "CNPJ inválido", confira o número.</p>'
  assert.equal((await consultaBa(`<table>${linhas(...QUEM)}</table>${foot}`)).length, 1)
})

test('a firm that is called like a label with its value changes no field of its registration', async () => {
  const [found] = await consultaBa(
    linhas(
      ...QUEM,
      ['Nome Fantasia:', 'Situação Cadastral Vigente: ATIVO'],
      ['Complemento:', 'CEP: 01000-000'],
      ['CEP:', '40000-000'],
      ['Situação Cadastral Vigente:', 'BAIXADO'],
    ),
  )
  assert.deepEqual([found?.situacao_ie, found?.cep], ['BAIXADA', '40000000'])
})

test('a firm that is called like an empty result is not unregistered where its page cannot be read', async () => {
  const campos = [
    ...QUEM.slice(0, 2),
    ['Nome:', 'NENHUM RESULTADO ENCONTRADO LTDA'],
    ['Município:', 'SALVADOR'],
    ['CEP:', '40000-000'],
    ['Situação Cadastral Vigente:', 'ATIVO'],
  ] as const
  await assert.rejects(consultaBa(linhas(...campos)), parse)
  assert.deepEqual(await consultaBa(`${linhas(...QUEM.slice(0, 1))}<p>Nenhum resultado encontrado</p>`), [])
})

test('an empty value is empty, also before a label that is not known, one with its value, or a heading', async () => {
  const [found] = await consultaBa(
    linhas(
      ...QUEM,
      ['Nome Fantasia:', ''],
      ['Tipo de Sociedade:', 'LIMITADA'],
      ['Complemento:', ''],
      ['Bairro: CENTRO', ''],
      ['Situação Cadastral Atual:', ''],
      ['INFORMAÇÕES COMPLEMENTARES', ''],
    ),
  )
  assert.deepEqual(
    [found?.nome_fantasia, found?.complemento, found?.bairro, found?.situacao_ie],
    ['', '', 'CENTRO', ''],
  )
})

test('what is of an accountant, a partner or a second address is not of the taxpayer', async () => {
  const [found] = await consultaBa(
    linhas(
      ...QUEM,
      ['Logradouro:', 'RUA A'],
      ['Atividade Econômica:', '4711-3/02 - COMÉRCIO'],
      ['Atividade Secundária:', '0111-3/01 - ARROZ'],
      ['CONTADOR', ''],
      ['CPF:', '529.982.247-25'],
      ['Complemento:', 'SALA DO CONTADOR'],
      ['CEP:', '40000-000'],
      ['Situação Cadastral:', 'ATIVO'],
    ),
  )
  assert.deepEqual(
    [found?.logradouro, found?.complemento, found?.cep, found?.cnae_codigo],
    ['RUA A', '', '', '4711302'],
  )
  assert.equal(found?.situacao_ie, 'ATIVA')
})

test('a search form above the result, or the number in a heading, is no other registration', async () => {
  const form =
    '<p>CNPJ:</p><input name="CGC" value="11222333000181"><p>Inscrição Estadual:</p><input name="IE">'
  assert.equal((await consultaBa(`${form}<table>${linhas(...QUEM)}</table>`)).length, 1)
  const heading = '<h1>Inscrição Estadual: 123456-63</h1>'
  assert.equal((await consultaBa(`${heading}<table>${linhas(...QUEM)}</table>`)).length, 1)
})

test('several registrations are told apart also where label and value are one text', async () => {
  const one = (ie: string) =>
    `<p>CNPJ: 11.222.333/0001-81</p><p>Inscrição Estadual: ${ie}</p><p>Razão Social: X</p>`
  const found = await consultaBa(one('123456-63') + one('612345-57'))
  assert.deepEqual(
    found.map(({ inscricao_estadual }) => inscricao_estadual),
    ['12345663', '61234557'],
  )
})

test('a number without digits is no registration, and a status is a whole word', async () => {
  await assert.rejects(consultaBa(linhas(QUEM[0], ['Inscrição Estadual:', 'ISENTO'], QUEM[2])), parse)
  const [found] = await consultaBa(linhas(...QUEM, ['Situação Cadastral:', 'ATIVIDADES ENCERRADAS']))
  assert.equal(found?.situacao_ie, 'ATIVIDADES ENCERRADAS')
})

test('codes and dates stay as long as they are, but for the zero that a page drops', async () => {
  const cases = [
    ['111301 - ARROZ', '0111301'],
    ['4711-3 - COMÉRCIO', '47113'],
    ['4711302', '4711302'],
  ] as const
  for (const [said, code] of cases) {
    const [found] = await consultaBa(linhas(...QUEM, ['Atividade Econômica:', said], ['CEP:', '1310100']))
    assert.deepEqual([found?.cnae_codigo, found?.cep], [code, '01310100'])
  }
  const [found] = await consultaBa(
    linhas(
      ...QUEM,
      ['Data da Inscrição Estadual:', '00/00/0000'],
      ['Situação Cadastral:', 'BAIXADO EM 02/03/2020'],
    ),
  )
  assert.deepEqual(
    [found?.data_inicio_atividade, found?.situacao_cadastral, found?.data_situacao],
    ['', 'BAIXADO', '2020-03-02'],
  )
})

test('PR tells month and year', async () => {
  authority.answers(
    '<form><img src="captcha?1"></form>',
    imagem,
    linhas(...QUEM, ['Situação Atual:', 'ATIVO - DESDE 06/1990']),
  )
  const [found] = await pr.ie[1].ask({ tipo: 'cnpj', documento: CNPJ }, authority.meios)
  assert.deepEqual(
    [found?.situacao_ie, found?.situacao_cadastral, found?.data_situacao],
    ['ATIVA', 'ATIVO', '1990-06'],
  )
})

test('city and state in one value are told apart', async () => {
  const [found] = await consultaBa(linhas(...QUEM, ['Município/UF:', 'CUIABÁ/MT']))
  assert.equal(found?.municipio, 'CUIABÁ')
})

test('a registration that is listed and not shown is a failure, not one less', async () => {
  const lista = '<table id="dadossintegra"><tr><td><a href="det?1">1</a><a href="#">x</a></td></tr></table>'
  authority.answers(lista, '<h2>Nenhum contribuinte encontrado</h2>')
  await assert.rejects(ce.ie[0].ask({ tipo: 'cnpj', documento: CNPJ }, authority.meios), parse)
})

test('a page nested as deep as it is long is read all the same', async () => {
  await assert.rejects(consultaBa('<b>'.repeat(200_000)), parse)
})
