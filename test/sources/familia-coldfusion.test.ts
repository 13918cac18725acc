import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SourceError } from '../../src/domain/source-error.ts'
import { estado as df } from '../../src/sources/estados/df.ts'
import { type Fala, type Palco, startPalco } from './portal-em-cena.ts'

const CNPJ = '11222333000181'

let palco: Palco
before(async () => {
  palco = await startPalco('www.fazenda.df.gov.br')
})
after(() => palco.close())

test('DF lists numbers, each asked for by itself, from the page that it wants to be called from', async () => {
  const linha = (label: string, ...values: string[]): string =>
    `<tr><td>${[label, ...values].join('</td><td>')}</td></tr>`
  const detail =
    linha('CNPJ/CPF', '11.222.333/0001-81') +
    linha('CF/DF', '07300001001-09') +
    linha('RAZÃO SOCIAL', 'X LTDA') +
    linha('NOME FANTASIA', '') +
    linha('ATIVIDADE PRINCIPAL', 'G4711302', 'COMÉRCIO') +
    linha('SITUAÇÃO CADASTRAL', 'ATIVO')
  const page = (rows: string): Fala => ({ utf8: `<table>${rows}</table>`, media: 'text/html' })
  palco.falas(
    page(linha('CF/DF', 'SITUAÇÃO') + linha('07.300.001/001-09', 'ATIVO') + linha('07300001001-09', CNPJ)),
    page(detail),
  )
  const found = await df.ie[0].consultar({ tipo: 'cnpj', documento: CNPJ }, palco.meios)
  assert.equal(found.length, 1)
  assert.deepEqual(
    [found[0]?.nome_fantasia, found[0]?.cnae_codigo, found[0]?.cnae_descricao],
    ['', '4711302', 'COMÉRCIO'],
  )
  const [list, one] = palco.vistos
  assert.equal(list?.cabecalhos.referer, 'http://www.fazenda.df.gov.br/area.cfm?id_area=110')
  assert.deepEqual(list?.campos, { sefp: '1', estado: 'DF', identificador: '2', argumento: CNPJ })
  assert.deepEqual(one?.campos, { cCFDF: '0730000100109' })
  palco.falas(page('Nenhum resultado encontrado'))
  assert.deepEqual(await df.ie[0].consultar({ tipo: 'cnpj', documento: CNPJ }, palco.meios), [])
  palco.falas(page('Bem-vindo'))
  await assert.rejects(
    df.ie[0].consultar({ tipo: 'cnpj', documento: CNPJ }, palco.meios),
    (error) => error instanceof SourceError && error.kind === 'parse',
  )
})
