import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readMunicipios, readTabela } from '../../simulator/dados-abertos/palavras.ts'
import { tabelasSemBase } from '../../src/cnpj/lookup.ts'

const readData = (name: string): string => readFileSync(join(import.meta.dirname, '../../data', name), 'utf8')

test('the tables of a service without a base are those of the dump', () => {
  const tabelas = tabelasSemBase()
  const qualificacoes = readTabela('qualificacoes')
  assert.ok(qualificacoes.length >= 68)
  for (const [codigo, descricao] of qualificacoes) assert.equal(tabelas.qualificacao(codigo), descricao)
  for (const { tom, ibge, nome } of readMunicipios()) assert.deepEqual(tabelas.municipio(tom), { nome, ibge })
  assert.deepEqual(tabelas.municipio('9707'), { nome: 'EXTERIOR', ibge: '' })
  assert.equal(tabelas.qualificacao('36'), 'Gerente-Delegado', 'which the dump itself lacks')
  assert.equal(tabelas.qualificacao('99'), undefined)
  assert.equal(tabelas.municipio('0000'), undefined)
})

test('every legal nature without partners is one of the dump, in its words', () => {
  const names = new Map(readTabela('naturezas'))
  const [, ...lines] = readData('cnpj-naturezas-sem-qsa.csv').trim().split('\n')
  assert.ok(lines.length > 50)
  for (const line of lines) {
    const [codigo = '', certeza = '', ...descricao] = line.split(',')
    assert.equal(descricao.join(','), names.get(codigo), line)
    assert.match(certeza, /^(?:verificado|deduzido)$/, line)
  }
  const codes = lines.map((line) => line.slice(0, 4))
  assert.equal(new Set(codes).size, codes.length)
  assert.deepEqual(
    ['2046', '2062', '2143', '2305', '3999'].filter((code) => codes.includes(code)),
    [],
  )
})

test('every code stands once', () => {
  const text = readData('cnpj-qualificacoes.csv')
  const codes = text
    .trim()
    .split('\n')
    .map((line) => line.slice(0, line.indexOf(',')))
  assert.equal(new Set(codes).size, codes.length)
})
