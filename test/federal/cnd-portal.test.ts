import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RotaNaoAtende } from '../../src/platform/wire/fonte.ts'
import { noSolver } from '../../src/portal/captcha.ts'
import { AGORA, achadas, failureOf, linha, papel, pdfOf, usePortal } from '../kit/federal.ts'

const { cnpj } = papel
const desde = AGORA.toISOString()
const portal = usePortal()

const RECUSADO = { status: 400, body: { statusValidacao: 'CaptchaFalhaValidacao', codigo: '023' } }
const processando = { body: { statusEmissao: 'EmProcessamento', mensagem: { texto: 'Aguarde.', data: '' } } }

test('a valid certificate is found and its second copy delivered, with one captcha', async () => {
  portal.dizer({ consulta: [achadas(linha({ tipoCertidao: 'Negativa' }))] })
  const resposta = await portal.ask().asked
  assert.ok(resposta.tipo === 'certidao')
  assert.equal(resposta.emitida, false)
  assert.equal(resposta.certidao.protocolo, papel.codigo)
  assert.deepEqual(portal.vistas(), ['env', 'validar', 'consulta', 'seg-via'])
  assert.equal(portal.pedidos('seg-via')[0]?.caminho.endsWith('/consulta/seg-via/c-1'), true)
})

test('each call carries what the page sends: body, token, cookie', async () => {
  await portal.ask('sempre').asked
  assert.deepEqual(portal.vistas(), ['env', 'validar', 'consulta', 'env', 'verificar', 'emissao'])
  const bodyOf = (chamada: 'validar' | 'consulta' | 'verificar' | 'emissao') =>
    JSON.parse(portal.pedidos(chamada)[0]?.corpo.toString() ?? '')
  const headersOf = (chamada: 'validar' | 'consulta' | 'verificar' | 'emissao') => {
    const { cookie, 'x-captcha-token': token } = portal.pedidos(chamada)[0]?.cabecalhos ?? {}
    return [cookie, token]
  }
  const quem = { ni: cnpj, tipoContribuinte: 'PJ' }
  assert.deepEqual(bodyOf('validar'), quem)
  assert.deepEqual(headersOf('validar'), [undefined, 'token 1'])
  const periodo = { periodoInicio: '2025-11-14', periodoFim: '2026-11-14' }
  assert.deepEqual(bodyOf('consulta'), {
    ...quem,
    tipoPesquisa: 'DATA_EMISSAO',
    ...periodo,
    idConsulta: 'i-1',
  })
  assert.deepEqual(headersOf('consulta'), ['SESSION=um', undefined])
  assert.deepEqual(bodyOf('verificar'), { ...quem, tipoContribuinteEnum: 'CNPJ' })
  assert.deepEqual(headersOf('verificar'), ['SESSION=um', 'token 2'])
  assert.deepEqual(bodyOf('emissao'), { ...quem, tipoContribuinteEnum: 'CNPJ' })
  assert.deepEqual(headersOf('emissao'), ['SESSION=dois', undefined])
})

test('the key of the captcha is read from /env for each token', async () => {
  const [um, outro] = ['4a65992d-58fc-4812-8b87-789f7e7c4c4b', 'f214a120-a07a-4b28-907a-bfa6b96257ae']
  portal.dizer({ env: [{ body: { captchaPublicKey: um } }, { body: { captchaPublicKey: outro } }] })
  await portal.ask('sempre').asked
  const vistos = portal.desafios.map(
    (desafio) => 'siteKey' in desafio && [desafio.uf, desafio.siteKey, desafio.host],
  )
  const host = 'servicos.receitafederal.gov.br'
  assert.deepEqual(vistos, [
    ['BR', um, host],
    ['BR', outro, host],
  ])
  portal.dizer({ env: [{ body: { captchaPublicKey: '<script>' } }] })
  assert.equal((await failureOf(portal.ask().asked)).kind, 'parse')
})

test('of several certificates the valid one that ends last is taken, if it has a second copy', async () => {
  portal.dizer({
    consulta: [
      achadas(
        linha({ idCertidao: 'anulada', situacao: 'Anulada', dataValidade: '2027-12-31' }),
        linha({ idCertidao: 'sem-via', hasSegundaVia: false, dataValidade: '2027-12-31' }),
        linha({ idCertidao: 'velha', dataEmissao: '01/06/2026', dataValidade: '28/11/2026' }),
        linha({ idCertidao: 7 }),
      ),
    ],
  })
  await portal.ask().asked
  assert.equal(portal.pedidos('seg-via')[0]?.caminho.endsWith('/7'), true)
})

test('with 3 days or less left, or with emitir_nova, a new one is issued', async () => {
  const validade = { hoje: '2026-11-14', tres: '2026-11-17', quatro: '2026-11-18' }
  for (const dia of [validade.hoje, validade.tres]) {
    portal.dizer({ consulta: [achadas(linha({ dataEmissao: '2026-05-20', dataValidade: dia }))] })
    const resposta = await portal.ask().asked
    assert.ok(resposta.tipo === 'certidao' && resposta.emitida, dia)
  }
  const quatro = { emissao: '2026-05-22', validade: validade.quatro }
  portal.dizer({
    consulta: [achadas(linha({ dataEmissao: quatro.emissao, dataValidade: quatro.validade }))],
    'seg-via': [{ body: { status: 'Sucesso', pdf: await pdfOf(quatro) } }],
  })
  const resposta = await portal.ask().asked
  assert.ok(resposta.tipo === 'certidao' && !resposta.emitida)
  portal.dizer({
    consulta: [achadas(linha())],
    verificar: [{ body: { status: 'Emitida', mensagem: 'Já existe' } }],
  })
  const nova = await portal.ask('sempre').asked
  assert.ok(nova.tipo === 'certidao' && nova.emitida)
})

test('the session is noted before POST /Emissao leaves, and while it is in processing', async () => {
  portal.dizer({ emissao: [processando, { ...processando, cookie: 'SESSION=tres' }, {}] })
  const { asked, notas } = portal.ask('sempre')
  await asked.catch(() => {})
  const cookies = notas.map((nota) => nota.cookies && JSON.parse(nota.cookies))
  const [dois, tres] = ['dois', 'tres'].map((nome) => [`SESSION=${nome}; Path=/servico/certidoes`])
  assert.deepEqual(cookies.slice(0, 3), [dois, dois, tres])
  assert.ok(notas.every((nota) => nota.rota === 'portal' && nota.desde === desde))
})

test('EmProcessamento is asked again in the same session, until the certificate is there', async () => {
  portal.dizer({
    emissao: [processando, processando, { body: { statusEmissao: 'Sucesso', pdf: await pdfOf() } }],
  })
  const { asked, notas } = portal.ask('sempre')
  const resposta = await asked
  assert.ok(resposta.tipo === 'certidao' && resposta.emitida)
  assert.equal(portal.pedidos('emissao').length, 3)
  assert.equal(portal.pedidos('verificar').length, 1)
  // It was sent, it was heard to be at work, and nothing is at work any more.
  assert.deepEqual(
    notas.map(({ chave }) => chave),
    [undefined, 'EmProcessamento', undefined],
  )
  assert.deepEqual(notas.at(-1), { rota: 'portal', desde })
})

test('when the time ends the authority still works: em-processamento, with its session noted', async () => {
  portal.dizer({ emissao: [processando] })
  const { asked, notas } = portal.ask('sempre', { deadlineMs: 1_500, pace: 1 })
  const error = await failureOf(asked)
  assert.deepEqual([error.kind, error.codigo, error.unavailable], ['timeout', 'em-processamento', false])
  assert.ok(notas.at(-1)?.cookies)
})

test('023 is the refusal of a token: a new one is tried twice, then the portal has turned us away', async () => {
  portal.dizer({
    validar: [RECUSADO, RECUSADO, { body: { status: 'Sucesso', idConsulta: 'i-1' }, cookie: 'SESSION=um' }],
  })
  assert.equal((await portal.ask().asked).tipo, 'certidao')
  assert.deepEqual(
    portal.pedidos('validar').map(({ cabecalhos }) => cabecalhos['x-captcha-token']),
    ['token 1', 'token 2', 'token 3'],
  )
  portal.dizer({ verificar: [RECUSADO] })
  const error = await failureOf(portal.ask('sempre').asked)
  assert.deepEqual([error.kind, error.codigo], ['blocked', 'captcha-errado'])
  // One of the first attempt, which issued, and three of the second.
  assert.equal(portal.pedidos('verificar').length, 1 + 3)
  assert.equal(portal.pedidos('emissao').length, 1)
})

test('without a solver of hCaptcha for BR nothing is sent, and the operator is told what to set', async () => {
  const error = await portal.ask('sempre', { captcha: noSolver }).asked.then(
    () => assert.fail('it should fail'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof RotaNaoAtende)
  assert.match(error.message, /CAPTCHA_WEBHOOK_URL.*BR em CAPTCHA_UFS/)
  assert.deepEqual(portal.vistas(), [])
})
