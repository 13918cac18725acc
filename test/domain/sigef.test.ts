import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseArea, sumAreas } from '../../src/domain/sigef/area.ts'
import { CookiesError, endOfLogin, hasLogin, readCookies } from '../../src/domain/sigef/cookies.ts'
import { isDetentor } from '../../src/domain/sigef/parcela.ts'
import { type DadosDaSessao, needsRenewal, situacaoDaSessao } from '../../src/domain/sigef/sessao.ts'
import { NOW } from '../now.ts'

const HOUR_MS = 60 * 60_000
const at = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR_MS)

describe('an area', () => {
  test('is read in Brazilian notation, exactly', () => {
    const read = ['1.234,5678 ha', '100,2500 ha', '0,0001 ha', '12 ha', '1.000.000 ha'].map(parseArea)
    assert.deepEqual(read, ['1234.5678', '100.25', '0.0001', '12', '1000000'])
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
})

const LINHA = (dominio: string, nome: string, end = 0): string =>
  [dominio, dominio.startsWith('.') ? 'TRUE' : 'FALSE', '/', 'TRUE', String(end), nome, `v-${nome}`].join(
    '\t',
  )
const FIM = Math.floor(at(48).getTime() / 1000)
const ARQUIVO = [
  '# Netscape HTTP Cookie File',
  LINHA('#HttpOnly_sigef.incra.gov.br', 'sessionid'),
  LINHA('sigef.incra.gov.br', 'TS0128ff67'),
  LINHA('sso.acesso.gov.br', 'Session_Gov_Br_Prod', FIM),
  LINHA('.acesso.gov.br', 'Govbrid', FIM + 60),
  LINHA('.google.com', 'SID'),
  LINHA('banco.example', 'sessionid'),
  LINHA('evilacesso.gov.br', 'Govbrid'),
].join('\r\n')

describe('the cookies of a session', () => {
  test('are read from a cookies.txt, those of SIGEF and of the gov.br login alone', () => {
    const cookies = readCookies(ARQUIVO, NOW)
    assert.deepEqual(
      cookies.map(({ dominio, nome, soHost }) => [dominio, nome, soHost]),
      [
        ['sigef.incra.gov.br', 'sessionid', true],
        ['sigef.incra.gov.br', 'TS0128ff67', true],
        ['sso.acesso.gov.br', 'Session_Gov_Br_Prod', true],
        ['acesso.gov.br', 'Govbrid', false],
      ],
    )
    assert.equal(endOfLogin(cookies), FIM * 1000)
  })

  test('are read from a pasted header, where the login is known by its names', () => {
    const cookies = readCookies('Cookie: sessionid=a1; csrftoken=b=2\nCookie: Govbrid=c3; outra=d', NOW)
    assert.deepEqual(
      cookies.map(({ dominio, nome, valor }) => [dominio, nome, valor]),
      [
        ['sigef.incra.gov.br', 'sessionid', 'a1'],
        ['sigef.incra.gov.br', 'csrftoken', 'b=2'],
        ['sso.acesso.gov.br', 'Govbrid', 'c3'],
        ['sigef.incra.gov.br', 'outra', 'd'],
      ],
    )
    assert.ok(hasLogin(cookies))
    assert.equal(endOfLogin(cookies), null)
  })

  test('are refused where no session is among them, and the refusal quotes nothing', () => {
    const junk = [
      '',
      'segredo',
      '{"a":1}',
      'csrftoken=segredo',
      LINHA('.google.com', 'sessionid'),
      'x'.repeat(5_000_000),
    ]
    for (const text of junk)
      assert.throws(
        () => readCookies(text, NOW),
        (error: unknown) => error instanceof CookiesError && !error.message.includes('segredo'),
      )
    const old = LINHA('sigef.incra.gov.br', 'sessionid', FIM - 72 * 3600)
    assert.throws(() => readCookies(old, NOW), /já venceram/)
    const many = Array.from({ length: 61 }, (_, i) => `sessionid${i}=1`).join('; ')
    assert.throws(() => readCookies(`sessionid=1; ${many}`, NOW), /demais/)
  })

  test('with a value that would break a header are left out', () => {
    const [first, ...more] = readCookies('sessionid=ok; mau=a b; pior=\u0007; sessionid2="x"', NOW)
    assert.deepEqual([first?.valor, more.map(({ nome }) => nome)], ['ok', ['sessionid2']])
  })
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
  })
})
