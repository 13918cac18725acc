import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Prova, verifyEstado } from '../../src/fontes/verificacao.ts'
import { ApiError } from '../../src/platform/errors.ts'
import type { CodigoDaFalha } from '../../src/platform/wire/fonte.ts'
import { RotaNaoAtende, SourceError } from '../../src/platform/wire/fonte.ts'
import { createGuard } from '../../src/platform/wire/guard.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'
import { noSolver } from '../../src/portal/captcha.ts'
import type { Estado, PerguntaCnd, Rota, RotaCnd, RotaIe } from '../../src/portal/estado.ts'
import { semCertidao } from '../../src/portal/rules-certidao.ts'
import { inscricaoDeTeste } from '../kit/authority.ts'

const http = openTransport({ mode: 'live', ca: [], hosts: {} })
const guard = createGuard({ info: () => {} })

const prova = (change: Partial<Prova> = {}): Prova => ({
  servicos: ['ie', 'cnd'],
  documento: undefined,
  simulado: true,
  rotulosDe: () => [],
  consulta: (uf) => ({
    uf,
    meios: {
      http,
      certificado: undefined,
      ambiente: 'producao',
      captcha: noSolver,
      now: () => new Date(0),
      deadlineMs: 5_000,
    },
    guard,
    request_id: 'verificacao',
  }),
  ...change,
})

let routes = 0
const ficha = (change: Partial<Rota>): Rota => ({
  familia: 'brinquedo',
  source: { id: `SP/brinquedo-${++routes}`, nome: 'A SEFAZ-SP' },
  url: 'https://exemplo.test/',
  aceita: ['cnpj'],
  captcha: 'nenhum',
  certeza: 'verificado',
  origem: 'teste',
  em: '2026-11-14',
  ...change,
})
const ie = (ask: RotaIe['ask'], change: Partial<Rota> = {}): RotaIe => ({
  ...ficha(change),
  ask,
})
const cnd = (ask: RotaCnd['ask']): RotaCnd => ({
  ...ficha({}),
  naoContribuinte: 'ie',
  abrange: { debitos: 'ambos', origem: 'teste' },
  ask,
})
const state = (routes: Pick<Estado, 'ie'> & Partial<Pick<Estado, 'cnd'>>): Estado => ({
  cnd: [cnd(async () => semCertidao('negativa', 'nada consta'))],
  uf: 'SP',
  exemplo: '99001002000162',
  ...routes,
})
// Only the number of them matters here.
const registered = async () => [inscricaoDeTeste('110042490114')]
const negativa = async () => ({ ...semCertidao('negativa', 'Certidão Negativa'), validade: '2026-12-31' })
const failing = (error: Error) => async (): Promise<never> => {
  throw error
}
const failure = (codigo: CodigoDaFalha) =>
  new SourceError('blocked', 'A SEFAZ-SP fechou.', { source: 'SP/ie', elapsedMs: 1, codigo })

/** The outcome of each route, in one line. */
const told = async (estado: Estado, change?: Partial<Prova>): Promise<string[]> =>
  (await verifyEstado(estado, prova(change))).map(
    ({ servico, ordem, resultado, detalhe }) => `${servico} ${ordem} ${resultado}: ${detalhe}`,
  )

test('each route is asked, and not only the first that answers; the certificate with the registrations that were found', async () => {
  const heard: PerguntaCnd[] = []
  const certificate = cnd(async (pergunta) => {
    heard.push(pergunta)
    return negativa()
  })
  const estado = state({ ie: [ie(registered), ie(registered)], cnd: [certificate] })
  assert.deepEqual(await told(estado), [
    'ie 1 respondeu: 1 inscrição',
    'ie 2 respondeu: 1 inscrição',
    'cnd 1 respondeu: certidão negativa até 2026-12-31',
  ])
  assert.deepEqual(
    heard.map(({ documento, inscricoes }) => [documento, inscricoes?.length]),
    [['99001002000162', 1]],
  )
  await told(estado, { servicos: ['cnd'] })
  assert.equal(heard[1]?.inscricoes?.length, 1, 'also when only the certificate is verified')
  await told(state({ ie: [ie(failing(failure('waf')))], cnd: [certificate] }))
  assert.equal(heard[2]?.inscricoes, undefined)
})

test('the simulator has to know its own examples; of another document, or of an authority, any answer is one', async () => {
  const nobody = state({
    ie: [ie(async () => []), ie(failing(new ApiError('DOCUMENTO_INVALIDO', 'CNPJ inválido')))],
    cnd: [cnd(async () => semCertidao('nao_contribuinte', 'não inscrito'))],
  })
  const answers = ['nenhuma inscrição', 'CNPJ inválido', 'certidão nao_contribuinte: não inscrito']
  const documento = { tipo: 'cnpj', documento: '00000000000191' } as const
  const [wrong, other, live] = [
    await told(nobody),
    await told(nobody, { documento }),
    await told(nobody, { simulado: false }),
  ]
  assert.deepEqual(
    wrong.map((line) => line.split(' ')[2]),
    ['resposta-inesperada:', 'resposta-inesperada:', 'resposta-inesperada:'],
  )
  for (const lines of [other, live])
    assert.deepEqual(
      lines.map((line) => line.split('respondeu: ')[1]),
      answers,
    )
})

test('a door that is closed at this hour, a captcha and a protocol that nobody knows are no failures', async () => {
  const estado = state({
    ie: [
      ie(failing(failure('fechado'))),
      ie(failing(new RotaNaoAtende('pediu um captcha', { codigo: 'captcha' }))),
      ie(registered, { certeza: 'desconhecido' }),
      ie(registered, { captcha: { tipo: 'imagem', quando: 'sempre' } }),
      ie(registered, { aceita: ['ie'] }),
    ],
  })
  const lines = await told(estado, { simulado: false, servicos: ['ie'] })
  for (const line of lines) assert.match(line, /^ie \d nao-consultada: /)
  assert.equal(lines.length, 5)
})

test('a captcha webhook that fails is a failure', async () => {
  const unsolved = new RotaNaoAtende('O webhook caiu.', { codigo: 'captcha-sem-resposta' })
  assert.deepEqual(await told(state({ ie: [ie(failing(unsolved))] }), { servicos: ['ie'] }), [
    'ie 1 bloqueada: O webhook caiu.',
  ])
})

test('a failure is told with the authority’s own code', async () => {
  assert.deepEqual(await told(state({ ie: [ie(failing(failure('cStat 656')))] }), { servicos: ['ie'] }), [
    'ie 1 bloqueada: A SEFAZ-SP fechou. (cStat 656)',
  ])
  assert.deepEqual(
    await told(state({ ie: [ie(failing(new TypeError('x is not a function')))] }), { servicos: ['ie'] }),
    ['ie 1 erro-interno: x is not a function'],
  )
})
