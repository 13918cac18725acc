import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type DadosDaSessao,
  isDetentor,
  needsRenewal,
  parseArea,
  situacaoDaSessao,
  sumAreas,
} from '../../src/rural/rules.ts'
import { NOW } from '../kit/basics.ts'

const HOUR_MS = 60 * 60_000
const at = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR_MS)

describe('an area', () => {
  test('is read in Brazilian notation, exactly', () => {
    const read = ['1.234,5678 ha', '100,2500 ha', '0,0001 ha', '12 ha', '1.000.000 ha'].map(parseArea)
    assert.deepEqual(read, ['1234.5678', '100.25', '0.0001', '12', '1000000'])
    assert.deepEqual([' 007,50 HA\n', `${'9'.repeat(15)} ha`].map(parseArea), ['7.5', '9'.repeat(15)])
  })

  test('in any other notation, or of nothing, is none', () => {
    for (const text of [
      '1234.5678 ha',
      '1,234.56 ha',
      '12',
      '0,0000 ha',
      '-1 ha',
      '1.23,4 ha',
      'ha',
      '1 m2',
      `${'9'.repeat(15)},5 ha`,
    ])
      assert.equal(parseArea(text), undefined, text)
  })

  test('is summed in exact decimals', () => {
    assert.equal(sumAreas(['0.1', '0.2']), '0.3')
    assert.equal(sumAreas(Array.from({ length: 10_000 }, () => '0.0001')), '1')
    assert.equal(sumAreas([]), '0')
    assert.equal(sumAreas(['1234.5678', '0.4322']), '1235')
  })
})

test('the masked document of a holder must fit the one that was asked about', () => {
  assert.ok(isDetentor(['***.982.247**'], '52998224725'))
  assert.ok(!isDetentor(['***.982.248**'], '52998224725'))
  assert.ok(isDetentor(['**.*01.002/0001**'], '99001002000162'))
  assert.ok(!isDetentor(['**.*01.002/0002**'], '99001002000162'))
  assert.ok(!isDetentor(['***.982.247**'], '99001002000162'), 'a CPF is no CNPJ')
  assert.ok(isDetentor(['***.111.111**', '***.982.247**'], '52998224725'), 'one of several holders')
  assert.ok(isDetentor([], '52998224725'), 'none is shown')
  assert.ok(!isDetentor(['***.982'], '52998224725'), 'a part of a document')
  assert.ok(isDetentor(['**.*bc.345/0001**'], '12ABC34500019X'.replace('X', '0')), 'letters of either case')
})

describe('a session', () => {
  const boa: DadosDaSessao = {
    importada_em: NOW,
    renovada_em: NOW,
    vence_em: at(4),
    login_ate: null,
    renovavel: true,
    estado: 'boa',
    motivo: '',
  }

  test('is renewed in its last hour, and before its use if it is in doubt or over', () => {
    assert.equal(needsRenewal(boa, at(2.9)), false)
    assert.equal(needsRenewal(boa, at(3.1)), true)
    assert.equal(needsRenewal(boa, at(9)), true)
    assert.equal(needsRenewal({ ...boa, estado: 'suspeita' }, NOW), true)
    assert.equal(needsRenewal({ ...boa, estado: 'encerrada' }, NOW), false)
    assert.equal(needsRenewal({ ...boa, renovavel: false }, at(3.1)), false)
    assert.equal(needsRenewal({ ...boa, login_ate: at(1) }, at(3.1)), false)
  })

  test('says what the operator should do before a client meets its end', () => {
    const of = (dados: DadosDaSessao | undefined, now: Date) => situacaoDaSessao(dados, now)
    assert.deepEqual(of(boa, NOW), { situacao: 'valida', aviso: '' })
    assert.match(of({ ...boa, login_ate: at(47) }, NOW).aviso, /acaba em 47 horas/)
    assert.match(of({ ...boa, login_ate: at(-1) }, NOW).aviso, /O login gov.br acabou/)
    assert.match(of({ ...boa, renovavel: false }, at(3)).aviso, /acaba em 60 minutos/)
    assert.equal(of({ ...boa, renovavel: false }, at(4)).situacao, 'vencida')
    assert.equal(of({ ...boa, login_ate: at(1) }, at(4)).situacao, 'vencida')
    assert.equal(of(boa, at(4)).situacao, 'suspeita')
    assert.equal(of({ ...boa, estado: 'encerrada', motivo: 'x.' }, NOW).situacao, 'encerrada')
    assert.equal(of(undefined, NOW).situacao, 'ausente')
    assert.equal(of({ ...boa, estado: 'suspeita', motivo: 'Recusada.' }, NOW).aviso, 'Recusada.')
  })

  test('changes at its borders, and not a moment before', () => {
    const over = (dados: DadosDaSessao, hours: number) => situacaoDaSessao(dados, at(hours)).situacao
    assert.equal(over({ ...boa, login_ate: at(4) }, 4), 'vencida', 'a login that ends now is over')
    assert.equal(needsRenewal(boa, at(3)), false, 'an hour is left')
    assert.match(situacaoDaSessao({ ...boa, login_ate: at(48) }, NOW).aviso, /em 2 dias/)
    assert.equal(situacaoDaSessao({ ...boa, login_ate: at(48.001) }, NOW).aviso, '')
  })

  for (const [minutes, words] of [
    [0.5, '1 minuto'],
    [119, '119 minutos'],
    [120, '2 horas'],
    [2879, '47 horas'],
    [2880, '2 dias'],
  ] as const)
    test(`tells what is left in words: ${words}`, () => {
      const dados = { ...boa, renovavel: false, vence_em: at(minutes / 60) }
      assert.match(situacaoDaSessao(dados, NOW).aviso, new RegExp(`acaba em ${words}: `))
    })
})
