import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { creditsOf, heldBy, type NfeHouse, startNfe, until, useNfe } from '../kit/nfe.ts'

describe('calls for one note at once', { concurrency: false }, () => {
  const nfeOf = useNfe(startNfe)

  /**
   * Posts two bodies for one note at once. Resolves when both calls have passed the checks of certificate and
   * credits.
   */
  async function postTwo(house: NfeHouse, bodies: readonly object[], keys: readonly string[]) {
    house.passos()
    const consulta = house.reter('consulta')
    const answers = Promise.all(bodies.map((body, at) => house.post(body, { key: keys[at] ?? null })))
    await until(async () => (await heldBy(house)) === bodies.length)
    // A hold is seen before it is on the disk, where its call still waits. What is ordered later ends later.
    const { conta } = await house.open('pro')
    const { ledger } = house.rooms.platform
    await ledger.grant({ conta_id: conta.id, creditos: 0, request_id: randomUUID(), motivo: 'depois' })
    await house.ask('/health')
    return { consulta, answers }
  }

  test('equal calls at once are one: one event, one note, and each pays', async () => {
    const { house, key } = nfeOf()
    house.pass(1_000)
    const { key: otherKey } = await house.open('pro')
    const before = await Promise.all([creditsOf(house, key), creditsOf(house, otherKey)])
    const body = { chave: house.chaveDe('ciencia'), ...(await house.a1('nfe-ciencia')) }
    const { consulta, answers } = await postTwo(house, [body, body], [key, otherKey])
    consulta.soltar()
    const [one, other] = (await answers).map((answer) => Object(answer.body.resultados)[0])
    assert.equal(one.manifestacao, 'ciencia_registrada')
    assert.deepEqual(other, one)
    assert.equal(house.passos(), 'consulta 210210 consulta')
    const after = await Promise.all([creditsOf(house, key), creditsOf(house, otherKey)])
    assert.deepEqual(
      after,
      before.map((credits) => credits - 3),
    )
  })

  test('two certificates of one holder ask each for themselves', async () => {
    const { house, key } = nfeOf()
    house.pass(1_000)
    const chave = house.chaveDe('a1')
    const bodies = [await house.a1('aes'), await house.a1('3des')].map((file) => ({ chave, ...file }))
    const { consulta, answers } = await postTwo(house, bodies, [key, key])
    await consulta.chegam(2)
    consulta.soltar()
    for (const { body } of await answers) assert.equal(Object(body.resultados)[0].status, 'ok')
  })

  test('who forbade events does not share in the call of who allows them', async () => {
    const { house, key } = nfeOf()
    house.pass(1_000)
    const body = { chave: house.chaveDe('sem-manifestar'), ...(await house.a1('nfe-sem-manifestar')) }
    const { consulta, answers } = await postTwo(house, [body, { ...body, manifestar: false }], [key, key])
    await consulta.chegam(2)
    consulta.soltar()
    const came = (await answers).map((answer) => Object(answer.body.resultados)[0])
    assert.deepEqual(
      came.map(({ status, manifestacao }) => [status, manifestacao]),
      [
        ['ok', 'ciencia_registrada'],
        ['somente_resumo', null],
      ],
    )
  })

  test('a certificate made at home in the name of a participant gets nothing of what a genuine one asks for', async () => {
    const { house, key } = nfeOf()
    house.pass(1_000)
    const { titular } = comCenario('ciencia-anterior')
    const files = [await house.a1('nfe-ciencia-anterior'), await house.cartorio.forge(titular)]
    const chave = house.chaveDe('ciencia-anterior')
    const consulta = house.reter('consulta')
    const answers = Promise.all(files.map((file) => house.post({ chave, ...file }, { key })))
    await consulta.chegam(2)
    consulta.soltar()
    const came = (await answers).map(({ body }) => Object(body.resultados)[0].status)
    assert.deepEqual(came, ['ok', 'erro'])
  })
})
