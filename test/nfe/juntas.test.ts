import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { comCenario } from '../../simulator/nfe/cenarios.ts'
import { creditsOf, heldBy, type NfeHouse, startNfe, until, useNfe } from '../kit/nfe.ts'

describe('calls for one note at once', { concurrency: false }, () => {
  const { abrir, fechar, casaOf } = useNfe(startNfe)
  before(abrir)
  after(fechar)

  /**
   * Posts two bodies for one note at once. Resolves when both calls have passed the checks of certificate and
   * credits.
   */
  async function postTwo(casa: NfeHouse, bodies: readonly object[], keys: readonly string[]) {
    casa.passos()
    const consulta = casa.reter('consulta')
    const answers = Promise.all(bodies.map((body, at) => casa.post(body, { key: keys[at] ?? null })))
    await until(async () => (await heldBy(casa)) === bodies.length)
    // The last call gets a moment to reach the point where it waits.
    await casa.ask('/health')
    return { consulta, answers }
  }

  test('equal calls at once are one: one event, one note, and each pays', async () => {
    const { casa, key } = casaOf()
    casa.pass(1_000)
    const { key: otherKey } = await casa.open('pro')
    const before = await Promise.all([creditsOf(casa, key), creditsOf(casa, otherKey)])
    const body = { chave: casa.chaveDe('ciencia'), ...(await casa.a1('nfe-ciencia')) }
    const { consulta, answers } = await postTwo(casa, [body, body], [key, otherKey])
    consulta.soltar()
    const [one, other] = (await answers).map((answer) => Object(answer.body.resultados)[0])
    assert.equal(one.manifestacao, 'ciencia_registrada')
    assert.deepEqual(other, one)
    assert.equal(casa.passos(), 'consulta 210210 consulta')
    const after = await Promise.all([creditsOf(casa, key), creditsOf(casa, otherKey)])
    assert.deepEqual(
      after,
      before.map((credits) => credits - 3),
    )
  })

  test('two certificates of one holder ask each for themselves', async () => {
    const { casa, key } = casaOf()
    casa.pass(1_000)
    const chave = casa.chaveDe('a1')
    const bodies = [await casa.a1('aes'), await casa.a1('3des')].map((file) => ({ chave, ...file }))
    const { consulta, answers } = await postTwo(casa, bodies, [key, key])
    await consulta.chegam(2)
    consulta.soltar()
    for (const { body } of await answers) assert.equal(Object(body.resultados)[0].status, 'ok')
  })

  test('who forbade events does not share in the call of who allows them', async () => {
    const { casa, key } = casaOf()
    casa.pass(1_000)
    const body = { chave: casa.chaveDe('sem-manifestar'), ...(await casa.a1('nfe-sem-manifestar')) }
    const { consulta, answers } = await postTwo(casa, [body, { ...body, manifestar: false }], [key, key])
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
    const { casa, key } = casaOf()
    casa.pass(1_000)
    const { titular } = comCenario('ciencia-anterior')
    const files = [await casa.a1('nfe-ciencia-anterior'), await casa.cartorio.forjar(titular)]
    const chave = casa.chaveDe('ciencia-anterior')
    const consulta = casa.reter('consulta')
    const answers = Promise.all(files.map((file) => casa.post({ chave, ...file }, { key })))
    await consulta.chegam(2)
    consulta.soltar()
    const came = (await answers).map(({ body }) => Object(body.resultados)[0].status)
    assert.deepEqual(came, ['ok', 'erro'])
  })
})
