import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { notaDe } from '../../simulator/nfe/nota.ts'
import { creditsOf, DIA_MS, startNfe, useNfe } from '../kit/nfe.ts'

const HORAS_DE_BRASILIA_MS = 3 * 3_600_000
const CIENCIA = ['210210', 'Ciência da Operação'] as const
const CONFIRMACAO = ['210200', 'Confirmação da Operação'] as const

/**
 * What a dry run must foretell. `prazo` is in days from the authorization, undefined where that date is not
 * known.
 */
type Previsto = {
  status: string
  cstat: string
  evento: typeof CIENCIA | typeof CONFIRMACAO | null
  prazo?: number
  noPrazo?: boolean
  diz: RegExp
}

/**
 * A kind of note, its scenario, and the forecast; then further members of the body, and another age in days.
 */
type Row = [frase: string, cenario: string, previsto: Previsto, corpo?: object, dias?: number]

const resumo = { status: 'somente_resumo', cstat: '138' } as const
const linhas: Row[] = [
  [
    'a young summary: the Ciência, until ten days after the authorization',
    'simulacao',
    {
      ...resumo,
      evento: CIENCIA,
      prazo: 10,
      noPrazo: true,
      diz: /registraria a Ciência da Operação \(210210\), aceita até .* Se a SEFAZ a recusasse por prazo e o portal nacional não liberasse a nota, seria registrada a Confirmação da Operação \(210200\), aceita até /,
    },
  ],
  [
    'a summary on its tenth day, to the second',
    'simulacao',
    { ...resumo, evento: CIENCIA, prazo: 10, noPrazo: true, diz: /registraria a Ciência/ },
    {},
    10,
  ],
  [
    'a summary a second later: the Ciência would still be tried',
    'simulacao',
    {
      ...resumo,
      evento: CIENCIA,
      prazo: 10,
      noPrazo: false,
      diz: /tentaria registrar a Ciência da Operação \(210210\), cujo prazo terminou em /,
    },
    {},
    10 + 1 / 86_400,
  ],
  [
    'a summary over two months old: the portal, then the Confirmação',
    'dois-meses',
    {
      ...resumo,
      evento: CONFIRMACAO,
      prazo: 180,
      noPrazo: true,
      diz: /procuraria a nota no portal nacional e, se ele não a liberasse, registraria a Confirmação da Operação \(210200\), aceita até .*impede o emitente de cancelar a nota/,
    },
  ],
  [
    'a summary past every window',
    'seis-meses',
    { ...resumo, evento: null, diz: /não registraria evento: o prazo de toda manifestação terminou/ },
  ],
  [
    'manifestar = false',
    'sem-manifestar',
    { ...resumo, evento: null, diz: /não registraria evento: manifestar = false não autoriza eventos/ },
    { manifestar: false },
  ],
  ['a certificate that cannot sign', 'ec', { ...resumo, evento: null, diz: /não tem chave RSA/ }],
  [
    '632: the portal, then the Confirmação; until when, nobody said',
    'fora-prazo',
    { status: 'fora_prazo', cstat: '632', evento: CONFIRMACAO, diz: /até 180 dias depois da autorização/ },
  ],
  [
    '632 of a note past every window',
    'fora-prazo-seis-meses',
    { status: 'fora_prazo', cstat: '632', evento: null, diz: /não registraria evento/ },
  ],
  [
    '656: the Ciência; until when, nobody said',
    'limite',
    { ...resumo, cstat: '656', evento: CIENCIA, diz: /aceita até 10 dias depois da autorização/ },
  ],
  [
    '656 of an old note: the Confirmação',
    'limite-quatro-meses',
    { ...resumo, cstat: '656', evento: CONFIRMACAO, diz: /se ele não a liberasse, registraria/ },
  ],
  [
    'the issuer',
    'emitente',
    { ...resumo, cstat: '641', evento: null, diz: /641.*Uma consulta real não registraria evento\.$/ },
  ],
  [
    'who is not on the note',
    'estranho',
    { status: 'nao_autorizado', cstat: '640', evento: null, diz: /não registraria evento.*no campo cnpj/ },
  ],
  [
    'a note that nobody has',
    'inexistente',
    { status: 'nao_encontrado', cstat: '217', evento: null, diz: /não registraria evento/ },
  ],
  [
    'a cancelled note',
    'cancelada',
    { status: 'cancelada', cstat: '653', evento: null, diz: /cancelada ou denegada não recebe evento/ },
  ],
  [
    'a summary of a denied note',
    'resumo-denegada',
    { status: 'cancelada', cstat: '138', evento: null, diz: /cancelada ou denegada não recebe evento/ },
  ],
  [
    'a note that is there, which is not delivered',
    'transportador',
    { status: 'ok', cstat: '138', evento: null, diz: /não registraria evento: o XML já está disponível/ },
  ],
  ['SEFAZ paused', '108', { status: 'erro', cstat: '108', evento: null, diz: /repita a simulação/ }],
  [
    'no answer',
    'queda',
    { status: 'erro', cstat: '', evento: null, diz: /Só a resposta da SEFAZ diz .*repita a simulação/ },
  ],
]

/** The end of a window, in the form of `simulacao.prazo`. */
function fimDe(chave: string, dias: number): string {
  const nota = notaDe(chave)
  assert.ok(nota)
  const local = new Date(nota.autorizacao.getTime() + dias * DIA_MS - HORAS_DE_BRASILIA_MS)
  return `${local.toISOString().slice(0, 19)}-03:00`
}

describe('simular = true', { concurrency: false }, () => {
  const nfeOf = useNfe(startNfe)

  for (const [frase, cenario, previsto, corpo, dias] of linhas)
    test(`foretells and does nothing: ${frase}`, async () => {
      const { house, key } = nfeOf()
      house.pass(1_000)
      const credits = await creditsOf(house, key)
      const chave = house.chaveDe(cenario, dias)
      const answer = await house.askFor(cenario, { chave, key, corpo: { simular: true, ...corpo } })
      const { item, body, headers } = answer
      const { mensagem, ...rest } = item
      const { status, cstat, evento, prazo, noPrazo, diz } = previsto
      const said = `${item.status} ${item.cstat} ${JSON.stringify(item.simulacao)}: ${mensagem}`
      const simulacao = {
        evento: evento?.[0] ?? null,
        descricao: evento?.[1] ?? '',
        prazo: prazo === undefined ? '' : fimDe(chave, prazo),
        no_prazo: noPrazo ?? null,
        irreversivel: evento !== null,
      }
      const nothing = { from_cache: false, manifestacao: null, xml: null }
      assert.deepEqual(rest, { chave, status, cstat, ...nothing, simulacao }, said)
      assert.match(mensagem, /^Simulação: nada foi registrado\. /)
      assert.match(mensagem, diz)
      assert.equal(/não pode ser desfeita/.test(mensagem), evento !== null, said)
      assert.equal(answer.passos, 'consulta')
      assert.deepEqual(house.eventos(chave), [])
      assert.deepEqual([body.total, body.com_dado, body.creditos_cobrados], [1, 0, 0])
      assert.equal(headers.get('x-credits-charged'), '0')
      assert.equal(headers.get('x-credits-remaining'), String(credits))
      assert.equal(await creditsOf(house, key), credits)
    })

  test('a key that no note has is told as such: there is nothing to foretell', async () => {
    const { house, key } = nfeOf()
    const chave = house.chaveDe('simulacao').slice(0, 43)
    const wrong = chave + ((Number(house.chaveDe('simulacao').at(43)) + 1) % 10)
    const { item, passos } = await house.askFor('simulacao', { chave: wrong, key, corpo: { simular: true } })
    assert.deepEqual([item.status, item.cstat, item.simulacao], ['chave_invalida', '', undefined])
    assert.equal(passos, '')
  })

  test('needs no credits', async () => {
    const { house } = nfeOf()
    house.pass(1_000)
    const { conta, key } = await house.open('lite')
    const entry = { conta, request_id: randomUUID(), endpoint: '/api/consultar-cnpj', creditos: 100 }
    await house.rooms.platform.ledger.charge(entry)
    const { item, headers } = await house.askFor('simulacao', { key, corpo: { simular: true } })
    assert.equal(item.simulacao?.evento, '210210')
    assert.equal(headers.get('x-credits-remaining'), '0')
  })

  test('the call that follows gets the note that the dry run met, without asking again, and pays for it', async () => {
    const { house, key } = nfeOf()
    house.pass(1_000)
    const credits = await creditsOf(house, key)
    const chave = house.chaveDe('autorizado')
    const dry = await house.askFor('autorizado', { chave, key, corpo: { simular: true } })
    assert.deepEqual([dry.item.status, dry.item.xml, dry.passos], ['ok', null, 'consulta'])
    const real = await house.askFor('autorizado', { chave, key })
    assert.deepEqual([real.item.status, real.item.from_cache, real.passos], ['ok', true, ''])
    assert.match(real.item.xml ?? '', /^<(\?xml|nfeProc)/)
    assert.equal(await creditsOf(house, key), credits - 3)
  })

  test('the call that follows does what was foretold', async () => {
    const { house, key } = nfeOf()
    house.pass(1_000)
    const chave = house.chaveDe('simulacao')
    await house.askFor('simulacao', { chave, key, corpo: { simular: true } })
    const { item, passos } = await house.askFor('simulacao', { chave, key })
    assert.deepEqual([item.status, item.manifestacao], ['ok', 'ciencia_registrada'])
    assert.equal(passos, 'consulta 210210 consulta')
  })

  test('takes one of the 20 queries an hour, and is not sent when there is none', async () => {
    const { house, key } = nfeOf()
    house.pass(1_000)
    const left: (string | null)[] = []
    const steps: string[] = []
    for (let i = 0; i < 21; i++) {
      const corpo = { simular: true }
      const answer = await house.askFor('ciencia', { key, corpo, dias: 3 + i / 86_400 })
      left.push(answer.headers.get('x-sefaz-consultas-restantes'))
      steps.push(answer.passos)
      if (i < 20) continue
      const { status, cstat, simulacao } = answer.item
      assert.deepEqual([status, cstat, simulacao?.evento], ['somente_resumo', '656', '210210'])
    }
    assert.deepEqual(left, [...Array.from({ length: 20 }, (_, i) => 19 - i), 0].map(String))
    assert.deepEqual(steps, [...Array.from({ length: 20 }, () => 'consulta'), ''])
  })
})
