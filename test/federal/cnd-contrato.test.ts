import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { MeiosFederais } from '../../src/federal/source.ts'
import { rotaContrato } from '../../src/federal/source-contrato.ts'
import type { Contrato } from '../../src/federal/source-serpro.ts'
import { openTransport } from '../../src/platform/wire/transport.ts'
import { AGORA, failureOf, papel, pdfOf, type Resposta, tentativa, useContrato } from '../kit/federal.ts'

const { cnpj } = papel
const MATRIZ = 'A certidão deve ser emitida para o CNPJ da matriz'

const authority = useContrato()
const http = openTransport({ mode: 'live', ca: [], hosts: {} })
let pdf: string
before(async () => {
  pdf = await pdfOf()
})

/** What the product says of the certificate, as on its paper. */
const certidao = (mais: object = {}): object => ({
  TipoContribuinte: 1,
  ContribuinteCertidao: cnpj,
  TipoCertidao: 1,
  CodigoControle: papel.codigo,
  DataEmissao: '2026-11-14T11:58:00',
  DataValidade: '2027-05-13T00:00:00',
  DocumentoPdf: pdf,
  ...mais,
})

const dizer = (Status: unknown, mais: object = {}, status = 200): Resposta => ({
  status,
  body: { Status, Mensagem: `Mensagem do Status ${Status}.`, Certidao: null, ...mais },
})
const entregar = (mais: object = {}, Status = 1): Resposta => dizer(Status, { Certidao: certidao(mais) })

/** Asks with these answers to come. */
function ask(respostas: Resposta[], mais: Partial<MeiosFederais> = {}, versao: 'v1' | 'v2' = 'v1') {
  authority.setAnswers(...respostas)
  const contrato: Contrato = authority.open('etiqueta')
  const tentada = tentativa({ http, ...mais })
  return {
    ...tentada,
    asked: rotaContrato(contrato, versao).ask({ cnpj, emitir: 'se-preciso' }, tentada.meios),
  }
}

const bodies = () => authority.asked().map(({ corpo }) => JSON.parse(corpo.toString()))

test('the product is asked for a PDF with the exact names, by version 1 or 2', async () => {
  await ask([entregar()]).asked
  const [first] = authority.asked()
  assert.equal(`${first?.metodo} ${first?.caminho}`, 'POST /consulta-cnd/v1/certidao')
  assert.equal(first?.cabecalhos['x-request-tag'], 'etiqueta')
  assert.deepEqual(bodies(), [
    { TipoContribuinte: 1, ContribuinteConsulta: cnpj, CodigoIdentificacao: '9001', GerarCertidaoPdf: true },
  ])
  await ask([entregar()], {}, 'v2').asked
  assert.equal(authority.asked().at(-1)?.caminho, '/consulta-cnd/v2/certidao')
  assert.equal(bodies().at(-1).CodigoIdentificacao, '9201')
})

test('Status 1 is a certificate that was there, and 2 one that was issued now', async () => {
  for (const [status, emitida] of [
    [1, false],
    [2, true],
  ] as const) {
    const { asked, leituras } = ask([entregar({}, status)])
    const resposta = await asked
    assert.ok(resposta.tipo === 'certidao')
    assert.equal(resposta.emitida, emitida)
    assert.equal(resposta.certidao.status, 'negativa')
    assert.equal(resposta.certidao.protocolo, papel.codigo)
    assert.equal(resposta.certidao.validade, papel.validade)
    assert.equal(resposta.certidao.pdf_base64, pdf)
    assert.equal(leituras[0]?.vazia, false)
  }
})

test('Status 3 and 4 are positiva in the words of the product, and the share of them is counted', async () => {
  for (const status of [3, 4]) {
    const { asked, leituras } = ask([dizer(status)])
    assert.deepEqual(await asked, {
      tipo: 'recusa',
      recusa: { status: 'positiva', dizeres: `Mensagem do Status ${status}.` },
    })
    assert.equal(leituras[0]?.vazia, true)
  }
})

test('Status 8 is nao_contribuinte, and counts as no positiva', async () => {
  const { asked, leituras } = ask([dizer(8, {}, 404)])
  assert.deepEqual(await asked, {
    tipo: 'recusa',
    recusa: { status: 'nao_contribuinte', dizeres: 'Mensagem do Status 8.' },
  })
  assert.equal(leituras[0]?.vazia, false)
})

test('Status 9 to 13 and 15 are erro in the words of the product', async () => {
  for (const status of [9, 10, 11, 12, 13, 15]) {
    const resposta = await ask([dizer(status, {}, 400)]).asked
    assert.deepEqual(resposta, {
      tipo: 'recusa',
      recusa: { status: 'erro', dizeres: `Mensagem do Status ${status}.` },
    })
  }
})

test('an erro of which the product says nothing, or only the title of a certificate, says that in our words', async () => {
  for (const Mensagem of ['', '  ', 'CERTIDÃO NEGATIVA DE DÉBITOS', 'Certidao Positiva']) {
    const resposta = await ask([dizer(9, { Mensagem }, 400)]).asked
    assert.ok(resposta.tipo === 'recusa')
    assert.equal(resposta.recusa.status, 'erro')
    assert.match(resposta.recusa.dizeres, /recusou o pedido sem dizer por quê\.$/)
  }
})

test('a branch is erro and never positiva, where the words say that it is one or name its head office', async () => {
  for (const Mensagem of [`${MATRIZ}.`, 'Insuficiente: 11.222.333/0002-62.']) {
    const resposta = await ask([dizer(4, { Mensagem })]).asked
    assert.deepEqual(resposta, { tipo: 'recusa', recusa: { status: 'erro', dizeres: Mensagem } })
  }
})

test('Status 5, 6 and 99 are failures that pass; only 6 and 99 say that the source is out of reach', async () => {
  for (const [status, http, unavailable] of [
    [5, 202, false],
    [6, 202, true],
    [99, 200, true],
  ] as const) {
    const error = await failureOf(ask([dizer(status, {}, http)]).asked)
    assert.deepEqual([error.kind, error.unavailable, error.retryS], ['http', unavailable, 60])
  }
})

test('HTTP 401, 403, 429 and 5xx are failures, with the wait that the gateway asks for', async () => {
  for (const [status, retryS] of [
    [401, null],
    [403, null],
    [429, 120],
    [500, 60],
    [502, 60],
    [503, 120],
    [504, 60],
  ] as const) {
    const headers = { 'retry-after': '120' }
    const error = await failureOf(ask([{ status, body: { code: '900', message: 'x' }, headers }]).asked)
    assert.deepEqual([error.status, error.retryS], [status, retryS], String(status))
  }
})

test('Status 7 gives a key, which is noted at once and sent with each poll', async () => {
  const { asked, notas } = ask([
    dizer(7, { Chave: 'c-1' }, 201),
    dizer(7, { Chave: 'c-1' }, 201),
    dizer(7, { Chave: 'c-2' }, 201),
    entregar({}, 2),
  ])
  const resposta = await asked
  assert.ok(resposta.tipo === 'certidao' && resposta.emitida)
  assert.deepEqual(
    bodies().map(({ Chave }) => Chave),
    [undefined, 'c-1', 'c-1', 'c-2'],
  )
  const desde = AGORA.toISOString()
  assert.deepEqual(notas, [
    { rota: 'contrato', desde },
    { rota: 'contrato', desde, chave: 'c-1' },
    { rota: 'contrato', desde, chave: 'c-2' },
  ])
})

test('polls are billed: the first comes after 2 seconds, the second 5 later, or when the product asks', async () => {
  const processando = dizer(7, { Chave: 'c-1' }, 201)
  const countPolls = async (resposta: Resposta, pace: number, deadlineMs: number): Promise<number> => {
    const before = authority.asked().length
    const error = await failureOf(ask([resposta], { pace, deadlineMs }).asked)
    assert.deepEqual([error.kind, error.codigo], ['timeout', 'em-processamento'])
    assert.equal(error.unavailable, false)
    return authority.asked().length - before - 1
  }
  assert.equal(await countPolls(processando, 1, 1_000), 0)
  assert.equal(await countPolls(processando, 0.25, 1_740), 1)
  assert.equal(await countPolls({ ...processando, headers: { 'retry-after': '3600' } }, 0.001, 1_000), 0)
})

test('a later attempt goes on with the key, and what was issued meanwhile is its own', async () => {
  const andamento = { rota: 'contrato', desde: '2026-11-14T14:50:00Z', chave: 'c-9' } as const
  const { asked, notas } = ask([entregar()], { andamento })
  const resposta = await asked
  assert.deepEqual(
    bodies().map(({ Chave }) => Chave),
    ['c-9'],
  )
  assert.ok(resposta.tipo === 'certidao' && resposta.emitida)
  assert.deepEqual(notas, [])
  const old = await ask([entregar()], { andamento: { ...andamento, desde: '2026-11-15T14:50:00Z' } }).asked
  assert.ok(old.tipo === 'certidao' && !old.emitida)
})

test('a Retry-After that is longer than an attempt holds the next attempt back, too', async () => {
  const first = dizer(7, { Chave: 'c-1' }, 201)
  const tempo = { pace: 0.001, deadlineMs: 1_000 }
  const { asked, notas } = ask([{ ...first, headers: { 'retry-after': '3600' } }], tempo)
  assert.equal((await failureOf(asked)).codigo, 'em-processamento')
  const noted = notas.at(-1)
  assert.deepEqual([noted?.chave, noted?.esperarAte], ['c-1', '2026-11-14T16:00:00.000Z'])
  const before = authority.asked().length
  await failureOf(ask([entregar()], { ...tempo, andamento: noted }).asked)
  assert.equal(authority.asked().length, before, 'no poll is billed before its time')
  const now = () => new Date('2026-11-14T16:00:00Z')
  assert.equal((await ask([entregar()], { ...tempo, andamento: noted, now }).asked).tipo, 'certidao')
})

test('Status 14 starts again without the key, once', async () => {
  const andamento = { rota: 'contrato', desde: AGORA.toISOString(), chave: 'velha' } as const
  const { asked, notas } = ask([dizer(14, {}, 404), entregar({}, 2)], { andamento })
  assert.equal((await asked).tipo, 'certidao')
  assert.deepEqual(
    bodies().map(({ Chave }) => Chave),
    ['velha', undefined],
  )
  assert.deepEqual(notas, [{ rota: 'contrato', desde: andamento.desde }])
  for (const respostas of [[dizer(14, {}, 404)], [dizer(7, { Chave: 'c' }, 201), dizer(14, {}, 404)]])
    assert.equal((await failureOf(ask(respostas).asked)).kind, 'parse')
})

test('a gateway that loses every key is not asked for ever', async () => {
  const [processando, perdida] = [dizer(7, { Chave: 'c' }, 201), dizer(14, {}, 404)]
  const { asked } = ask([processando, perdida, processando, perdida, processando])
  assert.equal((await failureOf(asked)).kind, 'parse')
  assert.equal(bodies().length, 4)
})

test('a poll without an answer in time is no outage, but a first question is one', async () => {
  const mudo = { ...entregar(), espera: new Promise<void>(() => {}) }
  const poll = await failureOf(ask([dizer(7, { Chave: 'c' }, 201), mudo], { deadlineMs: 1_000 }).asked)
  assert.deepEqual([poll.kind, poll.codigo, poll.unavailable], ['timeout', 'em-processamento', false])
  const first = await failureOf(ask([mudo], { deadlineMs: 500 }).asked)
  assert.deepEqual([first.kind, first.codigo, first.unavailable], ['timeout', undefined, true])
})

test('after Status 5 the next attempt goes without the key, after 6 and 99 with it', async () => {
  for (const [status, chave] of [
    [5, undefined],
    [6, 'c'],
    [99, 'c'],
  ] as const) {
    const { asked, notas } = ask([dizer(7, { Chave: 'c' }, 201), dizer(status)])
    await failureOf(asked)
    assert.equal(notas.at(-1)?.chave, chave)
  }
})
