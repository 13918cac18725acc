import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isValidIe } from '@brazilian-utils/brazilian-utils/is-valid-ie'
import {
  checkInscricao,
  indiceDaInscricao,
  inscricaoDoIndice,
  makeInscricao,
  ufs,
} from '../../simulator/documento/inscricao-estadual.ts'
import type { Uf } from '../../simulator/documento/uf.ts'
import { inscricaoProblem } from '../../src/documento/inscricao-estadual.ts'

const QUANTAS = 2500
/** The published worked example of each state (sintegra.gov.br), and one more where a state has two forms. */
const publicados: [Uf, string][] = [
  ['AC', '0100482300112'],
  ['AL', '240000048'],
  ['AM', '999999990'],
  ['AP', '030123459'],
  ['BA', '12345663'],
  ['BA', '61234557'],
  ['BA', '100000306'],
  ['CE', '060000015'],
  ['DF', '0730000100109'],
  ['DF', '0803455100107'],
  ['ES', '999999990'],
  ['GO', '109876547'],
  ['MA', '120000385'],
  ['MG', '0623079040081'],
  ['MS', '283115947'],
  ['MT', '00130000019'],
  ['PA', '159999995'],
  ['PB', '160000017'],
  ['PE', '032141840'],
  ['PI', '193016567'],
  ['PR', '1234567850'],
  ['RJ', '99999993'],
  ['RN', '200400401'],
  ['RN', '2000400400'],
  ['RO', '00000000625213'],
  ['RR', '240066281'],
  ['RS', '2243658792'],
  ['SC', '251040852'],
  ['SE', '271234563'],
  ['SP', '110042490114'],
  ['SP', 'P011004243002'],
  ['TO', '29010227836'],
]

/**
 * The library's verdict. MT prints nine digits of the eleven of its rule, and 08 of DF is younger than the
 * library.
 */
function outroDiz(uf: Uf, ie: string): boolean {
  if (uf === 'DF' && ie.startsWith('08')) return inscricaoProblem(uf, ie) === undefined
  return isValidIe({ value: uf === 'MT' ? ie.padStart(11, '0') : ie, stateCode: uf })
}

/** The same number with one digit changed. `n` tells which digit and its new value. */
function changeDigito(ie: string, n: number): string {
  const posicao = ie.startsWith('P') ? 1 + (n % (ie.length - 1)) : n % ie.length
  const novo = (Number(ie[posicao]) + 1 + (n % 9)) % 10
  return ie.slice(0, posicao) + novo + ie.slice(posicao + 1)
}

test('there are 27 states', () => assert.equal(ufs.length, 27))

for (const uf of ufs) {
  test(`an independent validator agrees on every number made for ${uf}, and on each with one digit changed`, () => {
    const feitas = new Set<string>()
    for (let n = 0; n < QUANTAS; n++) {
      const ie = makeInscricao(uf, n, n % 5 === 0 ? 'produtor' : 'comum')
      feitas.add(ie)
      assert.ok(outroDiz(uf, ie) && checkInscricao(uf, ie), ie)
      const trocada = changeDigito(ie, n)
      assert.equal(checkInscricao(uf, trocada), outroDiz(uf, trocada), trocada)
    }
    assert.ok(feitas.size > QUANTAS * 0.99, `${feitas.size}`)
  })
}

test('the published examples are valid, and their check digits alone', () => {
  for (const [uf, ie] of publicados) {
    assert.ok(checkInscricao(uf, ie), `${uf} ${ie}`)
    const ultimo = ie.length - 1
    // The last digit of SP's rural form is free.
    if (!ie.startsWith('P'))
      assert.ok(!checkInscricao(uf, ie.slice(0, ultimo) + ((Number(ie[ultimo]) + 5) % 10)), `${uf} ${ie}`)
  }
})

test('a number of another length, with punctuation or all of zeros is refused everywhere', () => {
  for (const uf of ufs) {
    const ie = makeInscricao(uf, 3)
    for (const errada of [
      '',
      ie.slice(1),
      `${ie}00000`,
      `${ie.slice(0, 2)}.${ie.slice(3)}`,
      ie.replace(/./g, '0'),
    ])
      assert.ok(!checkInscricao(uf, errada), `${uf} ${errada}`)
  }
})

test('the two check digits that GO takes for one number, and the range with its own rule', () => {
  assert.ok(checkInscricao('GO', '110944020') && checkInscricao('GO', '110944021'))
  for (let numero = 10_103_100; numero < 10_103_400; numero++)
    for (let digito = 0; digito < 10; digito++)
      assert.equal(checkInscricao('GO', `${numero}${digito}`), outroDiz('GO', `${numero}${digito}`))
})

test('the old ranges of AP, which add to the sum, agree at their borders', () => {
  for (const inicio of [3_000_001, 3_016_950, 3_018_970])
    for (let numero = inicio; numero < inicio + 100; numero++)
      for (let digito = 0; digito < 10; digito++) {
        const ie = `0${numero}${digito}`
        assert.equal(checkInscricao('AP', ie), outroDiz('AP', ie), ie)
      }
})

test('rural producers of PR get 95 and 96, those of SP the rural form, companies never', () => {
  for (let n = 0; n < 200; n++) {
    assert.match(makeInscricao('PR', n, 'produtor'), /^9[56]\d{8}$/)
    assert.match(makeInscricao('PR', n), /^90\d{8}$/)
    assert.match(makeInscricao('SP', n, 'produtor'), /^P\d{12}$/)
    assert.match(makeInscricao('SP', n), /^\d{12}$/)
    assert.match(makeInscricao('MT', n), /^13\d{7}$/)
  }
})

test('BA, RN and TO hand out numbers of both their lengths', () => {
  for (const [uf, curta, longa] of [
    ['BA', 8, 9],
    ['RN', 9, 10],
    ['TO', 9, 11],
  ] as const) {
    const tamanhos = new Set(Array.from({ length: 100 }, (_, n) => makeInscricao(uf, n).length))
    assert.deepEqual(
      [...tamanhos].sort((a, b) => a - b),
      [curta, longa],
    )
  }
})

test('a number and its place among the valid ones lead to each other', () => {
  for (const uf of ufs)
    for (let n = 0; n < 300; n++) {
      const ie = makeInscricao(uf, n, n % 2 === 0 ? 'produtor' : 'comum')
      const indice = indiceDaInscricao(uf, ie)
      assert.ok(indice)
      assert.equal(inscricaoDoIndice(uf, indice), ie)
    }
})
