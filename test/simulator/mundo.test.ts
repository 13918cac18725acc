import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { checkInscricao, ufs } from '../../simulator/documento/inscricao-estadual.ts'
import type { Contribuinte } from '../../simulator/mundo/contribuinte.ts'
import { exemplos } from '../../simulator/mundo/exemplo.ts'
import { findByInscricao, findContribuinte, listContribuintes } from '../../simulator/mundo/mundo.ts'
import { CATALOGO } from '../../simulator/platform/icp/catalogo.ts'
import { isCnpj, isCpf } from '../../src/documento/documento.ts'
import { unzip } from '../kit/cnpj.ts'

const amostra = new URL('../../data/cnpj-amostra/', import.meta.url)

/**
 * The rows of a set of the sample that have all their columns in place, keyed by the given number of leading
 * columns.
 */
function linhas(conjunto: string, colunas: number, chave: number): Map<string, string[]> {
  const partes = readdirSync(amostra).filter((nome) => nome.startsWith(conjunto))
  const texto = partes.map((nome) => unzip(new URL(nome, amostra))[0]?.conteudo.toString('latin1')).join('')
  const inteiras = texto.split('\n').map((linha) => linha.slice(1, -1).split('";"'))
  return new Map(
    inteiras
      .filter((campos) => campos.length === colunas)
      .map((campos) => [campos.slice(0, chave).join(''), campos]),
  )
}

const inscricoes = (quem: Contribuinte | undefined) => quem?.inscricoes ?? []

test('every establishment of the sample base but one is in the world with the name, place, activity and dates it has there', () => {
  const empresas = linhas('Empresas', 7, 1)
  const ibge = new Map(
    readFileSync(new URL('../../data/municipios-siafi.csv', import.meta.url), 'utf8')
      .split('\n')
      .map((linha) => [linha.split(',')[0], linha.split(',')[1]]),
  )
  let comparados = 0
  for (const [cnpj, campos] of linhas('Estabelecimentos', 30, 3)) {
    const [, , , , fantasia, codigo = '', data = '', , , , inicio = '', cnae] = campos
    const [, logradouro, numero, , bairro, , uf, municipio] = campos.slice(13)
    const situacao = codigo.padStart(2, '0')
    const quem = findContribuinte(cnpj)
    assert.ok(quem, cnpj)
    if (cnpj === exemplos().divergente.documento) continue
    const nome = empresas.get(cnpj.slice(0, 8))?.[1]
    if (nome) assert.equal(quem.nome, nome.trim().replace(/ +/g, ' '), cnpj)
    assert.equal(quem.fantasia, fantasia, cnpj)
    const propria = quem.inscricoes.find((inscricao) => inscricao.tipo === 'NORMAL')
    if (!propria || !/^(19|20)/.test(data) || /\0| {2}|\\/.test(campos.join())) continue
    comparados++
    const { endereco } = propria
    assert.ok(endereco.logradouro.endsWith(logradouro ?? ''), cnpj)
    assert.deepEqual(
      [endereco.numero, endereco.bairro, endereco.uf, endereco.codigoMunicipio, propria.cnae],
      [numero, bairro, uf, ibge.get(municipio), cnae],
      cnpj,
    )
    if (inicio) assert.equal(propria.inicio.replaceAll('-', ''), inicio, cnpj)
    if (situacao === '08') {
      assert.equal(propria.situacao, 'baixado', cnpj)
      const depois = inicio > data ? inicio : data
      assert.equal(propria.baixa.replaceAll('-', ''), depois, cnpj)
    } else assert.equal(propria.situacao === 'habilitado' && situacao !== '02', false, cnpj)
  }
  assert.ok(comparados > 1700, `${comparados}`)
})

test('the known public bodies, alphanumeric CNPJs and branches of one company are there', () => {
  assert.equal(findContribuinte('00000000000191')?.nome, 'BANCO DO BRASIL SA')
  assert.equal(findContribuinte('33000167000101')?.inscricoes[0]?.uf, 'RJ')
  const documentos = listContribuintes().map(({ documento }) => documento)
  assert.ok(documentos.filter((documento) => /[A-Z]/.test(documento)).length >= 15)
  assert.ok(documentos.filter((documento) => /^\d{8}(?!0001)\d{6}$/.test(documento)).length > 200)
})

test('every seeded document, number, municipality and history is sound, and every number leads to its owner', () => {
  const todos = listContribuintes()
  const vistas = new Set<string>()
  for (const quem of todos) {
    assert.ok(quem.tipoDocumento === 'cpf' ? isCpf(quem.documento) : isCnpj(quem.documento), quem.documento)
    for (const inscricao of quem.inscricoes) {
      const { uf, ie, endereco, historico, situacao } = inscricao
      assert.ok(checkInscricao(uf, ie), `${uf} ${ie}`)
      assert.ok(!vistas.has(uf + ie), `${uf} ${ie}`)
      vistas.add(uf + ie)
      assert.equal(findByInscricao(uf, ie), quem)
      assert.match(endereco.codigoMunicipio, /^\d{7}$/)
      assert.equal(historico[0]?.data, inscricao.inicio)
      assert.deepEqual(historico.at(-1), { data: inscricao.ultimaSituacao, situacao })
      const datas = historico.map(({ data }) => data)
      assert.deepEqual(datas, datas.toSorted())
      assert.ok(inscricao.ultimaSituacao <= '2026-10-10', inscricao.ultimaSituacao)
      assert.equal(inscricao.baixa, situacao === 'baixado' ? inscricao.ultimaSituacao : '')
      assert.ok(inscricao.cnaeDescricao, inscricao.cnae)
    }
  }
  assert.ok(todos.length > 4000 && vistas.size > 3000)
})

test('most producers are persons with one to five farms a state, those of PR with its own series, those of SP with a CNPJ', () => {
  const rurais = listContribuintes().filter(({ inscricoes }) =>
    inscricoes.some(({ tipo }) => tipo === 'PRODUTOR RURAL'),
  )
  const pessoas = rurais.filter(({ tipoDocumento }) => tipoDocumento === 'cpf')
  assert.ok(pessoas.length >= 500)
  for (const { inscricoes } of pessoas) {
    for (const uf of ufs) assert.ok(inscricoes.filter((inscricao) => inscricao.uf === uf).length <= 5)
    for (const { uf, ie, cnae } of inscricoes) {
      assert.notEqual(uf, 'SP')
      assert.match(cnae, /^0[123]/)
      if (uf === 'PR') assert.match(ie, /^9[56]/)
    }
  }
  assert.equal(new Set(pessoas.flatMap(({ inscricoes }) => inscricoes.map(({ uf }) => uf))).size, 26)
  const paulistas = rurais.filter(({ tipoDocumento }) => tipoDocumento === 'cnpj')
  assert.ok(paulistas.length >= 20)
  for (const { naturezaJuridica, inscricoes } of paulistas)
    assert.deepEqual([naturezaJuridica, inscricoes[0]?.uf], ['4120', 'SP'])
})

test('who holds an A1 file is registered, under the name that the certificate has', () => {
  for (const { titular } of CATALOGO) {
    const quem = findContribuinte(titular.documento)
    assert.equal(quem?.nome, titular.nome)
    assert.ok(
      inscricoes(quem).some(({ situacao }) => situacao === 'habilitado'),
      titular.documento,
    )
  }
})

test('the examples are what they say', () => {
  const e = exemplos()
  const em = ({ uf, documento }: { uf: string; documento: string }) =>
    inscricoes(findContribuinte(documento)).filter((inscricao) => inscricao.uf === uf)
  assert.deepEqual([...e.umaInscricao.keys()], ufs)
  for (const [uf, documento] of e.umaInscricao)
    assert.deepEqual(
      em({ uf, documento }).map(({ situacao, tipo, endereco }) => [situacao, tipo, endereco.uf]),
      [['habilitado', 'NORMAL', uf]],
    )
  assert.ok(e.variasInscricoes.length >= 10 && e.produtorRural.length === 26)
  for (const exemplo of e.variasInscricoes) assert.ok(em(exemplo).length > 1)
  for (const exemplo of e.produtorRural) assert.ok(isCpf(exemplo.documento) && em(exemplo).length > 0)
  assert.equal(em(e.produtorComCnpj)[0]?.tipo, 'PRODUTOR RURAL')
  assert.equal(em(e.baixada)[0]?.situacao, 'baixado')
  assert.equal(em(e.suspensa)[0]?.situacao, 'suspenso')
  const [deAntes] = em(e.divergente)
  assert.deepEqual([deAntes?.situacao, deAntes?.endereco.logradouro], ['suspenso', 'RUA DO ENDERECO ANTIGO'])
  assert.equal(findContribuinte(e.divergente.documento)?.nome, 'DANIEL PASSOS FERRAGENS E FILHOS LTDA')
  assert.match(e.alfanumerico.documento, /[A-Z]/)
  for (const documento of [e.semInscricao, e.pessoaSemInscricao])
    assert.deepEqual(findContribuinte(documento)?.inscricoes, [])
  assert.ok(isCnpj(e.desconhecido) && findContribuinte(e.desconhecido) === undefined)
})
