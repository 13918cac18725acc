import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foraDeForma } from '../../src/portal/rotas.ts'
import type { Inscricao } from '../../src/portal/rules-inscricao.ts'
import { situacaoIe } from '../../src/portal/rules-inscricao.ts'
import { inscricaoDeTeste } from '../kit/authority.ts'

const boa: Inscricao = {
  ...inscricaoDeTeste('109876547'),
  cpf_cnpj: '11.222.333/0001-81',
  municipio: 'GOIÂNIA',
  cep: '74000000',
  cnae_codigo: '4711302',
  data_situacao: '2010-01-02',
  data_inicio_atividade: '2010-01',
}

test('a registration whose fields are what they are called is in form, also where they are empty', () => {
  assert.equal(foraDeForma(boa, 'GO'), undefined)
  assert.equal(foraDeForma(inscricaoDeTeste('109876547'), 'GO'), undefined)
  for (const data_situacao of ['NÃO INFORMADA', '-', 'SEM DATA', '2/1/2010'])
    assert.equal(foraDeForma({ ...boa, data_situacao }, 'GO'), undefined, data_situacao)
})

test('a value of another field is seen by its form', () => {
  const rows: readonly (readonly [keyof Inscricao, string])[] = [
    ['inscricao_estadual', 'AÇAÍLTDA'],
    ['inscricao_estadual', '11222333000181'],
    ['razao_social', '109876547'],
    ['razao_social', '02/01/2010'],
    ['razao_social', 'HABILITADO'],
    ['razao_social', 'NÃO HABILITADO'],
    ['municipio', '74.000-000'],
    ['municipio', 'BAIXADO'],
    ['cep', 'GOIÂNIA'],
    ['cep', '109876547'],
    ['cnae_codigo', 'GOIÂNIA'],
    ['data_situacao', 'AÇAÍ LTDA'],
    ['data_inicio_atividade', '74.000-000'],
    ['logradouro', '11.222.333/0001-81'],
    ['bairro', 'ATIVO'],
  ]
  for (const [campo, value] of rows)
    assert.equal(foraDeForma({ ...boa, [campo]: value }, 'GO'), campo, `${campo}: ${value}`)
})

test('a number and a postal code of one length that changed places are told apart by the check digits', () => {
  const carioca = { ...boa, inscricao_estadual: '00563684', cep: '20031170' }
  assert.equal(foraDeForma(carioca, 'RJ'), undefined)
  const swapped = { ...carioca, inscricao_estadual: '20031170', cep: '00563684' }
  assert.equal(foraDeForma(swapped, 'RJ'), 'inscricao_estadual')
})

test('a status is one of the words for it, and never a default', () => {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Ativo - HABILITADO', 'ATIVA'],
    ['1 - ATIVA', 'ATIVA'],
    ['NÃO HABILITADO', 'NÃO HABILITADA'],
    ['Baixada de ofício', 'BAIXADA'],
    ['Inativo', 'Inativo'],
    ['PEDIDO DE BAIXA', 'PEDIDO DE BAIXA'],
    ['CASSADA', 'CASSADA'],
    ['Em processo de baixa', 'Em processo de baixa'],
    ['GOIÂNIA', undefined],
    ['AÇAÍ LTDA', undefined],
    ['02/01/2010', undefined],
    ['', undefined],
    ['NORMAL', undefined],
    [`ATIVA ${'E MAIS '.repeat(20)}`, undefined],
  ]
  for (const [said, status] of rows) assert.equal(situacaoIe(said), status, said)
})
