import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loseTable, type Vital } from './breakage.ts'
import { type House, start, UNKNOWN, WRONG_DIGIT } from './harness.ts'

/** A refused question: what is wrong with it, its query, the code, and what the message must say. */
export type Fault = [name: string, query: string, code: string, says: RegExp]

/** What every endpoint refuses that takes a `cpf` and a `cnpj`, of which the CNPJ is meant. */
export const faultsOfDocuments: readonly Fault[] = [
  ['neither cpf nor cnpj sent', '', 'PARAMETRO_AUSENTE', /cpf ou cnpj/],
  ['empty ones count as not sent', 'cpf=&cnpj=', 'PARAMETRO_AUSENTE', /cpf ou cnpj/],
  ['a cnpj with a wrong digit', `cnpj=${WRONG_DIGIT}`, 'DOCUMENTO_INVALIDO', /dígito/],
  ['a wrong cpf beside a good cnpj', `cpf=1&cnpj=${UNKNOWN}`, 'DOCUMENTO_INVALIDO', /cpf/],
  ['a repeated cnpj', `cnpj=${UNKNOWN}&cnpj=${UNKNOWN}`, 'PARAMETRO_INVALIDO', /mais de uma vez/],
]

/** The service refuses each question with its code and a message, and charges nothing. */
export function testFaults(house: () => House, path: string, faults: readonly Fault[]): void {
  for (const [name, query, code, says] of faults) {
    test(`${code}: ${name}`, async () => {
      const { status, headers, body } = await house().ask(`${path}?${query}`)
      assert.equal(status, 400)
      assert.equal(body.error_code, code)
      assert.match(String(body.detail), says)
      assert.equal(headers.get('x-credits-charged'), '0')
    })
  }
}

/** The service checks the account and its rate limit before it looks at the question. */
export function testWhoAsksFirst(house: () => House, path: string): void {
  test('401 and 429 come before everything else', async () => {
    const { ask, open, rooms } = house()
    assert.equal((await ask(path, { key: null })).status, 401)
    const { key, conta } = await open('lite')
    for (let i = 0; i < 30; i++) await rooms.contas.rateLimit.consume(conta)
    assert.equal((await ask(path, { key })).body.error_code, 'RATE_LIMIT_EXCEEDED')
  })
}

/** The service loses a table without which the endpoint at `path` (with its query) cannot answer. */
export function testOwnFailure(path: string, table: Vital): void {
  test('500 ERRO_INTERNO: a failure of our own tells nothing of the inside and charges nothing', async (t) => {
    const broken = await start()
    t.after(() => broken.close())
    const { key } = await broken.open('lite')
    await loseTable(broken, table)
    const { status, headers, body, text } = await broken.ask(path, { key })
    assert.equal(status, 500)
    assert.equal(body.error_code, 'ERRO_INTERNO')
    assert.doesNotMatch(text, new RegExp(`${table}|sqlite|select|\\.ts`, 'i'))
    assert.equal(headers.get('x-credits-charged'), '0')
    assert.equal(headers.get('x-credits-remaining'), '100')
  })
}
