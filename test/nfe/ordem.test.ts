import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { creditsOf, type NfeHouse, startNfe, useNfe } from '../kit/nfe.ts'

describe('who may ask for a note, and in what order that is looked at', { concurrency: false }, () => {
  const nfeOf = useNfe(startNfe)

  /** A lite account (30 requests a minute, 100 credits) that has spent so many of them. */
  async function openLite(house: NfeHouse, spent: { turns?: number; credits?: number }) {
    const { conta, key } = await house.open('lite')
    for (let i = 0; i < (spent.turns ?? 0); i++) await house.rooms.contas.rateLimit.consume(conta)
    if (spent.credits) {
      const endpoint = '/api/consultar-cnpj'
      await house.rooms.platform.ledger.charge({
        conta,
        request_id: randomUUID(),
        endpoint,
        creditos: spent.credits,
      })
    }
    return key
  }

  test('401 NAO_AUTENTICADO comes before everything, a body that is no JSON among it', async () => {
    const { house } = nfeOf()
    for (const key of [null, 'fk_errada']) {
      const { status, body, headers } = await house.post('oops', { key })
      assert.deepEqual([status, body.error_code], [401, 'NAO_AUTENTICADO'])
      assert.match(headers.get('www-authenticate') ?? '', /^ApiKey /)
    }
  })

  test('429 RATE_LIMIT comes before the body, and says when to try again', async () => {
    const { house } = nfeOf()
    const key = await openLite(house, { turns: 30, credits: 100 })
    const { status, body, headers } = await house.post('oops', { key })
    assert.deepEqual([status, body.error_code], [429, 'RATE_LIMIT'])
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.match(String(body.detail), /O plano Lite permite 30 requisições por minuto/)
  })

  test('400 comes before 402: the certificate is opened before any credit is held', async () => {
    const { house } = nfeOf()
    const key = await openLite(house, { credits: 100 })
    const chave = house.chaveDe('ciencia')
    const file = await house.a1('nfe-ciencia')
    const codes = []
    for (const corpo of [{}, { chave, ...file, senha: 'errada' }, { chave, ...(await house.a1('vencido')) }])
      codes.push((await house.post(corpo, { key })).body.error_code)
    assert.deepEqual(codes, ['PARAMETRO_AUSENTE', 'CERTIFICADO_INVALIDO', 'CERTIFICADO_INVALIDO'])
  })

  test('402 LIMITE_PLANO: what the call may cost is wanted before anybody is asked', async () => {
    const { house } = nfeOf()
    const key = await openLite(house, { credits: 98 })
    house.passos()
    const corpo = { chave: house.chaveDe('ciencia'), ...(await house.a1('nfe-ciencia')) }
    const { status, body, headers } = await house.post(corpo, { key })
    assert.deepEqual([status, body.error_code], [402, 'LIMITE_PLANO'])
    assert.deepEqual([body.required, body.remaining], [3, 2])
    assert.match(String(body.resets_at), /^\d{4}-\d\d-01T03:00:00\.000Z$/)
    assert.deepEqual([headers.get('x-credits-charged'), headers.get('x-credits-remaining')], ['0', '2'])
    assert.equal(house.passos(), '')
    assert.deepEqual(house.eventos(String(corpo.chave)), [])
  })

  test('three credits are enough, and are gone once the note came', async () => {
    const { house } = nfeOf()
    const key = await openLite(house, { credits: 97 })
    const { item, headers } = await house.askFor('ciencia', { key })
    assert.equal(item.status, 'ok')
    assert.equal(headers.get('x-credits-remaining'), '0')
    assert.equal(await creditsOf(house, key), 0)
  })

  test('two calls with credits for one: one note, one 402', async () => {
    const { house } = nfeOf()
    const key = await openLite(house, { credits: 95 })
    const bodies = await Promise.all(
      ['transportador', 'autorizado'].map(async (nome) => ({
        chave: house.chaveDe(nome),
        ...(await house.a1(`nfe-${nome}`)),
      })),
    )
    const answers = await Promise.all(bodies.map((body) => house.post(body, { key })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 402])
    assert.equal(await creditsOf(house, key), 2)
  })
})
