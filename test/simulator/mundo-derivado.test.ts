import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dvCnpj, dvCpf } from '../../simulator/documento/documento.ts'
import {
  checkInscricao,
  cnpjReservado,
  inscricaoReservada,
  makeInscricao,
  ufs,
} from '../../simulator/documento/inscricao-estadual.ts'
import type { Contribuinte } from '../../simulator/mundo/contribuinte.ts'
import {
  findByInscricao,
  findContribuinte,
  listContribuintes,
  listOcorrencias,
} from '../../simulator/mundo/mundo.ts'
import { isCnpj } from '../../src/documento/documento.ts'

const seguida = (n: number, ordem = '0001'): string => {
  const doze = String(10_000_000 + n * 7919) + ordem
  return doze + dvCnpj(doze)
}
const cpfSeguido = (n: number): string => {
  const nove = String(100_000_000 + n * 1_176_543)
  return nove + dvCpf(nove)
}
const inscricoes = (quem: Contribuinte | undefined) => quem?.inscricoes ?? []

test('about one in five documents of nobody is unknown; the others are always the same, in every state', () => {
  const cnpjs = Array.from({ length: 1000 }, (_, n) => seguida(n))
  const conhecidos = cnpjs.map(findContribuinte).filter((quem) => quem !== undefined)
  assert.ok(conhecidos.length > 750 && conhecidos.length < 850, `${conhecidos.length}`)
  for (const quem of conhecidos.slice(0, 100)) {
    assert.deepEqual(findContribuinte(quem.documento), quem)
    assert.deepEqual(
      quem.inscricoes.map(({ uf }) => uf),
      ufs,
    )
    for (const { uf, ie } of quem.inscricoes) assert.ok(checkInscricao(uf, ie), `${uf} ${ie}`)
  }
  const cpfs = Array.from({ length: 600 }, (_, n) => findContribuinte(cpfSeguido(n)))
  const pessoas = cpfs.filter((quem) => quem !== undefined)
  assert.ok(pessoas.length > 430 && pessoas.length < 530, `${pessoas.length}`)
  for (const { documento, inscricoes } of pessoas) assert.equal(inscricoes.length === 0, documento[8] === '8')
})

test('each state has of a document what the whole record says that it has there', () => {
  const persons = Array.from({ length: 20 }, (_, n) => cpfSeguido(n))
  const seeded = listContribuintes().filter((_, n) => n % 200 === 0)
  for (const documento of [
    ...Array.from({ length: 40 }, (_, n) => seguida(n)),
    ...persons,
    ...seeded.map((s) => s.documento),
  ])
    for (const uf of ufs) {
      const there = inscricoes(findContribuinte(documento)).filter((inscricao) => inscricao.uf === uf)
      assert.deepEqual(
        listOcorrencias(uf, documento).map(({ inscricao }) => inscricao),
        there,
        `${uf} ${documento}`,
      )
    }
})

test('an alphanumeric CNPJ of nobody is somebody, an invalid document is nobody', () => {
  assert.equal(findContribuinte('12ABC34501DE35')?.tipoDocumento, 'cnpj')
  for (const invalido of [
    '',
    '123',
    '11222333000182',
    '11111111111',
    '00000000000000',
    '12abc34501de35',
    '11.222.333/0001-81',
  ])
    assert.equal(findContribuinte(invalido), undefined)
})

test('the branches of a company of nobody carry its name', () => {
  const nomes = Array.from(
    { length: 30 },
    (_, n) => findContribuinte(seguida(3, String(n + 1).padStart(4, '0')))?.nome,
  )
  const conhecidos = new Set(nomes.filter((nome) => nome !== undefined))
  assert.equal(conhecidos.size, 1)
})

test('a number of nobody leads to somebody whose own record has it, four times in five', () => {
  for (const uf of ufs) {
    let achados = 0
    for (let n = 0; n < 100; n++) {
      const ie = makeInscricao(uf, 1_000_000 + n, n % 3 === 0 ? 'produtor' : 'comum')
      const quem = findByInscricao(uf, ie)
      if (!quem) continue
      achados++
      assert.deepEqual(findContribuinte(quem.documento), quem)
      assert.ok(
        inscricoes(quem).some((inscricao) => inscricao.uf === uf && inscricao.ie === ie),
        `${uf} ${ie}`,
      )
    }
    assert.ok(achados > 60 && achados < 97, `${uf} ${achados}`)
  }
  assert.equal(findByInscricao('SP', '110042490115'), undefined)
  assert.equal(findByInscricao('XX', '110042490114'), undefined)
  assert.equal(findByInscricao('MT', '00131837800')?.documento, findByInscricao('MT', '131837800')?.documento)
})

test('a number leads back to the document that showed it last', () => {
  for (const uf of ufs) {
    const shown = [seguida(500), seguida(501), cpfSeguido(30)].flatMap((documento) =>
      listOcorrencias(uf, documento),
    )
    for (const { contribuinte, inscricao } of shown)
      assert.equal(findByInscricao(uf, inscricao.ie)?.documento, contribuinte.documento, uf)
  }
})

test('a reserved CNPJ and the number that it stands for lead to each other', () => {
  for (const uf of ufs)
    for (let n = 0; n < 100; n++) {
      const ie = makeInscricao(uf, n, n % 2 === 0 ? 'produtor' : 'comum')
      const cnpj = cnpjReservado(uf, ie)
      assert.ok(cnpj && isCnpj(cnpj), `${uf} ${ie}`)
      assert.deepEqual(inscricaoReservada(cnpj), { uf, ie })
    }
  assert.equal(inscricaoReservada(seguida(1)), undefined)
})
