import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  cnpjProblem,
  cpfProblem,
  formatDocumento,
  isCnpj,
  isCpf,
  maskDocumento,
} from '../../src/documento/documento.ts'
import { anyPoint } from '../kit/points.ts'

/** Public bodies' own numbers, and the official example of the alphanumeric form (IN RFB 2.229/2024). */
const VALID = [
  '00000000000191',
  '33683111000107',
  '33683111000280',
  '33000167000101',
  '00360305000104',
  '12ABC34501DE35',
]

test('valid CNPJs are taken, numeric and alphanumeric', () => {
  for (const cnpj of VALID) assert.equal(cnpjProblem(cnpj), undefined, cnpj)
})

// Letters are left out: B (18) and 7 are the same modulo 11, so the rule itself cannot tell them apart.
test('one changed digit, or two neighbours swapped, is no longer a CNPJ', () => {
  for (const cnpj of VALID.filter((text) => /^\d+$/.test(text))) {
    for (let i = 0; i < 14; i++) {
      const other = cnpj[i] === '7' ? '3' : '7'
      assert.equal(isCnpj(cnpj.slice(0, i) + other + cnpj.slice(i + 1)), false, `${cnpj} at ${i}`)
    }
  }
  assert.equal(isCnpj('33683110100107'), false)
})

test('valid CPFs are taken; repeated digits and wrong digits are not', () => {
  for (const cpf of ['52998224725', '12345678909', '11144477735']) assert.equal(isCpf(cpf), true, cpf)
  for (const cpf of [
    '11111111111',
    '00000000000',
    '52998224724',
    '5299822472',
    '529982247250',
    '529.982.247-25',
    '',
  ]) {
    assert.equal(isCpf(cpf), false, cpf)
  }
})

test('what is wrong with a CNPJ is said in Portuguese, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyPoint }), (text) => {
      const problem = cnpjProblem(text)
      assert.equal(isCnpj(text), problem === undefined)
      if (problem !== undefined) assert.match(problem, /envie|dígito/)
    }),
  )
})

test('a CNPJ with letters is told what is wrong with it, and not to send digits alone', () => {
  for (const [text, says] of [
    ['12.ABC.345/01DE-35', /só as letras e os dígitos, sem pontos, barra, traço/],
    ['12abc34501de35', /em maiúsculas/],
    ['12ABC34501DE36', /dígito verificador não confere; verifique as letras e os dígitos/],
    ['12ABC34501DE3', /14 caracteres do CNPJ alfanumérico.*: 13$/],
    ['12ABC34501DEA5', /dígitos nas 2 últimas/],
    ['12ABC34501DÉ35', /sem acento/],
  ] as const) {
    assert.match(cnpjProblem(text) ?? '', says, text)
    assert.doesNotMatch(cnpjProblem(text) ?? '', /somente dígitos/, text)
  }
  assert.match(cnpjProblem('33.683.111/0001-07') ?? '', /somente dígitos, sem pontos/)
  assert.match(cnpjProblem('3368311100010*') ?? '', /somente dígitos$/)
})

test('what is wrong with a CPF is said in Portuguese, whatever the text', () => {
  assert.equal(cpfProblem('52998224725'), undefined)
  assert.match(cpfProblem('529.982.247-25') ?? '', /somente dígitos/)
  assert.match(cpfProblem('5299822472') ?? '', /11 dígitos; caracteres recebidos: 10/)
  assert.match(cpfProblem('5299822472X') ?? '', /somente dígitos/)
  assert.match(cpfProblem('11111111111') ?? '', /iguais/)
  assert.match(cpfProblem('52998224724') ?? '', /dígito verificador/)
  fc.assert(
    fc.property(fc.string({ unit: anyPoint }), (text) => {
      const problem = cpfProblem(text)
      assert.equal(isCpf(text), problem === undefined)
      if (problem !== undefined) assert.match(problem, /envie|dígito/)
    }),
  )
})

test('a document is written as people read it, and other text is left alone', () => {
  assert.equal(formatDocumento('00000000000191'), '00.000.000/0001-91')
  assert.equal(formatDocumento('12ABC34501DE35'), '12.ABC.345/01DE-35')
  assert.equal(formatDocumento('52998224725'), '529.982.247-25')
  assert.equal(
    formatDocumento('529.982.247-25'),
    '529.982.247-25',
    'a CPF with its mask is as long as a CNPJ',
  )
  for (const text of ['', '1234', '00.000.000/0001-91']) assert.equal(formatDocumento(text), text)
})

test('a masked document never holds the whole of it', () => {
  assert.equal(maskDocumento('52998224725'), '***982247**')
  assert.equal(maskDocumento('33683111000107'), '3368********07')
  assert.equal(maskDocumento('12ABC34501DE35'), '12AB********35')
  assert.equal(maskDocumento('fk_segredo'), '<10 caracteres>')
})
