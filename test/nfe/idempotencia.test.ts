import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { Answer } from '../kit/house.ts'
import { creditsOf, DIA_MS, type NfeHouse, startNfe, useNfe } from '../kit/nfe.ts'

/** The time limit of a call, in seconds. A call waits as long for another one with its key. */
const NFE_SECONDS = 5

type Corpo = Record<string, unknown>

const resultadoOf = ({ body }: Answer): Record<string, unknown> => Object(body.resultados)[0]

describe('Idempotency-Key: the same call again', { concurrency: false }, () => {
  const nfeOf = useNfe(() => startNfe({ NFE_SECONDS: String(NFE_SECONDS) }))
  let late: Promise<Answer>
  before(async () => {
    const { house } = nfeOf()
    const { key } = await house.open('lite')
    const corpo = await corpoDe('inexistente')
    await silence(house, corpo, key)
    late = post(corpo, 'k', key)
  })

  /** The body of a call for a note. Each body is for a note of its own. */
  async function corpoDe(cenario: string, corpo: Corpo = {}): Promise<Corpo> {
    const { house } = nfeOf()
    house.pass(1_000)
    return { chave: house.chaveDe(cenario), ...(await house.a1(`nfe-${cenario}`)), ...corpo }
  }

  const post = (corpo: unknown, idempotencyKey: string, key = nfeOf().key): Promise<Answer> =>
    nfeOf().house.post(corpo, { key, headers: { 'idempotency-key': idempotencyKey } })

  /** A call that gives no more signs of life, since its node is slow or has died. */
  async function silence({ rooms, now, passos }: NfeHouse, corpo: Corpo, key: string): Promise<void> {
    assert.equal((await post(corpo, 'k', key)).status, 200)
    passos()
    const unheard = { resposta: null, ate: now().getTime() + DIA_MS }
    await rooms.platform.db.kysely.updateTable('idempotencia').set(unheard).execute()
  }

  async function charges(): Promise<number> {
    const { house, key } = nfeOf()
    const conta = await house.rooms.contas.keys.find(key)
    assert.ok(conta)
    const extrato = await house.rooms.platform.ledger.extrato(conta.id, { limite: 1_000 })
    return extrato.filter(({ tipo, creditos }) => tipo === 'charge' && creditos > 0).length
  }

  function assertReplay(again: Answer, first: Answer): void {
    const { house } = nfeOf()
    assert.equal(again.status, 200)
    assert.ok(again.text === first.text, 'the same body, octet by octet')
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal(again.headers.get('x-request-id'), first.headers.get('x-request-id'))
    assert.equal(again.headers.get('x-credits-charged'), '0')
    assert.equal(house.passos(), '', 'nobody was asked')
  }

  test('gets the same answer octet by octet, asks nobody, signs nothing and is charged once', async () => {
    const { house, key } = nfeOf()
    const [credits, charged] = [await creditsOf(house, key), await charges()]
    const corpo = await corpoDe('ciencia')
    const first = await post(corpo, 'a')
    assert.equal(resultadoOf(first).manifestacao, 'ciencia_registrada')
    assert.equal(first.headers.get('idempotency-replayed'), null)
    assert.equal(house.passos(), 'consulta 210210 consulta')
    for (let i = 0; i < 2; i++) {
      const again = await post(corpo, 'a')
      assertReplay(again, first)
      assert.equal(again.headers.get('x-credits-remaining'), String(credits - 3))
    }
    assert.deepEqual([await creditsOf(house, key), await charges()], [credits - 3, charged + 1])
    assert.deepEqual(house.eventos(String(corpo.chave)), ['210210'])
    // Without the key or with another one, it is another call. It is answered from the cache, and charged.
    for (const headers of [{}, { 'idempotency-key': 'A' }]) {
      const other = await house.post(corpo, { key, headers })
      assert.deepEqual([resultadoOf(other).from_cache, other.body.creditos_cobrados], [true, 3])
    }
  })

  for (const [cenario, status, over] of [
    ['ciencia-demorada', 'somente_resumo', {}],
    ['queda', 'erro', {}],
    ['inexistente', 'nao_encontrado', {}],
    ['ciencia', 'chave_invalida', { chave: '1'.repeat(44) }],
    ['simulacao', 'somente_resumo', { simular: true }],
  ] as const)
    test(`whatever the answer was: ${status} (${cenario})`, async () => {
      const { house, key } = nfeOf()
      const credits = await creditsOf(house, key)
      const corpo = await corpoDe(cenario, over)
      const first = await post(corpo, `b-${cenario}`)
      assert.equal(resultadoOf(first).status, status)
      const toRepeat = first.headers.has('retry-after')
      assert.equal(/outra Idempotency-Key/.test(String(resultadoOf(first).mensagem)), toRepeat)
      house.passos()
      assertReplay(await post(corpo, `b-${cenario}`), first)
      assert.equal(await creditsOf(house, key), credits)
    })

  test('an answer without credits is handed over to who has none left', async () => {
    const { house } = nfeOf()
    const { conta, key } = await house.open('lite')
    const corpo = await corpoDe('inexistente')
    const first = await post(corpo, 'sem-credito', key)
    const spent = { conta, request_id: randomUUID(), endpoint: '/api/consultar-cnpj', creditos: 100 }
    await house.rooms.platform.ledger.charge(spent)
    house.passos()
    assertReplay(await post(corpo, 'sem-credito', key), first)
    assert.equal((await post(corpo, 'outra', key)).body.error_code, 'LIMITE_PLANO')
  })

  test('with another body is refused with 409, before, while and after the first is answered', async () => {
    const { house } = nfeOf()
    const corpo = await corpoDe('ciencia')
    const consulta = house.reter('consulta')
    const first = post(corpo, 'c')
    await consulta.chegam(1)
    const other = { chave: house.chaveDe('ciencia', 4), manifestar: false, simular: true }
    const refuse = async () => {
      house.passos()
      for (const [nome, valor] of Object.entries(other)) {
        const { status, body, headers } = await post({ ...corpo, [nome]: valor }, 'c')
        assert.deepEqual([nome, status, body.error_code], [nome, 409, 'IDEMPOTENCIA_CONFLITANTE'])
        assert.equal(headers.get('x-credits-charged'), '0')
        assert.match(String(body.detail), /já foi usada com outro corpo nas últimas 24 horas/)
      }
      assert.equal(house.passos(), '')
    }
    await refuse()
    consulta.soltar()
    assert.equal(resultadoOf(await first).status, 'ok')
    await refuse()
    const wrong = await post({ ...corpo, senha: 'errada' }, 'c')
    assert.equal(wrong.status, 409, 'who lacks the password gets no note')
    assert.ok(!wrong.text.includes('nfeProc'))
  })

  test('of another account is another call', async () => {
    const { house } = nfeOf()
    const { key: otherKey } = await house.open('pro')
    const corpo = await corpoDe('transportador')
    const first = await post(corpo, 'd')
    const theirs = await post(corpo, 'd', otherKey)
    assert.equal(theirs.headers.get('idempotency-replayed'), null)
    assert.notEqual(theirs.body.request_id, first.body.request_id)
    assert.equal(theirs.headers.get('x-credits-charged'), '3')
    const different = await corpoDe('autorizado')
    assert.equal((await post(different, 'd-2')).status, 200)
    assert.equal((await post({ ...different, manifestar: true }, 'd-2', otherKey)).status, 200)
  })

  test('that comes while the first is answered waits for it', async () => {
    const { house, key } = nfeOf()
    const credits = await creditsOf(house, key)
    const corpo = await corpoDe('ciencia')
    house.passos()
    const consulta = house.reter('consulta')
    const answers = Promise.all(Array.from({ length: 3 }, () => post(corpo, 'e')))
    await consulta.chegam(1)
    await house.ask('/health')
    consulta.soltar()
    const [first, ...others] = (await answers).toSorted((a, b) => replayed(a) - replayed(b))
    assert.ok(first)
    assert.equal(house.passos(), 'consulta 210210 consulta')
    assert.deepEqual([replayed(first), ...others.map(replayed)], [0, 1, 1])
    for (const other of others) assertReplay(other, first)
    assert.equal(await creditsOf(house, key), credits - 3)
  })

  for (const [nome, bad] of [
    ['empty', ''],
    ['blank', '  '],
    ['of 256 characters', 'x'.repeat(256)],
    ['with an accent', 'pedido-é'],
    ['with a tab in it', 'a\tb'],
  ] as const)
    test(`a key that is ${nome} is refused with 400, before anybody is asked`, async () => {
      const { house } = nfeOf()
      const corpo = await corpoDe('ciencia')
      house.passos()
      const { status, body } = await post(corpo, bad)
      assert.deepEqual([status, body.error_code], [400, 'PARAMETRO_INVALIDO'])
      assert.equal(Object(body.errors)[0].parameter, 'Idempotency-Key')
      assert.match(String(body.detail), /Cabeçalho Idempotency-Key: envie de 1 a 255/)
      assert.equal(house.passos(), '')
    })

  test('a key of 255 characters, blanks and quotes among them, is one', async () => {
    const corpo = await corpoDe('transportador')
    const key = `"${'x y~'.repeat(63)}"${'!'}`
    assert.equal(key.length, 255)
    const first = await post(corpo, key)
    nfeOf().house.passos()
    assertReplay(await post(corpo, key), first)
  })

  test('what ended as an HTTP error leaves the key free, for any body', async () => {
    const { house } = nfeOf()
    const { conta, key } = await house.open('lite')
    const corpo = await corpoDe('ciencia')
    const spent = { conta, request_id: randomUUID(), endpoint: '/api/consultar-cnpj', creditos: 98 }
    await house.rooms.platform.ledger.charge(spent)
    house.passos()
    for (const [over, code] of [
      [{ chave: '1' }, 'CHAVE_INVALIDA'],
      [{ senha: 'errada' }, 'CERTIFICADO_INVALIDO'],
      [await house.a1('vencido'), 'CERTIFICADO_INVALIDO'],
      [{}, 'LIMITE_PLANO'],
      [{ manifestar: 'talvez' }, 'PARAMETRO_INVALIDO'],
    ] as const)
      assert.equal((await post({ ...corpo, ...over }, 'f', key)).body.error_code, code)
    assert.equal(house.passos(), '')
    const more = { conta_id: conta.id, creditos: 1, request_id: randomUUID(), motivo: 'teste' }
    await house.rooms.platform.ledger.grant(more)
    const right = await post(corpo, 'f', key)
    assert.deepEqual([resultadoOf(right).status, right.headers.get('idempotency-replayed')], ['ok', null])
    house.passos()
    assertReplay(await post(corpo, 'f', key), right)
    assert.equal(await creditsOf(house, key), 0)
  })

  test('a call of which nothing is heard is waited for as long as one lasts, then 409 says when to come back', async () => {
    const { status, body, headers } = await late
    assert.deepEqual([status, body.error_code], [409, 'IDEMPOTENCIA_EM_ANDAMENTO'])
    assert.equal(headers.get('retry-after'), '5')
    assert.equal(headers.get('x-credits-charged'), '0')
    assert.match(
      String(body.detail),
      /ainda não terminou\. Tente de novo em instantes, com a mesma Idempotency-Key\./,
    )
  })

  test('after 24 hours is a new call', async () => {
    const { house, key } = nfeOf()
    const corpo = await corpoDe('ciencia-anterior')
    const first = await post(corpo, 'g')
    house.passos()
    house.pass(DIA_MS - 1)
    assertReplay(await post(corpo, 'g'), first)
    house.pass(1)
    const credits = await creditsOf(house, key)
    const again = await post({ ...corpo, manifestar: false }, 'g')
    assert.equal(again.headers.get('idempotency-replayed'), null)
    assert.deepEqual([house.passos(), resultadoOf(again).status], ['consulta', 'ok'])
    assert.equal(await creditsOf(house, key), credits - 3)
  })
})

const replayed = ({ headers }: Answer): number => (headers.has('idempotency-replayed') ? 1 : 0)
