import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import {
  type Configuracao,
  criarCliente,
  EmProcessamento,
  ErroDaApi,
  ErroDaFonte,
  ErroDeConexao,
  IdempotenciaEmAndamento,
  RateLimitExceeded,
  SiteIndisponivel,
  SiteIndisponivelNaFonte,
} from '@consulta-fiscal/cliente'
import { inPieces, json, openServer, problema, type Resposta } from '../kit/transport.ts'

const CHAVE = 'fk_segredoquenuncaaparece'
const cnpj = '99034721000180'
const boa = { cnpj, result: { razao_social: 'BOA' } }

/** A client of a server that answers as it is told. It notes how long it would wait, and does not wait. */
async function contra(
  t: TestContext,
  respostas: [Resposta, ...Resposta[]],
  mais: Partial<Configuracao> = {},
) {
  const torto = await openServer(...respostas)
  t.after(torto.close)
  const esperas: number[] = []
  const fiscal = criarCliente({
    endereco: torto.endereco,
    chave: CHAVE,
    esperar: async (ms) => {
      esperas.push(ms)
    },
    ...mais,
  })
  return { ...torto, fiscal, esperas }
}

/** What a promise rejects with. */
const erroDe = (promessa: Promise<unknown>): Promise<unknown> =>
  promessa.then(
    () => assert.fail('não lançou'),
    (erro: unknown) => erro,
  )

const cortar: Resposta = (saida) => saida.destroy()

test('a failure that passes is tried again after its Retry-After, and a receipt counts the tries', async (t) => {
  const { fiscal, esperas } = await contra(t, [problema('SITE_INDISPONIVEL', 503, '7'), json(boa)])
  const { dados, recibo } = await fiscal.consultarCnpj.comRecibo({ cnpj })
  assert.equal(dados.result.razao_social, 'BOA')
  assert.equal(recibo.tentativas, 2)
  assert.equal(esperas.length, 1)
  assert.ok((esperas[0] ?? 0) >= 7000 && (esperas[0] ?? 0) <= 7700)
})

test('a Retry-After that is a date is kept too', async (t) => {
  const em = new Date(Date.now() + 50_000).toUTCString()
  const { fiscal, esperas } = await contra(t, [problema('SITE_INDISPONIVEL', 503, em), json(boa)])
  await fiscal.consultarCnpj({ cnpj })
  assert.ok((esperas[0] ?? 0) > 20_000 && (esperas[0] ?? 0) < 60_000)
})

test('tries end: the last failure is thrown, of the class of its code, and waits grow', async (t) => {
  const { fiscal, esperas, pedidas } = await contra(t, [
    cortar,
    cortar,
    problema('RATE_LIMIT_EXCEEDED', 429, '1'),
  ])
  const erro = await erroDe(fiscal.consultarCnpj({ cnpj }))
  assert.ok(erro instanceof RateLimitExceeded)
  assert.deepEqual([erro.codigo, erro.status, erro.retryAfterS], ['RATE_LIMIT_EXCEEDED', 429, 1])
  assert.equal(pedidas.length, 3)
  const [primeira = 0, segunda = 0] = esperas
  assert.ok(primeira >= 250 && primeira <= 500 && segunda >= 500 && segunda <= 1000)
})

test('a wait beyond the longest, or beyond the whole time of a call, is not begun', async (t) => {
  const { fiscal, esperas, pedidas } = await contra(t, [problema('SITE_INDISPONIVEL', 503, '61')])
  assert.ok((await erroDe(fiscal.consultarCnpj({ cnpj }))) instanceof SiteIndisponivel)
  const curta = fiscal.conta({}, { esperaMaximaMs: 1e9, prazoTotalMs: 60_000 })
  assert.ok((await erroDe(curta)) instanceof SiteIndisponivel)
  assert.deepEqual([esperas.length, pedidas.length], [0, 2])
})

test('what never passes is not tried again', async (t) => {
  const { fiscal, pedidas } = await contra(t, [problema('LIMITE_ATINGIDO', 402)])
  assert.equal(inspect(await erroDe(fiscal.consultarCnpj({ cnpj }))).split(':')[0], 'LimiteAtingido')
  assert.equal(pedidas.length, 1)
})

test('a code that this client does not know is an ErroDaApi, and so is a failure of a proxy', async (t) => {
  const html: Resposta = (saida) =>
    saida.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad Gateway')
  const { fiscal, pedidas } = await contra(t, [problema('constructor', 418), html, json(boa)])
  const novo = await erroDe(fiscal.conta())
  assert.ok(novo instanceof ErroDaApi)
  assert.deepEqual([novo.constructor, novo.codigo, novo.status], [ErroDaApi, 'constructor', 418])
  await fiscal.consultarCnpj({ cnpj })
  assert.equal(pedidas.length, 3)
})

test('a connection that is cut, at once or midway, and broken JSON are tried again', async (t) => {
  const meio = inPieces('application/json', '{"cnpj":"9903', undefined)
  const { fiscal, pedidas } = await contra(t, [cortar, meio, json(boa)])
  assert.equal((await fiscal.consultarCnpj({ cnpj })).result.razao_social, 'BOA')
  assert.equal(pedidas.length, 3)
  const quebrado = await contra(t, [inPieces('application/json', '{"cnpj":'), json('texto')])
  const erro = await erroDe(quebrado.fiscal.consultarCnpj({ cnpj }))
  assert.ok(erro instanceof ErroDeConexao)
  assert.equal(erro.codigo, 'RESPOSTA_ILEGIVEL')
})

test('an answer without end is left at the most that it may have', async (t) => {
  const infinita: Resposta = (saida) => {
    saida.writeHead(200, { 'Content-Type': 'application/json' })
    const fill = () => {
      while (!saida.destroyed && saida.write(' '.repeat(65_536)));
      if (!saida.destroyed) saida.once('drain', fill)
    }
    fill()
  }
  const { fiscal, fechou, pedidas } = await contra(t, [infinita], { maximoDeOctetos: 1_000_000 })
  const erro = await erroDe(fiscal.consultarCnpj({ cnpj }))
  assert.ok(erro instanceof ErroDeConexao)
  assert.deepEqual([erro.codigo, erro.retryable, pedidas.length], ['RESPOSTA_GRANDE', false, 1])
  await fechou
})

test('an answer that drips on is left when its time is over', async (t) => {
  const goteja = inPieces('application/json', '{', ...Array.from({ length: 3 }, () => ' '))
  const presa: Resposta = (saida, entrada) => goteja(Object.assign(saida, { end: () => saida }), entrada)
  const { fiscal, fechou } = await contra(t, [presa], { prazoMs: 1000, tentativas: 1 })
  const erro = await erroDe(fiscal.consultarCnpj({ cnpj }))
  assert.ok(erro instanceof ErroDeConexao)
  assert.equal(erro.codigo, 'PRAZO')
  await fechou
})

test('a POST with an Idempotency-Key is tried again with the same key; the caller may give one', async (t) => {
  const nota = { chave: '1', certificado: 'AA==', senha: 'x' }
  const { fiscal, pedidas } = await contra(t, [
    cortar,
    problema('IDEMPOTENCIA_EM_ANDAMENTO', 409, '5'),
    json({ resultados: [] }, 200, { 'Idempotency-Replayed': 'true' }),
    problema('IDEMPOTENCIA_EM_ANDAMENTO', 409, '5'),
  ])
  const { recibo } = await fiscal.consultarNfeXml.comRecibo(nota)
  assert.equal(recibo.repetida, true)
  const chaves = new Set(pedidas.map(({ headers }) => headers['idempotency-key']))
  assert.equal(chaves.size, 1)
  assert.match([...chaves].join(), /^[0-9a-f]{32}$/)
  assert.deepEqual(JSON.parse(pedidas[0]?.corpo ?? ''), nota)
  const erro = await erroDe(fiscal.consultarNfeXml(nota, { idempotencyKey: 'minha', tentativas: 2 }))
  assert.ok(erro instanceof IdempotenciaEmAndamento)
  assert.deepEqual(
    pedidas.slice(3).map(({ headers }) => headers['idempotency-key']),
    ['minha', 'minha'],
  )
})

test('a POST without an Idempotency-Key is never sent twice', async (t) => {
  const { fiscal, pedidas } = await contra(t, [problema('SITE_INDISPONIVEL', 503, '0')])
  assert.ok((await erroDe(fiscal.diagnosticar({ xml: '<NFe/>' }))) instanceof SiteIndisponivel)
  assert.deepEqual([pedidas.length, pedidas[0]?.headers['idempotency-key']], [1, undefined])
})

test('whoever calls may cancel: before, while the service works, and between two tries', async (t) => {
  const motivo = new Error('desisto')
  const { fiscal, pedidas } = await contra(t, [json(boa)])
  assert.equal(await erroDe(fiscal.conta({}, { signal: AbortSignal.abort(motivo) })), motivo)
  assert.equal(pedidas.length, 0)

  const durante = new AbortController()
  const mudo = await contra(t, [() => durante.abort(motivo)])
  assert.equal(await erroDe(mudo.fiscal.conta({}, { signal: durante.signal })), motivo)
  await mudo.fechou

  const entre = new AbortController()
  const torto = await openServer((saida) => {
    problema('SITE_INDISPONIVEL', 503, '60')(saida, saida.req)
    saida.once('close', () => entre.abort(motivo))
    saida.shouldKeepAlive = false
  })
  t.after(torto.close)
  const real = criarCliente({ endereco: torto.endereco, chave: CHAVE, signal: entre.signal })
  assert.equal(await erroDe(real.conta()), motivo)
  assert.equal(torto.pedidas.length, 1)
})

/** An answer of the federal certificate. */
const federal = (error_code: string, retryAfter?: string): Resposta =>
  json(
    {
      source_status: {
        status: error_code ? 'error' : 'success',
        error_code,
        error_message: error_code && 'houve',
        retryable: retryAfter !== undefined,
      },
      result: error_code ? null : { status: 'negativa' },
    },
    200,
    retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
  )

test('an issuance is waited out on demand, as long as it says', async (t) => {
  const { fiscal, esperas, pedidas } = await contra(t, [
    federal('EM_PROCESSAMENTO', '30'),
    federal('EM_PROCESSAMENTO', '30'),
    federal(''),
    federal('EM_PROCESSAMENTO', '30'),
  ])
  const { result } = await fiscal.consultarCndFederal({ cnpj }, { esperarEmissao: true, exigirFonte: true })
  assert.equal(result?.status, 'negativa')
  assert.deepEqual([esperas.length, pedidas.length], [2, 3])
  assert.ok(esperas.every((ms) => ms >= 30_000))
  const resposta = await fiscal.consultarCndFederal({ cnpj }, { esperarEmissao: 1000 })
  assert.equal(resposta.source_status.error_code, 'EM_PROCESSAMENTO')
  const cedo = fiscal.consultarCndFederal({ cnpj }, { esperarEmissao: 1000, exigirFonte: true })
  assert.ok((await erroDe(cedo)) instanceof EmProcessamento)
  const erro = await erroDe(fiscal.consultarCndFederal({ cnpj }, { exigirFonte: true, tentativas: 1 }))
  assert.ok(erro instanceof EmProcessamento)
  assert.equal(erro.retryAfterS, 30)
})

test('a source that failed with HTTP 200 is an error on demand, and tried again if it passes', async (t) => {
  const { fiscal, pedidas } = await contra(t, [federal('SITE_INDISPONIVEL', '1'), federal('CNPJ_INVALIDO')])
  assert.equal((await fiscal.consultarCndFederal({ cnpj })).source_status.error_code, 'SITE_INDISPONIVEL')
  const erro = await erroDe(fiscal.consultarCndFederal({ cnpj }, { exigirFonte: true }))
  assert.ok(erro instanceof ErroDaFonte && !(erro instanceof SiteIndisponivelNaFonte))
  assert.deepEqual([erro.codigo, erro.retryable, pedidas.length], ['CNPJ_INVALIDO', false, 2])
})

test('no key stands in an error, an inspection or a message', async (t) => {
  const { fiscal, endereco } = await contra(t, [cortar], { tentativas: 1 })
  const lancado = await erroDe(fiscal.consultarCnpj({ cnpj }))
  const recusada = (mais: Partial<Configuracao>) =>
    erroDe(Promise.resolve().then(() => criarCliente({ endereco, ...mais })))
  const vistos = [
    fiscal,
    fiscal.consultar,
    lancado,
    await recusada({ chave: `${CHAVE}\n` }),
    await recusada({ token: `${CHAVE}é` }),
    await recusada({ endereco: `http://usuario:${CHAVE}@exemplo.com` }),
    await erroDe(criarCliente({ endereco, token: async () => `${CHAVE} x` }).conta()),
    await erroDe(
      criarCliente({
        endereco,
        chave: CHAVE,
        tentativas: 1,
        fetch: async (_, init) => {
          throw new Error(`não enviei ${JSON.stringify(init?.headers)}`)
        },
      }).conta(),
    ),
  ]
  for (const visto of vistos) {
    const texto = inspect(visto, { depth: 9, showHidden: true }) + JSON.stringify(visto) + String(visto)
    assert.doesNotMatch(texto, /segredo|99034721000180/)
  }
  assert.match(String(lancado), /Não houve resposta do serviço/)
})

test('the key is not sent where the service redirects to', async (t) => {
  const outro = await openServer(json(boa))
  t.after(outro.close)
  const { fiscal } = await contra(t, [(saida) => saida.writeHead(302, { Location: outro.endereco }).end()])
  const erro = await erroDe(fiscal.conta())
  assert.ok(erro instanceof ErroDeConexao)
  assert.deepEqual([erro.codigo, outro.pedidas.length], ['REDIRECIONAMENTO', 0])
})

test('a token goes as Bearer, fetched anew for each call, and no key of a public list', async (t) => {
  let vez = 0
  const { fiscal, pedidas } = await contra(t, [json(boa)], { chave: undefined, token: () => `t${++vez}` })
  await fiscal.conta()
  await fiscal.conta()
  await fiscal.rejeicoesPublicas()
  const enviadas = pedidas.map(({ headers }) => [headers.authorization, headers['x-api-key']])
  assert.deepEqual(enviadas, [
    ['Bearer t1', undefined],
    ['Bearer t2', undefined],
    [undefined, undefined],
  ])
})

test('what is sent stands in path, query or body as the operation has it', async (t) => {
  const { fiscal, pedidas, endereco } = await contra(t, [json(boa)])
  await fiscal.rejeicao({ codigo: 539 })
  await fiscal.consultarCndFederal({ cnpj, emitir_nova: true }, { cacheControl: 'no-cache' })
  await fiscal.fontes()
  await criarCliente({ endereco: `${endereco}/sob/prefixo/`, chave: CHAVE }).conta()
  assert.deepEqual(
    pedidas.map(({ url }) => url),
    [
      '/api/v1/rejeicoes/539',
      `/api/consultar-cnd-federal?cnpj=${cnpj}&emitir_nova=true`,
      '/api/v1/fontes',
      '/sob/prefixo/api/v1/conta',
    ],
  )
  assert.equal(pedidas[1]?.headers['cache-control'], 'no-cache')
})
