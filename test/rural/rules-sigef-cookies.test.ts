import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CookiesError, endOfLogin, hasLogin, readCookies } from '../../src/rural/rules.ts'
import { NOW } from '../kit/basics.ts'

const HOUR_MS = 60 * 60_000
const at = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR_MS)

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

describe('a cookie', () => {
  const only = (text: string) => readCookies(`${text}\n${LINHA('sigef.incra.gov.br', 'sessionid')}`, NOW)

  test('of one name is the last one, of each host and path alone', () => {
    const read = readCookies(
      [
        'sigef.incra.gov.br\tFALSE\t/\tTRUE\t0\tsessionid\tum',
        'sigef.incra.gov.br\tFALSE\t/geo/\tTRUE\t0\tsessionid\tdois',
        'SIGEF.incra.gov.br\tFALSE\t/\tFALSE\t0\tsessionid\ttres',
      ].join('\n'),
      NOW,
    )
    assert.deepEqual(
      read.map(({ caminho, valor, seguro }) => [caminho, valor, seguro]),
      [
        ['/', 'tres', false],
        ['/geo/', 'dois', true],
      ],
    )
  })

  test('on a line with an eighth column, or with a path that is none, is left out', () => {
    for (const line of [
      'sigef.incra.gov.br\tFALSE\t/\tTRUE\t0\toutro\tv\tmais',
      'sigef.incra.gov.br\tFALSE\tgeo\tTRUE\t0\toutro\tv',
    ])
      assert.deepEqual(
        only(line).map(({ nome }) => nome),
        ['sessionid'],
      )
  })

  test('has 4,096 characters at most, ends when it says, and comes with 59 others at most', () => {
    const named = (text: string) => readCookies(text, NOW).map(({ nome }) => nome)
    assert.deepEqual(named(`sessionid=1; a=${'v'.repeat(4_096)}; b=${'v'.repeat(4_097)}`), ['sessionid', 'a'])
    const ends = [LINHA('sigef.incra.gov.br', 'agora', NOW.getTime() / 1000)]
    assert.equal(only(ends.join('\n')).length, 1, 'one that ends now has ended')
    const most = Array.from({ length: 59 }, (_, i) => `c${i}=1`).join('; ')
    assert.equal(named(`sessionid=1; ${most}`).length, 60)
  })

  test('of the login is one of its two, and the earliest of their ends is its end', () => {
    const other = only(LINHA('sso.acesso.gov.br', 'outro', FIM - 3600))
    assert.deepEqual([hasLogin(other), endOfLogin(other)], [false, null])
    const both = only(ARQUIVO)
    assert.equal(endOfLogin(both), FIM * 1000)
  })
})
