import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  type Configuracao,
  criarCliente,
  ErroDaApi,
  ErroDeConexao,
  ErroInterno,
} from '@consulta-fiscal/cliente'
import fc from 'fast-check'
import { type Evento, eventosDe } from '../../clients/typescript/cliente/eventos.ts'
import { inPieces, json, openServer, problema, type Resposta } from '../kit/transport.ts'

const cnpj = '99034721000180'
const TIPO = 'text/event-stream; charset=utf-8'

async function* umPorUm<T>(pedacos: Iterable<T>): AsyncGenerator<T> {
  yield* pedacos
}

async function lidos(octetos: Buffer, cortes: number[], maximo = 1000): Promise<Evento[]> {
  const onde = [0, ...cortes.toSorted((a, b) => a - b), octetos.length]
  const pedacos = onde.slice(1).map((fim, i) => octetos.subarray(onde[i], fim))
  return Array.fromAsync(eventosDe(umPorUm(pedacos), maximo))
}

/** Events as the standard writes them, with all its ways to end a line. */
const ESCRITOS = Buffer.from(
  '\uFEFF: começo\r\nid: SP\r\nevent: uf\r\ndata: {"município":"São João 🌾"}\r\n\r\n' +
    'event:uf\rdata:a\rdata:  b\r\r' +
    'data\n\nevent: sem dados\n\nretry: 5\nnada: x\ndata: último\n\ndata: sem fim\n',
)
const LIDOS = [
  { evento: 'uf', dados: '{"município":"São João 🌾"}' },
  { evento: 'uf', dados: 'a\n b' },
  { evento: 'message', dados: '' },
  { evento: 'message', dados: 'último' },
]

test('events are the same wherever their octets are cut', async () => {
  assert.deepEqual(await lidos(ESCRITOS, []), LIDOS)
  assert.deepEqual(await lidos(ESCRITOS, [...ESCRITOS.keys()]), LIDOS)
  const corte = fc.nat({ max: ESCRITOS.length })
  await fc.assert(
    fc.asyncProperty(fc.array(corte, { maxLength: 12 }), async (cortes) => {
      assert.deepEqual(await lidos(ESCRITOS, cortes), LIDOS)
    }),
  )
})

test('a line, and the data of an event, have a bound', async () => {
  const grande = (texto: string, cortes: number[] = []) =>
    assert.rejects(lidos(Buffer.from(texto), cortes, 100), { codigo: 'RESPOSTA_GRANDE' })
  await grande(`data: ${'x'.repeat(200)}\n\n`)
  await grande('x'.repeat(200), [50, 150])
  await grande('data: cinquenta letras, e muitas vezes\n'.repeat(9))
  assert.equal((await lidos(Buffer.from('data: ok\n\n'.repeat(50)), [], 100)).length, 50)
})

const parte = (uf: string) => `id: ${uf}\nevent: uf\ndata: {"uf":"${uf}","results":[]}\n\n`
const FIM =
  'event: creditos\ndata: {"cobrados":2,"restantes":98}\n\nevent: resultado\ndata: {"results":[1,2]}\n\n'

async function contra(
  t: TestContext,
  respostas: [Resposta, ...Resposta[]],
  mais: Partial<Configuracao> = {},
) {
  const torto = await openServer(...respostas)
  t.after(torto.close)
  const fiscal = criarCliente({ endereco: torto.endereco, chave: 'k', esperar: async () => {}, ...mais })
  return { ...torto, fiscal, fluxo: fiscal.consultarIeTodos.stream({ cnpj }) }
}

test('the parts come one by one; result and receipt stand at the end', async (t) => {
  const { fluxo, pedidas } = await contra(t, [inPieces(TIPO, ':\n\n', parte('AC'), parte('AL'), FIM)])
  const ufs: string[] = []
  for await (const { uf } of fluxo) {
    ufs.push(uf)
    assert.equal(fluxo.resultado, undefined)
    assert.equal(fluxo.recibo?.creditosCobrados, undefined)
  }
  assert.deepEqual(ufs, ['AC', 'AL'])
  assert.deepEqual(fluxo.resultado?.results, [1, 2])
  assert.deepEqual([fluxo.recibo?.creditosCobrados, fluxo.recibo?.creditosRestantes], [2, 98])
  assert.equal(pedidas[0]?.headers.accept, 'text/event-stream')
  await assert.rejects(Array.fromAsync(fluxo), TypeError)
})

test('a stream is tried again until it begins, and never after', async (t) => {
  const cortado = inPieces(TIPO, parte('AC'), undefined)
  const { fluxo, pedidas } = await contra(t, [problema('SITE_INDISPONIVEL', 503, '1'), cortado])
  const ufs: string[] = []
  const ler = async () => {
    for await (const { uf } of fluxo) ufs.push(uf)
  }
  await assert.rejects(ler(), { codigo: 'CONEXAO_INTERROMPIDA', retryable: true })
  assert.deepEqual([ufs, pedidas.length], [['AC'], 2])
})

test('a stream that ends without its result is an interruption, not an end', async (t) => {
  const { fluxo } = await contra(t, [inPieces(TIPO, parte('AC'))])
  await assert.rejects(Array.fromAsync(fluxo), { codigo: 'CONEXAO_INTERROMPIDA' })
})

test('the event of an error is thrown, of the class of its code', async (t) => {
  const erro = { error_code: 'ERRO_INTERNO', status: 500, detail: 'houve', retryable: true }
  const { fluxo } = await contra(t, [
    inPieces(TIPO, parte('AC'), `event: erro\ndata: ${JSON.stringify(erro)}\n\n`),
  ])
  const lancado = await Array.fromAsync(fluxo).catch((um: unknown) => um)
  assert.ok(lancado instanceof ErroInterno && lancado instanceof ErroDaApi)
  assert.deepEqual([lancado.status, lancado.retryable], [500, true])
})

test('leaving the loop early ends the request', async (t) => {
  const presa: Resposta = async (saida) => {
    saida.writeHead(200, { 'Content-Type': TIPO })
    saida.write(parte('AC') + parte('AL'))
  }
  const { fluxo, fechou } = await contra(t, [presa])
  for await (const { uf } of fluxo) {
    assert.equal(uf, 'AC')
    break
  }
  await fechou
})

test('whoever calls may cancel a stream', async (t) => {
  const desistir = new AbortController()
  const motivo = new Error('desisto')
  const presa: Resposta = async (saida) => {
    saida.writeHead(200, { 'Content-Type': TIPO })
    saida.write(parte('AC'))
  }
  const { fluxo, fechou } = await contra(t, [presa], { signal: desistir.signal })
  const ler = async () => {
    for await (const _ of fluxo) desistir.abort(motivo)
  }
  assert.equal(await ler().catch((um: unknown) => um), motivo)
  await fechou
})

test('an answer that is no stream, an event that is no JSON and one without end are refused', async (t) => {
  const outra = await contra(t, [json({ results: [] })], { tentativas: 1 })
  await assert.rejects(Array.fromAsync(outra.fluxo), { codigo: 'RESPOSTA_ILEGIVEL' })
  const quebrada = await contra(t, [inPieces(TIPO, 'event: uf\ndata: {"uf":\n\n')])
  await assert.rejects(Array.fromAsync(quebrada.fluxo), { codigo: 'RESPOSTA_ILEGIVEL' })
  const grande = await contra(t, [inPieces(TIPO, 'data: ', 'x'.repeat(5000))], { maximoDeOctetos: 1000 })
  const erro = await Array.fromAsync(grande.fluxo).catch((um: unknown) => um)
  assert.ok(erro instanceof ErroDeConexao)
  assert.equal(erro.codigo, 'RESPOSTA_GRANDE')
})

test('a stream without end tells each event by its name, and ends where the service ends it', async (t) => {
  const { fiscal } = await contra(t, [
    inPieces(
      TIPO,
      'retry: 5000\n\nevent: estado\ndata: {"states":[]}\n\nevent: mudanca\ndata: {"uf":"SP"}\n\n',
    ),
  ])
  const nomes: string[] = []
  for await (const { evento } of fiscal.sefazStatus.stream({ doc: 'nfe' })) nomes.push(evento)
  assert.deepEqual(nomes, ['estado', 'mudanca'])
})
