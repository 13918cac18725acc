import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type Cliente,
  CnpjNaoEncontrado,
  criarCliente,
  ErroDaFonte,
  exigirFonte,
  LimiteAtingido,
  NaoAutenticado,
  RateLimitExceeded,
  UfNaoSuportada,
} from '@consulta-fiscal/cliente'
import { issueToken } from '../../src/contas/token.ts'
import { NOW } from '../kit/basics.ts'
import { empresa, startFederal } from '../kit/federal.ts'
import { type House, start, UNKNOWN } from '../kit/house.ts'
import { feita } from '../kit/sefaz.ts'

const cnpj = '99034721000180'

describe('the client at the real service', { concurrency: false }, () => {
  let house: House
  let fiscal: Cliente

  before(async () => {
    house = await start()
    fiscal = criarCliente({ endereco: house.address, chave: house.apiKey ?? '' })
  })
  after(() => house.close())

  test('a receipt tells what a call cost, what is left and how to name it', async () => {
    const antes = (await fiscal.conta()).creditos.disponiveis
    const { dados, recibo } = await fiscal.consultar.comRecibo({ uf: 'RS', cnpj })
    assert.equal(recibo.requestId, dados.request_id)
    assert.deepEqual([recibo.creditosCobrados, recibo.creditosRestantes], [1, antes - 1])
    assert.deepEqual([recibo.status, recibo.tentativas, recibo.ambiente], [200, 1, 'simulador'])
    assert.equal(recibo.limite, 300)
    assert.ok((recibo.limiteRestante ?? 300) < 300)
    assert.equal((await fiscal.consultar.comRecibo({ uf: 'RS', cnpj })).recibo.idadeS, 0)
  })

  test('all states come one by one, and cost what the receipt says', async () => {
    const antes = (await fiscal.conta()).creditos.disponiveis
    const fluxo = fiscal.consultarIeTodos.stream({ cnpj })
    const ufs: string[] = []
    for await (const { uf, source_status, results } of fluxo) {
      ufs.push(uf)
      if (uf === 'RS') assert.equal(results[0]?.situacao_ie, 'ATIVA')
      assert.ok(source_status.status)
    }
    assert.equal(new Set(ufs).size, 27)
    const whole = fluxo.resultado
    assert.equal(whole?.results.length, 27)
    const respondidos = whole?.results.filter(
      ({ source_status }) => source_status.status === 'success',
    ).length
    assert.equal(fluxo.recibo?.creditosCobrados, respondidos)
    assert.equal((await fiscal.conta()).creditos.disponiveis, antes - (respondidos ?? 0))
    assert.equal(fluxo.recibo?.requestId, whole?.request_id)
  })

  test('a profile comes in parts of its three sections', async () => {
    const fluxo = fiscal.perfilProdutor.stream({ cnpj })
    const secoes = new Map<string, number>()
    for await (const { secao } of fluxo) secoes.set(secao, (secoes.get(secao) ?? 0) + 1)
    assert.deepEqual(Object.fromEntries(secoes), {
      receita_federal: 1,
      inscricoes_estaduais: 27,
      cnd_estaduais: 27,
    })
    assert.equal(fluxo.resultado?.receita_federal?.result.razao_social, 'FAREVEL ELETRICA E FARMACIA LTDA')
  })

  test('the monitor tells its events, until the loop is left', async () => {
    await house.rooms.sefaz.monitor.keep(feita(NOW.getTime()))
    for await (const { evento } of fiscal.sefazStatus.stream({ doc: 'nfe' })) {
      assert.equal(evento, 'estado')
      break
    }
  })

  test('refusals have the class of their code', async () => {
    const classes = [
      [criarCliente({ endereco: house.address }).conta(), NaoAutenticado],
      [criarCliente({ endereco: house.address, chave: 'fk_errada' }).conta(), NaoAutenticado],
      [fiscal.consultarCnpj({ cnpj: UNKNOWN }), CnpjNaoEncontrado],
      // @ts-expect-error: no state is called that.
      [fiscal.consultarCnd({ uf: 'XX', cnpj }), UfNaoSuportada],
    ] as const
    for (const [promessa, classe] of classes) await assert.rejects(promessa, classe)
  })

  test('credits that do not suffice and a limit that is used up say until when', async () => {
    const { key } = await house.open('lite')
    const pobre = criarCliente({ endereco: house.address, chave: key, tentativas: 1 })
    await pobre.perfilProdutor({ cnpj })
    const semCreditos = await pobre.perfilProdutor({ cnpj }).catch((erro: unknown) => erro)
    assert.ok(semCreditos instanceof LimiteAtingido)
    assert.deepEqual([semCreditos.problema?.required, semCreditos.retryable], [55, false])
    const todas = Array.from({ length: 40 }, () => pobre.conta().catch((erro: unknown) => erro))
    const demais = (await Promise.all(todas)).find((um) => um instanceof RateLimitExceeded)
    assert.ok(demais instanceof RateLimitExceeded && demais.retryable)
    assert.ok((demais.retryAfterS ?? 0) > 0)
  })

  test('the token of a login serves in the place of a key', async () => {
    const { rooms } = house
    const { conta } = await house.open('starter')
    const novo = { conta_id: conta.id, tipo: 'api', agente: 'teste', endereco: '' } as const
    const { acesso } = await rooms.contas.acessos.open(novo)
    const comToken = criarCliente({
      endereco: house.address,
      token: async () => (await issueToken(rooms.contas, acesso)).access_token,
    })
    assert.equal((await comToken.conta()).plano, 'starter')
    const fluxo = comToken.consultarIeTodos.stream({ cnpj })
    assert.equal((await Array.fromAsync(fluxo)).length, 27)
    await assert.rejects(criarCliente({ endereco: house.address, token: 'nenhum' }).conta(), NaoAutenticado)
  })

  test('a source that fails is in the answer, and an error on demand', async () => {
    const resposta = await fiscal.consultarCndFederal({ cnpj: '11111111111111' })
    assert.equal(resposta.source_status.error_code, 'CNPJ_INVALIDO')
    assert.throws(() => exigirFonte(resposta), ErroDaFonte)
    const { result } = exigirFonte(await fiscal.consultarCnd({ uf: 'RS', cnpj }))
    assert.equal(result.status, 'negativa')
  })
})

test('an issuance that goes on is waited out: the certificate comes, issued once and paid once', async (t) => {
  const { house, key, pass, settled, emissoes } = await startFederal(t, { CND_FEDERAL_SECONDS: '5' })
  const pedidas: number[] = []
  const fiscal = criarCliente({
    endereco: house.address,
    chave: key,
    esperar: async (ms) => {
      pedidas.push(ms)
      pass(180_000)
      await settled()
    },
  })
  const { dados, recibo } = await fiscal.consultarCndFederal.comRecibo(
    { cnpj: empresa('processa-muito'), emitir_nova: true },
    { esperarEmissao: true, exigirFonte: true },
  )
  assert.deepEqual([dados.result?.modo, dados.result?.status], ['emissao', 'negativa'])
  assert.deepEqual([pedidas.length, recibo.creditosCobrados], [1, 1])
  assert.ok((pedidas[0] ?? 0) >= 30_000)
  assert.equal(await emissoes('processa-muito'), 1)
})
