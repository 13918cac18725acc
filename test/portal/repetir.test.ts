import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CodigoDaFalha, CodigoDoCaptcha } from '../../src/platform/wire/fonte.ts'
import {
  quandoRepetir,
  type RetryS,
  RotaNaoAtende,
  SourceError,
  type SourceErrorKind,
} from '../../src/platform/wire/fonte.ts'
import { type Desfecho, failureOf } from '../../src/portal/desfecho.ts'
import { opensInS, writeHorario } from '../../src/portal/estado.ts'

const source = { id: 'SP/cnd', nome: 'A SEFAZ-SP' }

type Details = { codigo?: CodigoDaFalha; status?: number; unavailable?: boolean }

const retryOf = (kind: SourceErrorKind, details: Details = {}): RetryS =>
  new SourceError(kind, 'falhou', { source: source.id, elapsedMs: 1, ...details }).retryS

/** Each kind of failure, with what is known of it, and the seconds after which it may have passed. */
const porTipo: readonly [kind: SourceErrorKind, details: Details, retryS: RetryS][] = [
  ['network', {}, 60],
  ['network', { unavailable: false }, 60],
  ['timeout', {}, 60],
  ['http', { status: 500 }, 60],
  ['http', { status: 503 }, 60],
  ['http', { status: 429 }, 60],
  ['http', { unavailable: true }, 60],
  ['http', { status: 404 }, null],
  ['http', { status: 400 }, null],
  // A SOAP fault is the service's own answer.
  ['http', { status: 500, unavailable: false }, null],
  ['http', { status: 500, unavailable: false, codigo: 'soap-action' }, null],
  ['parse', {}, null],
  ['parse', { status: 503 }, null],
  ['blocked', { status: 403 }, 900],
  ['blocked', { status: 429 }, 60],
  ['blocked', { codigo: 'waf' }, 900],
  ['blocked', { codigo: 'cloudflare' }, 900],
  ['blocked', { codigo: 'automatizada' }, 900],
  ['blocked', { codigo: 'fila' }, 10],
  ['blocked', { codigo: 'circuito-aberto' }, 60],
  // The client's certificate was refused, by TLS or with 403.
  ['blocked', { codigo: 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', unavailable: false }, null],
  ['blocked', { status: 403, unavailable: false }, null],
  ['http', { codigo: 'cStat 108', unavailable: true }, 300],
  ['http', { codigo: 'cStat 109', unavailable: true }, 900],
  ['blocked', { codigo: 'cStat 257', unavailable: true }, null],
  ['http', { codigo: 'cStat 286', unavailable: false }, 60],
  ['blocked', { codigo: 'cStat 656', unavailable: true }, 3600],
  ['http', { codigo: 'cStat 999', unavailable: false }, 60],
  ['http', { codigo: 'cStat 215', unavailable: false }, null],
  ['parse', { codigo: 'contradicao' }, null],
  ['http', { codigo: 'erro', unavailable: true }, 60],
  ['http', { codigo: 'erro.aspx', unavailable: true }, 60],
]

test('each kind and code of a failure of an authority says whether repeating helps, and when', () => {
  for (const [kind, details, retryS] of porTipo)
    assert.equal(retryOf(kind, details), retryS, `${kind} ${JSON.stringify(details)}`)
})

/** What a page says in the place of an answer. The three refusals of a question are no failures. */
const porDesfecho: Readonly<Record<Exclude<Desfecho, 'nao-encontrado' | 'documento-invalido'>, RetryS>> = {
  'nao-atende': null,
  'pede-ie': null,
  bloqueado: 900,
  captcha: 900,
  'captcha-errado': 60,
  fechado: 3600,
  indisponivel: 60,
  'sessao-expirada': 60,
  processando: 60,
  emitida: null,
  'sem-endereco': null,
  'por-email': null,
  'formulario-errado': null,
  'nao-entendido': null,
  cortada: 60,
  'outro-documento': null,
}

const isDesfecho = (text: string): text is keyof typeof porDesfecho => Object.hasOwn(porDesfecho, text)

test('each outcome of a page says whether repeating helps, and its text gives no advice of its own', () => {
  for (const desfecho of Object.keys(porDesfecho).filter(isDesfecho))
    for (const frase of ['', 'Aguarde']) {
      const error = failureOf(desfecho, {
        source,
        elapsedMs: 1,
        tipo: 'cnpj',
        frase,
      })
      assert.ok(error instanceof SourceError || error instanceof RotaNaoAtende)
      assert.equal(error.retryS, porDesfecho[desfecho], desfecho)
      assert.doesNotMatch(error.message, /de novo|mais tarde|em alguns|em instantes|repita/i, desfecho)
    }
})

test('a captcha that nobody solves never passes; one that was not solved this time does', () => {
  const porCaptcha: Readonly<Record<CodigoDoCaptcha, RetryS>> = {
    captcha: null,
    'captcha-sem-resposta': 60,
    'captcha-vencido': 60,
  }
  for (const codigo of ['captcha', 'captcha-sem-resposta', 'captcha-vencido'] as const)
    assert.equal(new RotaNaoAtende('pediu um captcha', { codigo }).retryS, porCaptcha[codigo], codigo)
  assert.equal(new RotaNaoAtende('só por CNPJ').retryS, null)
  assert.equal(new RotaNaoAtende('só por CNPJ, e o CCC não respondeu', { retryS: 60 }).retryS, 60)
})

test('the advice says the time in words, and nothing where repeating never helps', () => {
  const said: readonly [retryS: RetryS, text: string][] = [
    [null, ''],
    [1, 'Tente de novo em 1 segundo.'],
    [10, 'Tente de novo em 10 segundos.'],
    [60, 'Tente de novo em 1 minuto.'],
    [61, 'Tente de novo em 2 minutos.'],
    [900, 'Tente de novo em 15 minutos.'],
    [3600, 'Tente de novo em 1 hora.'],
    [151_200, 'Tente de novo em 42 horas.'],
  ]
  for (const [retryS, text] of said) assert.equal(quandoRepetir(retryS), text)
})

test('a portal outside its hours opens at its next opening, in Brasília time', () => {
  const uteis = { dias: 'uteis', das: 6, as: 21 } as const
  const todos = { dias: 'todos', das: 7, as: 22 } as const
  const HOUR = 3600
  const cases: readonly [horario: typeof uteis | typeof todos, local: string, seconds: number | undefined][] =
    [
      // 2026-11-14 is a Saturday.
      [uteis, '2026-11-14T12:00:00', 42 * HOUR],
      [uteis, '2026-11-15T23:59:59', 6 * HOUR + 1],
      [uteis, '2026-11-16T05:59:59', 1],
      [uteis, '2026-11-16T06:00:00', undefined],
      [uteis, '2026-11-16T20:59:59', undefined],
      [uteis, '2026-11-16T21:00:00', 9 * HOUR],
      [uteis, '2026-11-13T21:00:00', 57 * HOUR],
      [todos, '2026-11-14T12:00:00', undefined],
      [todos, '2026-11-14T23:00:00', 8 * HOUR],
    ]
  for (const [horario, local, seconds] of cases)
    assert.equal(opensInS(horario, new Date(`${local}-03:00`)), seconds, local)
  assert.equal(writeHorario(uteis), 'dias úteis, das 6h às 21h')
  assert.equal(writeHorario(todos), 'todos os dias, das 7h às 22h')
})
