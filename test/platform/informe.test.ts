import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Informe, informesDe, informesEm, informesRurais } from '../../src/platform/informes.ts'

const informe: Informe = {
  id: 'um',
  onde: ['imovel'],
  de: '2026-05-12',
  ate: '2028-01-02',
  fonte: 'Norma 1',
  conferido: '2026-11-24',
  lida: true,
  texto: 'Fato.',
}
const em = (instante: string, one: Informe = informe): string[] =>
  informesEm([one], ['imovel'], new Date(instante))

test('a note is shown from its first day to its last, by the calendar of Brasília', () => {
  assert.deepEqual(em('2026-05-12T02:59:59Z'), [])
  assert.deepEqual(em('2026-05-12T03:00:00Z'), ['Fato. Fonte: Norma 1, lida em 24/11/2026.'])
  assert.equal(em('2028-01-03T02:59:59Z').length, 1)
  assert.deepEqual(em('2028-01-03T03:00:00Z'), [])
  assert.equal(em('2050-01-01T00:00:00Z', { ...informe, ate: '' }).length, 1)
  assert.match(
    String(em('2027-01-01T00:00:00Z', { ...informe, lida: false })),
    /vista por citação de terceiros em/,
  )
})

test('a note is shown only where it belongs', () => {
  assert.deepEqual(informesEm([informe], ['nfe', 'cpf'], new Date('2027-01-01T12:00:00Z')), [])
})

test('the dates of the norms rule which note is shown: deemed confirmation, georeferencing, PRODES, CNPJ of the producer', () => {
  const words = { nfe: /90 dias/, geo: /georreferenciamento/, prodes: /PRODES/, cpf: /cria um CNPJ/ }
  for (const [dia, expected] of [
    ['2025-10-20', []],
    ['2025-10-21', [/passa a ser exigida .* em 21\/10\/2029/]],
    [
      '2026-05-31',
      [/passa a ser/, /04\/01\/2027 .* 01\/07\/2027 .* 03\/01\/2028 .*condicionado a um documento/],
    ],
    ['2026-06-01', [words.nfe, words.geo, words.prodes]],
    ['2026-07-01', [words.nfe, words.geo, words.prodes, words.cpf]],
    ['2028-01-03', [words.nfe, words.geo, /qualquer tamanho desde 03\/01\/2028/]],
    ['2029-10-21', [words.nfe, /é exigida .* desde 21\/10\/2029/, words.prodes]],
  ] as const) {
    const told = informesDe(['nfe', 'imovel', 'cpf'], new Date(`${dia}T12:00:00-03:00`))
    assert.equal(told.length, expected.length, dia)
    for (const [at, word] of expected.entries()) assert.match(told[at] ?? '', word, dia)
    for (const one of told) {
      assert.match(one, / Fonte: .+ em \d{2}\/\d{2}\/\d{4}\.$/)
      assert.doesNotMatch(one, /vedad|proibid/)
    }
  }
})

test('with rural properties: notes of properties where there is one, the note of the CPF for a CPF', () => {
  const agora = new Date('2026-11-14T12:00:00Z')
  const counts = (['cpf', 'cnpj'] as const).map((tipo) =>
    [0, 1].map((imoveis) => informesRurais(tipo, imoveis, agora).length),
  )
  assert.deepEqual(counts, [
    [1, 3],
    [0, 2],
  ])
})
