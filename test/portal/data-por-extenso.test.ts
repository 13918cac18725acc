import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { endOfPrazo, findData, listDatas, listPrazos } from '../../src/portal/datas.ts'

const datas: [texto: string, data: string | undefined][] = [
  ['27/08/2026', '2026-08-27'],
  ['Emissão: 27/08/2026 14:41:42', '2026-08-27'],
  ['Emitida às: 14:41:42 do dia 10/07/2026', '2026-07-10'],
  ['GOIANIA, 27 AGOSTO DE 2026', '2026-08-27'],
  ['Goiânia, 27 de agosto de 2026', '2026-08-27'],
  ['10 de julho de 2026', '2026-07-10'],
  ['1º de março de 2026', '2026-03-01'],
  ['1° de MARÇO de 2026', '2026-03-01'],
  ['31/02/2026, depois 01/03/2026', '2026-03-01'],
  ['31/02/2026', undefined],
  ['00/13/2026', undefined],
  ['CNPJ 11.222.333/0001-81', undefined],
  ['Lei 7.799/2002', undefined],
  ['226555/26', undefined],
]

for (const [texto, data] of datas)
  test(`the date of "${texto}" is ${data ?? 'none'}`, () => assert.equal(findData(texto)?.data, data))

test('all dates of a text are found, in their order', () => {
  const datas = listDatas('De 01/02/2026 a 31/02/2026 e 3 de março de 2026').map(({ data }) => data)
  assert.deepEqual(datas, ['2026-02-01', '2026-03-03'])
})

test('where a date stands is told in the text on one line', () => {
  assert.deepEqual(findData('Válida até:\n  27 de  agosto de 2026.'), {
    data: '2026-08-27',
    inicio: 12,
    fim: 32,
  })
})

test('a term is told in days or in months, with its number in words or without', () => {
  const prazos = (texto: string) => listPrazos(texto).map(({ prazo }) => prazo)
  assert.deepEqual(prazos('VALIDA POR 120 DIAS'), [{ dias: 120 }])
  assert.deepEqual(prazos('90 (noventa) dias, ou 6 (seis) meses'), [{ dias: 90 }, { meses: 6 }])
  assert.deepEqual(prazos('validade indeterminada'), [])
  assert.deepEqual(listPrazos('por 60 dias'), [{ prazo: { dias: 60 }, inicio: 4, fim: 11 }])
})

test('GO: a term of 120 days ends 120 days after the day of issue', () => {
  assert.equal(endOfPrazo('2026-08-27', { dias: 120 }), '2026-12-25')
})

test('a term in months ends on the same day, or on the last of a shorter month', () => {
  assert.equal(endOfPrazo('2026-08-27', { meses: 6 }), '2027-02-27')
  assert.equal(endOfPrazo('2026-08-31', { meses: 6 }), '2027-02-28')
  assert.equal(endOfPrazo('2026-12-15', { meses: 1 }), '2027-01-15')
})

test('every day is read in every form', () => {
  const nomes = [
    'janeiro',
    'fevereiro',
    'março',
    'abril',
    'maio',
    'junho',
    'julho',
    'agosto',
    'setembro',
    'outubro',
    'novembro',
    'dezembro',
  ]
  const days = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(days, (date) => {
      const data = date.toISOString().slice(0, 10)
      const [ano = '', mes = '', dia = ''] = data.split('-')
      const nome = nomes[Number(mes) - 1] ?? ''
      const forms = [
        `${dia}/${mes}/${ano}`,
        `${Number(dia)} de ${nome} de ${ano}`,
        `${dia} ${nome.toUpperCase()} DE ${ano}`,
      ]
      for (const form of forms) assert.equal(findData(`em ${form}.`)?.data, data)
    }),
  )
})
