import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../src/platform/errors.ts'
import { RotaNaoAtende, SourceError, type SourceErrorKind } from '../../src/platform/wire/fonte.ts'
import { createGuard } from '../../src/platform/wire/guard.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'
import { noSolver } from '../../src/portal/captcha.ts'
import type { Meios, Pergunta, Rota } from '../../src/portal/estado.ts'
import { desconhecidaCnd, desconhecidaIe } from '../../src/portal/rota.ts'
import type { RespostaDoEstado } from '../../src/portal/rotas.ts'
import { askRotas } from '../../src/portal/rotas.ts'
import { semCertidao } from '../../src/portal/rules-certidao.ts'
import type { Inscricao } from '../../src/portal/rules-inscricao.ts'

/** A route that takes CNPJs, and CPFs if `cpf` is set. It answers by `answer`. */
const rota = (id: string, answer: () => void, cpf = true) => ({
  familia: 'teste',
  source: { id, nome: id },
  url: 'https://teste.example/',
  aceita: cpf ? (['cnpj', 'cpf'] as const) : (['cnpj'] as const),
  captcha: 'nenhum' as const,
  certeza: 'verificado' as const,
  origem: 'teste',
  em: '2026',
  ask: async (): Promise<Inscricao[]> => {
    answer()
    return []
  },
})

const fails = (error: Error) => (): never => {
  throw error
}
const failure = (kind: SourceErrorKind) => new SourceError(kind, kind, { source: 'x', elapsedMs: 1 })

const pagina = {
  url: 'https://desconhecida.example/cadastro',
  documentos: { cnpj: '', cpf: '' },
  captcha: 'nenhum',
  origem: 'listas de links',
  em: '2026',
} as const

function ask<R extends RespostaDoEstado>(
  ...rotas: (Rota & { ask: (pergunta: Pergunta, meios: Meios) => Promise<R> })[]
) {
  const http = openTransport({ mode: 'live', ca: [], hosts: {} })
  const meios = {
    http,
    certificado: undefined,
    ambiente: 'producao' as const,
    captcha: noSolver,
    now: () => new Date('2026-11-20T12:00:00Z'),
    deadlineMs: 5_000,
  }
  const guard = createGuard({ info: () => {} })
  const pergunta = { tipo: 'cpf' as const, documento: '52998224725' }
  return askRotas(rotas, pergunta, { uf: 'SP', meios, guard, request_id: 'r' })
}

test('who asks hears what happened to the route that takes the question, not that another does not take it', async () => {
  const web = rota('web service', () => {}, false)
  await assert.rejects(ask(web, rota('portal', fails(failure('timeout')))), { kind: 'timeout' })
  const refused = new ApiError('DOCUMENTO_INVALIDO', 'o portal o recusou')
  await assert.rejects(ask(web, rota('portal', fails(refused))), refused)
  const other = rota('262', fails(new RotaNaoAtende('não atende CPF')))
  await assert.rejects(ask(other, rota('portal', fails(failure('parse')))), { kind: 'parse' })
})

test('where no route takes the question, who asks hears why the first does not', async () => {
  const [first, second] = [rota('primeira', () => {}, false), rota('segunda', () => {}, false)]
  await assert.rejects(ask(first, second), { name: 'RotaNaoAtende', message: /^primeira não oferece/ })
})

test('where all are out of reach, who asks hears what happened to the first', async () => {
  const [down, slow] = [rota('a', fails(failure('network'))), rota('b', fails(failure('timeout')))]
  await assert.rejects(ask(down, slow), { kind: 'network' })
})

test('where one route never answers here and another is out of reach, who asks hears that it may pass', async () => {
  const codigo = 'cStat 257'
  const refused = new SourceError('blocked', codigo, { source: 'x', elapsedMs: 1, codigo })
  const page = rota('b', fails(failure('network')))
  await assert.rejects(ask(rota('a', fails(refused)), page), { kind: 'network', retryS: 60 })
  const unsolved = new RotaNaoAtende('não o resolveu', { codigo: 'captcha-sem-resposta' })
  const never = rota('c', () => {}, false)
  await assert.rejects(ask(never, rota('d', fails(unsolved))), { name: 'RotaNaoAtende', retryS: 60 })
})

test('a route that answered otherwise than it should is the answer: the next is not asked', async () => {
  const next = rota('b', () => assert.fail('it was asked'))
  await assert.rejects(ask(rota('a', fails(failure('parse'))), next), { kind: 'parse' })
})

test('a route whose requests nobody knows is passed over, and is the answer where there is no other', async () => {
  const unknown = desconhecidaIe('SP', pagina)
  assert.deepEqual(
    await ask(
      unknown,
      rota('portal', () => {}),
    ),
    { fonte: 'portal', resposta: [], avisos: [] },
  )
  await assert.rejects(ask(unknown), {
    name: 'RotaNaoAtende',
    message:
      /^A SEFAZ-SP não publica como .* Consulte na página dela \(https:\/\/desconhecida\.example\/cadastro\)\.$/,
  })
  const { source, naoContribuinte } = desconhecidaCnd('SP', {
    ...pagina,
    segunda: true,
    abrange: { debitos: 'desconhecido', origem: '' },
  })
  assert.deepEqual([source.id, naoContribuinte], ['SP/cnd-antiga', 'pagina'])
})

test('a certificate that had ended before it came is a failure, on paper as on a page', async () => {
  const rotaCnd = (validade: string) => ({
    ...rota('certidões', () => {}),
    ask: async () => ({ ...semCertidao('negativa', 'CERTIDÃO NEGATIVA'), validade }),
  })
  await assert.rejects(ask(rotaCnd('2026-11-19')), /não vale mais/)
  assert.ok(await ask(rotaCnd('2026-11-20')))
  assert.ok(await ask(rotaCnd('')))
})
