import assert from 'node:assert/strict'
import { test } from 'node:test'
import { achadas, type Fala, failureOf, linha, papel, pdfOf, usePortal } from '../kit/federal.ts'

const { cnpj } = papel
const portal = usePortal()

const INSUFICIENTE =
  'As informações disponíveis na Receita Federal sobre o contribuinte 11.222.333/0001-81 são insuficientes para emitir a certidão pela Internet.'
const banner = (numero: string): string =>
  `Não foi possível concluir a ação para o contribuinte informado. Por favor, tente novamente dentro de alguns minutos. ${numero} - 14/11/2026 12:00:00`

/** A message in each of its two shapes. */
const formas = (texto: string): unknown[] => [texto, { texto, data: '2026-11-14T12:00:00' }]

/** The refusals of fact sheet 3.4 and what they mean. */
const recusas = [
  [INSUFICIENTE, 'positiva'],
  [
    'As informações disponíveis na Secretaria da Receita Federal do Brasil - RFB e na Procuradoria-Geral da Fazenda Nacional sobre o contribuinte 11.222.333/0001-81 são insuficientes para a emissão de certidão por meio da Internet.',
    'positiva',
  ],
  [
    'Inscrição no CNPJ 11.222.333/0001-81 Inapta - Omissão de declarações, emissão de certidão não permitida.',
    'positiva',
  ],
  ['A certidão deve ser emitida para o CNPJ da matriz – 11.222.333/0001-81', 'erro'],
  ['O número informado não consta do cadastro CNPJ.', 'nao_contribuinte'],
] as const

test('each refusal, in both shapes and at each call that may tell it, is its own answer', async () => {
  for (const [texto, status] of recusas)
    for (const mensagem of formas(texto)) {
      const ditas: [Parameters<typeof portal.dizer>[0], string][] = [
        [{ emissao: [{ body: { statusEmissao: 'SemDireitoCertidao', mensagem } }] }, 'emissao'],
        [{ verificar: [{ body: { status: 'NaoEmitida', mensagem } }] }, 'verificar'],
        [{ validar: [{ body: { status: 'NaoEmitida', mensagem } }] }, 'validar'],
      ]
      for (const [respostas, onde] of ditas) {
        portal.dizer(respostas)
        const { asked, leituras } = portal.ask('sempre')
        const recusa = { status, dizeres: texto }
        assert.deepEqual(await asked, { tipo: 'recusa', recusa }, `${onde}: ${texto}`)
        assert.equal(leituras[0]?.vazia, status === 'positiva')
      }
    }
})

test('words that nobody knows are a failure that is told, and never a positiva', async () => {
  const textos = [
    'Certidão não liberada.',
    `${INSUFICIENTE} ${recusas[4][0]}`,
    '',
    INSUFICIENTE.replace('11.222.333/0001-81', '00.000.000/0001-91'),
  ]
  for (const texto of textos) {
    portal.dizer({ emissao: [{ body: { statusEmissao: 'SemDireitoCertidao', mensagem: texto } }] })
    const { asked, notas } = portal.ask('sempre')
    const error = await failureOf(asked)
    assert.deepEqual([error.kind, error.dizeres], ['parse', texto])
    // It ended: nothing is at work.
    assert.equal(notas.at(-1)?.cookies, undefined)
  }
})

test('being analysed is no answer, whatever its status', async () => {
  const mensagem = 'Estamos analisando seu pedido de emissão de certidão. Aguarde.'
  portal.dizer({
    verificar: [{ body: { status: 'NaoEmitida', mensagem }, cookie: 'SESSION=dois' }],
    emissao: [
      { body: { statusEmissao: 'NaoEmitida', mensagem } },
      { body: { statusEmissao: 'Sucesso', pdf: await pdfOf() } },
    ],
  })
  const resposta = await portal.ask('sempre').asked
  assert.ok(resposta.tipo === 'certidao' && resposta.emitida)
})

test('033, SistemaIndisponivel, BaseIndisponivel and the banner are failures that pass', async () => {
  const falas: Parameters<typeof portal.dizer>[0][] = [
    { validar: [{ body: { status: 'SistemaIndisponivel', mensagem: banner('033') } }] },
    { consulta: [{ body: { statusConsulta: 'BaseIndisponivel', certidoes: [] } }] },
    { verificar: [{ body: { status: 'SistemaIndisponivel' } }] },
    { verificar: [{ body: { status: 'NaoEmitida', mensagem: { texto: banner('099') } } }] },
    { emissao: [{ body: { statusEmissao: 'SistemaIndisponivel', codigo: '033' } }] },
    { emissao: [{ status: 400, body: { codigo: '033' } }] },
    { emissao: [{ status: 503, body: 'Service Unavailable', headers: { 'retry-after': '60' } }] },
    { env: [{ status: 502, body: '<html>Bad Gateway</html>' }] },
  ]
  for (const fala of falas) {
    portal.dizer(fala)
    const error = await failureOf(portal.ask('sempre').asked)
    assert.deepEqual([error.kind, error.retryS], ['http', 60], JSON.stringify(fala))
  }
})

test('023 is known by its code, by its name and by the banner', async () => {
  const ditas = [
    { status: 400, body: { codigo: '023' } },
    { status: 400, body: { statusValidacao: 'CaptchaTokenNaoInformado' } },
    { body: { status: 'NaoEmitida', mensagem: banner('023') } },
  ]
  for (const dita of ditas) {
    portal.dizer({ validar: [dita] })
    assert.equal((await failureOf(portal.ask().asked)).codigo, 'captcha-errado')
  }
})

test('429 is a failure with the wait that the portal asks for', async () => {
  portal.dizer({ validar: [{ status: 429, body: {}, headers: { 'retry-after': '300' } }] })
  const error = await failureOf(portal.ask().asked)
  assert.deepEqual([error.status, error.retryS, error.unavailable], [429, 300, true])
})

test('a firewall has turned us away, also with status 200', async () => {
  const body =
    '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected.</body></html>'
  for (const status of [200, 403]) {
    portal.dizer({ validar: [{ status, body, headers: { 'content-type': 'text/html' } }] })
    const error = await failureOf(portal.ask().asked)
    assert.deepEqual([error.kind, error.codigo], ['blocked', 'waf'])
  }
})

test('a page that is more than a page is a failure of the portal, and no bug of ours', async () => {
  const body = '<a>'.repeat(40_000)
  portal.dizer({ validar: [{ body, headers: { 'content-type': 'text/html' } }] })
  const error = await failureOf(portal.ask().asked)
  assert.deepEqual([error.kind, error.retryS], ['parse', null])
})

test('an answer of another shape is a failure, at each call', async () => {
  const lista = (certidoes: unknown): Fala => ({ body: { statusConsulta: 'Sucesso', certidoes } })
  const pdf = await pdfOf()
  const falas: Parameters<typeof portal.dizer>[0][] = [
    ...[{}, [], 'null', '<p>manutenção</p>', '{"captchaPublicKey":', { captchaPublicKey: 7 }].map((body) => ({
      env: [{ body }],
    })),
    ...[
      {},
      [],
      '"x"',
      '<p></p>',
      { status: 'Sucesso' },
      { status: 'Sucesso', idConsulta: {} },
      { status: 'Sucesso', idConsulta: 'x'.repeat(501) },
    ].map((body) => ({ validar: [{ body }] })),
    ...[
      undefined,
      null,
      'c',
      {},
      [null],
      [{}],
      [[[[]]]],
      [linha({ situacao: 1 })],
      [linha({ hasSegundaVia: 'sim' })],
      [linha({ dataValidade: 'nunca' })],
      [linha({ idCertidao: '' })],
      Array.from({ length: 1_001 }, () => linha()),
    ].map((certidoes) => ({ consulta: [lista(certidoes)] })),
    { consulta: [{ body: { statusConsulta: 'Outra' } }] },
    ...[{}, [], { status: 'Outra' }, `${'['.repeat(50_000)}`].map((body) => ({ verificar: [{ body }] })),
    ...[
      {},
      'x',
      { statusEmissao: 'Outra' },
      { statusEmissao: ['Sucesso'], pdf },
      { statusEmissao: 'Sucesso' },
      { statusEmissao: 'Sucesso', pdf: 1 },
      { statusEmissao: 'Sucesso', pdf: 'não' },
    ].map((body) => ({ emissao: [{ body }] })),
  ]
  for (const fala of falas) {
    portal.dizer(fala)
    assert.equal(
      (await failureOf(portal.ask('sempre').asked)).kind,
      'parse',
      JSON.stringify(fala).slice(0, 100),
    )
  }
  for (const body of [
    {},
    { status: 'Sucesso', pdf: null },
    { status: 'CertidaoNaoEncontrada', mensagem: 'x' },
    '<p></p>',
  ]) {
    portal.dizer({ consulta: [achadas(linha())], 'seg-via': [{ body }] })
    assert.equal((await failureOf(portal.ask().asked)).kind, 'parse', JSON.stringify(body))
  }
})

test('a list or an answer that says otherwise than the paper is a contradiction', async () => {
  const pdf = await pdfOf()
  const falas: Parameters<typeof portal.dizer>[0][] = [
    ...[
      { tipoCertidao: 'Positiva com efeitos de negativa' },
      { tipoCertidao: 'Outra' },
      { numeroControle: '0000.0000.0000.0000' },
      { dataValidade: '2027-05-12' },
      { dataEmissao: '2026-11-13T10:00:00' },
    ].map((mais) => ({ consulta: [achadas(linha(mais))] })),
  ]
  for (const fala of falas) {
    portal.dizer(fala)
    assert.equal((await failureOf(portal.ask().asked)).codigo, 'contradicao', JSON.stringify(fala))
  }
  for (const mais of [{ dataValidade: '2027-05-12' }, { numeroCertidao: '0000.0000.0000.0000' }]) {
    portal.dizer({ emissao: [{ body: { statusEmissao: 'Sucesso', pdf, ...mais } }] })
    assert.equal((await failureOf(portal.ask('sempre').asked)).codigo, 'contradicao')
  }
  portal.dizer({
    emissao: [{ body: { statusEmissao: 'Sucesso', pdf, numeroCertidao: '123', dataValidade: '13/05/2027' } }],
  })
  assert.equal((await portal.ask('sempre').asked).tipo, 'certidao')
})

test("another company's certificate is never delivered", async () => {
  const pdf = await pdfOf({ cnpj: '00000000000191' })
  portal.dizer({ emissao: [{ body: { statusEmissao: 'Sucesso', pdf } }] })
  assert.equal((await failureOf(portal.ask('sempre').asked)).codigo, 'certidao-invalida')
})

test('no line of the log has the CNPJ or the words of the portal', async () => {
  portal.dizer({
    emissao: [{ body: { statusEmissao: 'NaoEmitida', mensagem: `Sobre ${cnpj} nada se sabe.` } }],
  })
  const { asked, linhas } = portal.ask('sempre')
  await failureOf(asked)
  assert.equal(linhas.length, 1)
  assert.ok(!linhas.join().includes(cnpj))
})
