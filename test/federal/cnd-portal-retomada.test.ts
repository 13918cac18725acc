import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AGORA, achadas, type Fala, failureOf, linha, pdfOf, usePortal } from '../kit/federal.ts'

const portal = usePortal()

const cookies = JSON.stringify(['SESSION=velha; Path=/servico/certidoes'])
const minutesAgo = (minutes: number): string => new Date(AGORA.getTime() - minutes * 60_000).toISOString()
const andamento = { rota: 'portal', desde: minutesAgo(2), chave: 'EmProcessamento', cookies } as const
const perdida = { ...andamento, cookies: '' }

const processando: Fala = { body: { statusEmissao: 'EmProcessamento', mensagem: 'Aguarde.' } }
const SEM_SESSAO: Fala = { status: 400, body: { statusValidacao: 'CaptchaTokenNaoInformado', codigo: '023' } }

test('a later run goes on in the kept session, with no captcha and no second issuance', async () => {
  portal.dizer({ emissao: [processando, { body: { statusEmissao: 'Sucesso', pdf: await pdfOf() } }] })
  const resposta = await portal.ask('sempre', { andamento }).asked
  assert.ok(resposta.tipo === 'certidao' && resposta.emitida)
  assert.deepEqual(portal.vistas(), ['emissao', 'emissao'])
  for (const { cabecalhos } of portal.pedidos('emissao')) assert.equal(cabecalhos.cookie, 'SESSION=velha')
  assert.deepEqual(portal.desafios, [])
})

test('an issuance of which nothing was heard is first looked for, then asked for in the kept session', async () => {
  const { chave: _, ...enviada } = andamento
  portal.dizer({ consulta: [achadas(linha())] })
  const resposta = await portal.ask('sempre', { andamento: enviada }).asked
  assert.ok(resposta.tipo === 'certidao' && resposta.emitida)
  assert.deepEqual(portal.vistas(), ['env', 'validar', 'consulta', 'seg-via'])
  portal.dizer({ emissao: [processando, { body: { statusEmissao: 'Sucesso', pdf: await pdfOf() } }] })
  const { asked, notas } = portal.ask('sempre', { andamento: enviada })
  assert.equal((await asked).tipo, 'certidao')
  assert.equal(portal.pedidos('emissao').length, 2)
  assert.deepEqual(portal.pedidos('verificar'), [])
  assert.deepEqual(
    notas.map(({ chave }) => chave),
    [undefined, 'EmProcessamento', undefined],
  )
})

test('if the kept session died, a certificate issued since is ours, and nothing is issued', async () => {
  for (const gone of [SEM_SESSAO, { status: 401, body: {} }, { status: 403, body: {} }]) {
    portal.dizer({ emissao: [gone], consulta: [achadas(linha())] })
    const { asked, notas } = portal.ask('sempre', { andamento })
    const resposta = await asked
    assert.ok(resposta.tipo === 'certidao' && resposta.emitida)
    // Later runs do not ask in the dead session again.
    assert.equal(notas.at(-1)?.cookies, '')
    assert.equal(notas.at(-1)?.desde, andamento.desde)
  }
  assert.equal(portal.pedidos('emissao').length, 3)
  assert.deepEqual(portal.pedidos('verificar'), [])
})

test('while the first issuance may be at work no second POST /Emissao is sent', async () => {
  const error = await failureOf(
    portal.ask('sempre', { andamento: perdida, deadlineMs: 1_500, pace: 1 }).asked,
  )
  assert.equal(error.codigo, 'em-processamento')
  assert.deepEqual(portal.vistas(), ['env', 'validar', 'consulta'])
})

test('its certificate is looked for again, each time with a captcha, until it is there', async () => {
  portal.dizer({ consulta: [achadas(), achadas(linha())] })
  const resposta = await portal.ask('sempre', { andamento: perdida }).asked
  assert.ok(resposta.tipo === 'certidao' && resposta.emitida)
  assert.equal(portal.desafios.length, 2)
  assert.deepEqual(portal.pedidos('emissao'), [])
})

test('a certificate of an earlier day is not ours', async () => {
  portal.dizer({ consulta: [achadas(linha({ dataEmissao: '2026-11-13T12:00:00' }))] })
  const asked = portal.ask('sempre', { andamento: perdida, deadlineMs: 1_500, pace: 1 }).asked
  assert.equal((await failureOf(asked)).codigo, 'em-processamento')
})

test('after a quarter of an hour a new one is issued', async () => {
  const velho = { ...perdida, desde: minutesAgo(16) }
  const { asked, notas } = portal.ask('sempre', { andamento: velho })
  assert.equal((await asked).tipo, 'certidao')
  assert.equal(portal.pedidos('emissao').length, 1)
  assert.equal(notas[0]?.desde, AGORA.toISOString())
})

test('a session that dies between two polls is looked after in the same run', async () => {
  portal.dizer({ emissao: [processando, SEM_SESSAO], consulta: [achadas(), achadas(linha())] })
  const resposta = await portal.ask('sempre').asked
  assert.ok(resposta.tipo === 'certidao' && resposta.emitida)
  assert.equal(portal.pedidos('emissao').length, 2)
  assert.equal(portal.pedidos('verificar').length, 1)
})

test('a session that is refused at once began nothing: a failure, and nothing is at work', async () => {
  portal.dizer({ emissao: [SEM_SESSAO] })
  const { asked, notas } = portal.ask('sempre')
  assert.equal((await failureOf(asked)).codigo, 'sessao-expirada')
  assert.deepEqual(notas.at(-1), { rota: 'portal', desde: AGORA.toISOString() })
  const depois = portal.ask('sempre', { andamento: notas.at(-1) })
  portal.dizer({})
  assert.equal((await depois.asked).tipo, 'certidao')
})

test('a connection that breaks at POST /Emissao is not repeated, and its session stays noted', async () => {
  portal.dizer({ emissao: [{ cai: true }] })
  const { asked, notas } = portal.ask('sempre')
  assert.equal((await failureOf(asked)).kind, 'network')
  assert.equal(portal.pedidos('emissao').length, 1)
  assert.ok(notas.at(-1)?.cookies)
})

test('POST /Emissao without an answer in time may be at work: em-processamento', async () => {
  portal.dizer({ emissao: [{ nunca: true }] })
  const { asked, notas } = portal.ask('sempre', { deadlineMs: 1_500 })
  assert.equal((await failureOf(asked)).codigo, 'em-processamento')
  assert.ok(notas.at(-1)?.cookies)
})

test('a portal that is out of order at once began nothing, and later may still be at work', async () => {
  const fora = { body: { statusEmissao: 'SistemaIndisponivel' } }
  portal.dizer({ emissao: [fora] })
  const logo = portal.ask('sempre')
  assert.equal((await failureOf(logo.asked)).codigo, 'indisponivel')
  assert.equal(logo.notas.at(-1)?.cookies, undefined)
  portal.dizer({ emissao: [processando, fora] })
  const depois = portal.ask('sempre')
  assert.equal((await failureOf(depois.asked)).codigo, 'indisponivel')
  assert.ok(depois.notas.at(-1)?.cookies)
})

test('an issuance that ended before its process could tell is found, and none is begun', async () => {
  const { cookies: _, ...terminada } = andamento
  portal.dizer({ consulta: [achadas(linha())] })
  const resposta = await portal.ask('sempre', { andamento: terminada }).asked
  assert.ok(resposta.tipo === 'certidao' && resposta.emitida)
  assert.deepEqual(portal.pedidos('emissao'), [])
})

test("the other route's issuance has no session here, and its certificate is one that was found", async () => {
  const outra = { rota: 'contrato', desde: minutesAgo(2), chave: 'c-1' } as const
  portal.dizer({ consulta: [achadas(linha())] })
  const resposta = await portal.ask('se-preciso', { andamento: outra }).asked
  assert.equal(resposta.tipo, 'certidao')
  assert.deepEqual(portal.vistas(), ['env', 'validar', 'consulta', 'seg-via'])
})

test('kept cookies are sent to the portal alone, and what is no list of cookies is left out', async () => {
  const pdf = await pdfOf()
  const ditas = { emissao: [{ body: { statusEmissao: 'Sucesso', pdf } }] }
  const odd = [
    ['não é JSON', undefined],
    ['{"SESSION":"x"}', undefined],
    [JSON.stringify(Array.from({ length: 51 }, (_, n) => `c${n}=1`)), undefined],
    [JSON.stringify(['SESSION=x; Domain=exemplo.com.br', 'b=1; Path=/servico']), 'b=1'],
  ] as const
  for (const [cookies, sent] of odd) {
    portal.dizer(ditas)
    await portal.ask('sempre', { andamento: { ...andamento, cookies } }).asked
    assert.equal(portal.pedidos('emissao').at(-1)?.cabecalhos.cookie, sent)
  }
})
