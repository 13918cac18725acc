import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { answerFailure } from '../../src/certidao/api.ts'
import { findCertidao } from '../../src/certidao/lookup.ts'
import { ApiError } from '../../src/platform/errors.ts'
import type { CodigoDaFalha } from '../../src/platform/wire/fonte.ts'
import { RotaNaoAtende, SourceError, type SourceErrorKind } from '../../src/platform/wire/fonte.ts'
import { failureOf } from '../../src/portal/desfecho.ts'
import type { PerguntaCnd, RotaCnd } from '../../src/portal/estado.ts'
import { type Certidao, semCertidao } from '../../src/portal/rules-certidao.ts'
import { NOW } from '../kit/basics.ts'
import { type House, start, UNKNOWN } from '../kit/house.ts'
import { reservado } from '../kit/simulator.ts'

const HOUR = 3_600_000

let house: House
let now = NOW
before(async () => {
  house = await start({ IE_SECONDS: '3', CND_SECONDS: '5' }, () => now)
})
beforeEach(() => {
  now = NOW
})
after(() => house.close())

const negativa = (validade: string): Certidao => ({
  ...semCertidao('negativa', 'CERTIDÃO NEGATIVA'),
  validade,
})

/**
 * A page of SP that answers with the given text, and what it was asked. Its registrations are the
 * simulator's.
 */
function page(naoContribuinte: RotaCnd['naoContribuinte'], says: () => Certidao) {
  const asked: PerguntaCnd[] = []
  const cnd: RotaCnd = {
    familia: 'teste',
    source: { id: `SP/cnd-${crypto.randomUUID()}`, nome: 'A página' },
    url: 'https://teste.example/',
    aceita: ['cpf', 'cnpj'],
    captcha: 'nenhum',
    certeza: 'verificado',
    origem: 'teste',
    em: '2026',
    naoContribuinte,
    abrange: { debitos: 'ambos', origem: 'teste' },
    ask: async (pergunta) => {
      asked.push(pergunta)
      return says()
    },
  }
  const find = (documento: string) =>
    findCertidao(
      house.rooms.inscricao,
      'SP',
      { tipo: 'cnpj', documento },
      { request_id: crypto.randomUUID() },
      { cnd: [cnd] },
    )
  return { asked, find }
}

test('where the page certifies anybody, who has no registration is no taxpayer, and the page is not asked', async () => {
  const { asked, find } = page('ie', () => negativa('2026-12-31'))
  const { certidao, cached, fonte, avisos } = await find(reservado('259'))
  assert.equal(certidao.status, 'nao_contribuinte')
  assert.equal(certidao.status_raw, '', 'the authority said nothing')
  assert.equal(fonte, 'SP/ie')
  assert.equal(avisos.length, 1)
  assert.match(
    String(avisos[0]),
    /^Contribuinte sem inscrição estadual em SP: quem o disse foi a SEFAZ-SP \(SP\/ie\), em \d\d\/\d\d\/\d{4}, \d\d:\d\d/,
  )
  assert.equal(certidao.pdf_base64, '')
  assert.equal(cached, false)
  assert.deepEqual(asked, [])
})

test('that somebody is no taxpayer is told no longer than the lookup that says so is kept', async () => {
  const { find } = page('ie', () => negativa('2026-12-31'))
  const cnpj = reservado('259')
  now = new Date(NOW.getTime() + 50 * HOUR)
  await house.ask(`/api/consultar?uf=SP&cnpj=${cnpj}`)
  now = new Date(now.getTime() + HOUR - 1)
  const kept = await find(cnpj)
  assert.deepEqual([kept.certidao.status, kept.cached], ['nao_contribuinte', true])
  now = new Date(now.getTime() + 1)
  assert.equal((await find(cnpj)).cached, false)
})

test('registrations are kept for a day', async () => {
  const ask = async () => (await house.ask(`/api/consultar?uf=SP&cnpj=${reservado('muitas')}`)).body.cached
  now = new Date(NOW.getTime() + 100 * HOUR)
  assert.equal(await ask(), false)
  now = new Date(now.getTime() + 24 * HOUR - 1)
  assert.equal(await ask(), true)
  now = new Date(now.getTime() + 1)
  assert.equal(await ask(), false)
})

test('who has registrations is asked about, and the page hears of them', async () => {
  const { asked, find } = page('ie', () => negativa('2026-12-31'))
  assert.equal((await find(reservado('muitas'))).certidao.status, 'negativa')
  assert.equal(asked[0]?.inscricoes?.length, 40)
})

test('where the registrations cannot be had, the page is asked without them', async () => {
  const { asked, find } = page('ie', () => negativa('2026-12-31'))
  for (const cached of [false, true]) {
    const found = await find(reservado('108'))
    assert.deepEqual([found.certidao.status, found.cached], ['negativa', cached])
    assert.match(found.avisos.join(), /^Não se sabe se este CNPJ tem inscrição estadual em SP,.*cStat 108/)
    assert.doesNotMatch(found.avisos.join(), /de novo/, 'the same would come: the certificate is kept')
  }
  assert.equal(asked[0]?.inscricoes, undefined)
})

test('a page that tells who is no taxpayer is asked at once, with the registrations that are already known', async () => {
  const first = page('pagina', () => semCertidao('nao_contribuinte', 'NÃO INSCRITO'))
  const cnpj = reservado('charset-certo')
  assert.equal((await first.find(cnpj)).certidao.status_raw, 'NÃO INSCRITO')
  assert.equal(first.asked[0]?.inscricoes, undefined)
  now = new Date(NOW.getTime() + 25 * 3_600_000)
  await house.ask(`/api/consultar?uf=SP&cnpj=${cnpj}`)
  await first.find(cnpj)
  assert.equal(first.asked[1]?.inscricoes?.length, 1)
})

const lives: [what: string, cnpj: string, validade: string, hours: number][] = [
  ['a day, when it is valid longer', '99001001000118', '2026-12-31', 24],
  ['a day, when the state tells no validity', '99001003000107', '', 24],
  ['to the end of its last day in Brasília', '99001004000143', '2026-11-14', 12],
]
for (const [what, cnpj, validade, hours] of lives) {
  test(`a certificate is kept ${what}`, async () => {
    // After the last day the state makes another.
    const { find } = page('pagina', () =>
      negativa(now.getTime() < NOW.getTime() + hours * HOUR ? validade : ''),
    )
    assert.equal((await find(cnpj)).cached, false)
    now = new Date(NOW.getTime() + hours * HOUR - 1)
    assert.equal((await find(cnpj)).cached, true)
    now = new Date(NOW.getTime() + hours * HOUR)
    assert.equal((await find(cnpj)).cached, false)
  })
}

for (const status of ['positiva', 'sem_certidao', 'nao_contribuinte'] as const)
  test(`${status} is kept for an hour`, async () => {
    const { find } = page('pagina', () => ({ ...semCertidao(status, 'DIZ'), validade: '2026-12-31' }))
    const cnpj = {
      positiva: '99001005000198',
      sem_certidao: '99001006000132',
      nao_contribuinte: '99001007000187',
    }
    assert.equal((await find(cnpj[status])).cached, false)
    now = new Date(NOW.getTime() + HOUR - 1)
    assert.equal((await find(cnpj[status])).cached, true)
    now = new Date(NOW.getTime() + HOUR)
    assert.equal((await find(cnpj[status])).cached, false)
  })

test('a certificate that has expired is a failure, and a failure is not kept', async () => {
  const expired = page('pagina', () => negativa('2026-11-13'))
  for (const _ of [1, 2]) await assert.rejects(expired.find(UNKNOWN), { kind: 'parse' })
  assert.equal(expired.asked.length, 2)
  const failing = page('pagina', () => {
    throw failure('network')
  })
  for (const _ of [1, 2]) await assert.rejects(failing.find(UNKNOWN), { kind: 'network' })
  assert.equal(failing.asked.length, 2)
})

const failure = (kind: SourceErrorKind, codigo?: CodigoDaFalha) =>
  new SourceError(kind, 'A SEFAZ-SP falhou.', { source: 'SP/cnd', elapsedMs: 1, ...(codigo && { codigo }) })

/** What `/api/consultar-cnd` tells the client of a failure, with the headers. */
function told(error: unknown) {
  const headers: Record<string, string> = {}
  const header = (name: string, value: string) => {
    headers[name] = value
  }
  try {
    return { headers, answer: answerFailure(error, { header }), thrown: undefined }
  } catch (thrown) {
    return { headers, answer: undefined, thrown }
  }
}

test('SITE_INDISPONIVEL: the page is out of reach, or does not take the question', () => {
  for (const error of [
    failure('timeout'),
    failure('network'),
    failure('blocked', 'fechado'),
    new RotaNaoAtende('A SEFAZ-SP pede um captcha.'),
  ]) {
    const { thrown, headers } = told(error)
    assert.ok(thrown instanceof ApiError)
    assert.equal(thrown.code, 'SITE_INDISPONIVEL')
    assert.match(thrown.message, /^A SEFAZ-SP .* Nada foi cobrado\.$/)
    assert.deepEqual(headers, {})
  }
})

test('SITE_INDISPONIVEL: a certificate that is still being prepared says when to ask again', () => {
  const { thrown, headers } = told(failure('timeout', 'em-processamento'))
  assert.ok(thrown instanceof ApiError)
  assert.equal(thrown.code, 'SITE_INDISPONIVEL')
  assert.match(thrown.message, /Tente de novo em 1 minuto\. Nada foi cobrado\.$/)
  assert.equal(thrown.retryS, 60)
  assert.deepEqual(headers, {})
})

test('a page that answered otherwise than it should is an answer with the status erro', () => {
  const { answer } = told(failure('parse'))
  assert.deepEqual(answer?.source_status, {
    status: 'error',
    error_code: 'PROCESSAMENTO_FALHOU',
    error_message: 'A SEFAZ-SP falhou.',
    retryable: false,
  })
  assert.deepEqual(answer?.certidao, semCertidao('erro', ''))
  assert.equal(answer?.fonte, 'SP/cnd')
})

test('an answer with the status erro that may pass says when to ask again', () => {
  const cut = failureOf('cortada', {
    source: { id: 'SP/cnd', nome: 'A SEFAZ-SP' },
    elapsedMs: 1,
    tipo: 'cnpj',
  })
  const { answer, headers } = told(cut)
  assert.equal(answer?.source_status?.retryable, true)
  assert.match(answer?.source_status?.error_message ?? '', / Tente de novo em 1 minuto\.$/)
  assert.deepEqual(headers, { 'retry-after': '60' })
  assert.deepEqual(told(failure('parse')).headers, {})
})

test('status_raw carries what the authority said, and never our words', () => {
  const dizeres = 'CERTIDÃO NEGATIVA … constam débitos'
  const { answer } = told(
    new SourceError('parse', 'A SEFAZ-SP respondeu o que não se entende.', {
      source: 'SP/cnd',
      elapsedMs: 1,
      dizeres,
    }),
  )
  assert.deepEqual(answer?.certidao, semCertidao('erro', dizeres))
})

test('a document that the state refuses, and a bug, are thrown as they are', () => {
  for (const error of [new ApiError('DOCUMENTO_INVALIDO', 'inválido'), new TypeError('bug')])
    assert.equal(told(error).thrown, error)
})
