import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCsvReader } from '../../src/cnpj/importacao/csv.ts'

type Lido = { linhas: string[][]; ruins: string[] }

function read(columns: number, pieces: Iterable<Buffer>): Lido {
  const lido: Lido = { linhas: [], ruins: [] }
  const reader = createCsvReader(columns, {
    line({ bytes, starts, ends }) {
      lido.linhas.push(
        Array.from({ length: columns }, (_, i) => bytes.toString('latin1', starts[i], ends[i])),
      )
    },
    bad({ bytes, start, end }) {
      lido.ruins.push(bytes.toString('latin1', start, end).trimEnd())
    },
  })
  for (const piece of pieces) reader.feed(piece)
  reader.end()
  return lido
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

const SUJEIRA = [
  ['"1";"LIMPA";"A"\n', ['1', 'LIMPA', 'A']],
  ['"2";"COM\0 NUL";"B\0"\n', ['2', 'COM NUL', 'B']],
  ['"3";"A\xc7\xc3O";"\xe9"\n', ['3', 'A\xc7\xc3O', '\xe9']],
  ['"4";"BAR DO ""ZE""";"""X"""\r\n', ['4', 'BAR DO "ZE"', '"X"']],
  ['"5";"ASPA " SOLTA";"C"\n', ['5', 'ASPA " SOLTA', 'C']],
  ['"6";"LETRA:A;";"D"\n', ['6', 'LETRA:A;', 'D']],
  ['"7";"BARRA \\";"E"\n', ['7', 'BARRA \\', 'E']],
  ['"8";"DUAS\nLINHAS";"F"\n', ['8', 'DUAS\nLINHAS', 'F']],
  ['"9";"ASPA NO FIM "";"G"\n', ['9', 'ASPA NO FIM "', 'G']],
  ['"10";"A";B";"H"\n', ['10', 'A";B', 'H']],
  ['11;SEM ASPAS;I\n', ['11', 'SEM ASPAS', 'I']],
  ['"12";"";""\n', ['12', '', '']],
] as const

const texto = latin1(SUJEIRA.map(([line]) => line).join(''))
const esperado = SUJEIRA.map(([, fields]) => [...fields])

test('every known kind of dirt is read, and loses no other line', () => {
  assert.deepEqual(read(3, [texto]), { linhas: esperado, ruins: [] })
})

test('a record is read the same wherever the pieces are cut', () => {
  for (let cut = 0; cut <= texto.length; cut++) {
    assert.deepEqual(read(3, [texto.subarray(0, cut), texto.subarray(cut)]).linhas, esperado, `cut at ${cut}`)
  }
  assert.deepEqual(
    read(
      3,
      [...texto].map((byte) => Buffer.of(byte)),
    ).linhas,
    esperado,
  )
})

test('the last record needs no line end', () => {
  assert.deepEqual(read(2, [latin1('"1";"A"\n"2";"B"')]).linhas, [
    ['1', 'A'],
    ['2', 'B'],
  ])
})

test('a line of another number of columns is told apart and hides no neighbour', () => {
  const { linhas, ruins } = read(2, [latin1('"1";"A"\n"2";"B";"C"\n"3"\n"4";"D"\n')])
  assert.deepEqual(linhas, [
    ['1', 'A'],
    ['4', 'D'],
  ])
  assert.deepEqual(ruins, ['"2";"B";"C"', '"3"'])
})

test('a quote that never closes costs its own line, not the rest of the file', () => {
  const many = Array.from({ length: 5000 }, (_, i) => `"${i}";"NOME ${i}"\n`)
  const { linhas, ruins } = read(2, [latin1(`"x";"ABERTA\n${many.join('')}`)])
  assert.deepEqual(ruins, ['"x";"ABERTA'])
  assert.equal(linhas.length, 5000)
  assert.deepEqual(linhas[0], ['0', 'NOME 0'])
})
