import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withCounts } from '../kit/a1.ts'
import { type NfeHouse, startNfe, useNfe } from '../kit/nfe.ts'

/**
 * The body of a call whose certificate takes some seconds to open: its iteration counts are the highest
 * allowed.
 */
async function demorado(house: NfeHouse): Promise<object> {
  const { certificado, senha } = await house.a1('empresa')
  const slow = withCounts(Buffer.from(certificado, 'base64'), () => 600_000, true)
  return { chave: house.chaveDe('ciencia'), certificado: slow.toString('base64'), senha }
}

describe('certificate files that take seconds', { concurrency: false }, () => {
  const nfeOf = useNfe(startNfe)

  test('an account that sends many is told 429 with Retry-After, pays nothing, and keeps no other account waiting', async () => {
    const { house, key } = nfeOf()
    const chave = house.chaveDe('ciencia')
    const first = await house.askFor('ciencia', { chave, key })
    assert.equal(first.item.status, 'ok')
    const attacker = await house.open('enterprise')
    const corpo = await demorado(house)
    const order: string[] = []
    const slow = Array.from({ length: 8 }, async () => {
      const answer = await house.post(corpo, { key: attacker.key })
      if (answer.status !== 429) order.push('slow')
      return answer
    })
    const refused = await Promise.any(
      slow.map(async (one) => {
        const answer = await one
        if (answer.status !== 429) throw new Error('not refused')
        return answer
      }),
    )
    assert.equal(refused.body.error_code, 'RATE_LIMIT')
    assert.match(String(refused.body.detail), /certificados demais desta conta/)
    assert.match(String(refused.headers.get('retry-after')), /^\d+$/)
    const kept = await house.askFor('ciencia', { chave, key })
    order.push('kept')
    assert.equal(kept.item.from_cache, true)
    const answers = await Promise.all(slow)
    assert.ok(order.indexOf('kept') < order.lastIndexOf('slow'), order.join(' '))
    // With other counts the password opens nothing. The service knows this only after all the rounds.
    assert.ok(answers.filter(({ status }) => status === 400).length >= 5, 'a share is served')
  })

  test('when the queue of all is full the call is answered 200 with status erro and retryable, uncharged; who hangs up leaves it', async () => {
    const { house, key } = nfeOf()
    const corpo = JSON.stringify(await demorado(house))
    const leaving = new AbortController()
    const keys = await Promise.all(
      Array.from({ length: 6 }, async () => (await house.open('enterprise')).key),
    )
    const ask = (one: string) =>
      house.ask('/api/consultar-nfe-xml', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: corpo,
        key: one,
        signal: leaving.signal,
      })
    const asked = keys.flatMap((one) => Array.from({ length: 4 }, () => ask(one)))
    const busy = await Promise.race(asked)
    assert.equal(busy.status, 200)
    const { resultados, com_dado, creditos_cobrados } = busy.body
    const [item] = Object(resultados)
    assert.deepEqual(
      [com_dado, creditos_cobrados, item.status, item.retryable, item.xml],
      [0, 0, 'erro', true, null],
    )
    assert.match(item.mensagem, /Repita a consulta em instantes/)
    assert.match(String(busy.headers.get('retry-after')), /^\d+$/)
    assert.equal(busy.headers.get('x-credits-charged'), '0')
    leaving.abort()
    await Promise.allSettled(asked)
    const { status, body } = await house.post(JSON.parse(corpo), { key })
    assert.deepEqual([status, body.error_code], [400, 'CERTIFICADO_INVALIDO'], 'its turn came')
  })
})
