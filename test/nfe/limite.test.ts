import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { start } from '../kit/house.ts'
import { type AnswerNfe, HORA_MS, type NfeHouse, startNfe, useNfe } from '../kit/nfe.ts'

const SEGUNDO = 1 / 86_400
const API_KEY = 'chave-de-teste-0123456789'

/** What an answer says of the holder's budget. */
const orcamento = ({ headers }: AnswerNfe): (string | null)[] =>
  ['limite', 'restantes', 'renova'].map((name) => headers.get(`x-sefaz-consultas-${name}`))

/** Uses up the holder's 20 queries, with notes that nobody has. */
async function gastar(
  house: NfeHouse,
  arquivo: string,
  init: Parameters<NfeHouse['askFor']>[1],
): Promise<void> {
  for (let i = 0; i < 20; i++) {
    const { passos } = await house.askFor('inexistente', { ...init, arquivo, dias: i * SEGUNDO })
    assert.equal(passos, 'consulta')
  }
}

describe("the authority's 20 queries an hour", { concurrency: false }, () => {
  const nfeOf = useNfe(startNfe)

  test('each answer tells the budget, the 21st query is not sent but goes by step 5, and after the hour it is asked again', async () => {
    const { house, key } = nfeOf()
    const ask = (i: number, manifestar: boolean) =>
      house.askFor('ciencia', { key, corpo: { manifestar }, dias: 3 + i * SEGUNDO })
    for (let i = 1; i <= 20; i++) {
      const answer = await ask(i, false)
      assert.deepEqual(orcamento(answer), ['20', String(20 - i), '3660'])
      assert.equal(answer.passos, 'consulta')
    }
    const limited = await ask(21, true)
    const { status, cstat, manifestacao, mensagem } = limited.item
    assert.deepEqual([status, cstat, manifestacao], ['ok', '656', 'ciencia_registrada'])
    assert.equal(limited.passos, '210210 portal')
    assert.match(mensagem, /até .*; a nota não foi consultada pela chave/)
    assert.deepEqual(orcamento(limited), ['20', '0', '3660'])
    house.pass(HORA_MS + 59_000)
    assert.equal((await ask(22, false)).passos, 'portal')
    house.pass(1_000)
    // A second later each key is a second older. With 23 seconds it would be the key of the note before.
    const free = await ask(24, false)
    assert.equal(free.passos, 'consulta')
    assert.deepEqual(orcamento(free), ['20', '19', '3660'])
  })

  test('a query in a budget that is used up asks for a retry once it is whole again', async () => {
    const { house, key } = nfeOf()
    await gastar(house, 'nfe-confirmacao-repetida', { key })
    house.pass(600_000)
    const { item, headers, passos } = await house.askFor('confirmacao-repetida', { key, dias: 3 })
    assert.deepEqual([item.status, passos], ['somente_resumo', '210210 portal'])
    assert.equal(headers.get('retry-after'), '3060')
    assert.match(item.mensagem, /Repita a consulta depois de /)
  })

  test('a 656 blocks us for an hour, and a minute for the clocks, in which the authority is not asked again: that would begin the hour anew', async (t) => {
    const { house, key } = nfeOf()
    // The holder's other program: a second service with a database of its own.
    const other = await start({ SIMULATOR_URL: house.simulador }, house.now)
    t.after(other.close)
    const { key: otherKey } = await other.open('pro')
    await gastar(house, 'nfe-ciencia-anterior', { key: otherKey, em: other })
    const told = await house.askFor('ciencia-anterior', { key })
    assert.deepEqual([told.item.status, told.item.cstat], ['ok', '656'])
    assert.equal(told.passos, 'consulta 210210 portal')
    assert.deepEqual(orcamento(told), ['20', '0', '3660'])
    house.pass(HORA_MS + 59_000)
    const waiting = await house.askFor('ciencia-anterior', { key })
    assert.equal(waiting.passos, '210210 portal')
    assert.deepEqual(orcamento(waiting), ['20', '0', '1'])
    house.pass(1_000)
    const free = await house.askFor('ciencia-anterior', { key })
    assert.deepEqual([free.item.cstat, free.passos], ['138', 'consulta'])
    assert.equal(orcamento(free)[1], '19')
  })

  test('a restart forgets no query and no block', async (t) => {
    const { house } = nfeOf()
    const pasta = await mkdtemp(join(tmpdir(), 'limite-'))
    t.after(() => rm(pasta, { recursive: true, force: true }))
    const env = { DATA_DIR: pasta, BOOTSTRAP_API_KEY: API_KEY, SIMULATOR_URL: house.simulador }
    const first = await start(env, house.now)
    const asked = await house.askFor('emitente', { em: first, key: API_KEY })
    await house.askFor('limite', { em: first, key: API_KEY })
    await first.close()
    const second = await start(env, house.now)
    t.after(second.close)
    assert.equal(orcamento(asked)[1], '19')
    house.pass(1_000)
    assert.equal(orcamento(await house.askFor('emitente', { em: second, key: API_KEY }))[1], '18')
    assert.equal((await house.askFor('limite', { em: second, key: API_KEY })).passos, '210210 portal')
  })

  test('a branch and its head office have budgets of their own', async () => {
    const { house, key } = nfeOf()
    for (const arquivo of ['empresa', 'filial']) {
      const answer = await house.askFor('inexistente', { arquivo, key })
      assert.deepEqual(orcamento(answer), ['20', '19', '3660'])
    }
  })

  test('a query that failed counts too, and one that the cache answers does not', async () => {
    const { house, key } = nfeOf()
    house.pass(1_000)
    assert.equal(orcamento(await house.askFor('queda', { key }))[1], '19')
    const chave = house.chaveDe('autorizado')
    assert.equal(orcamento(await house.askFor('autorizado', { chave, key }))[1], '19')
    const kept = await house.askFor('autorizado', { chave, key })
    assert.deepEqual([kept.item.from_cache, orcamento(kept)[1]], [true, '19'])
  })
  test('a query that nobody was there to hear does not count', async (t) => {
    const { house } = nfeOf()
    const gone = await startNfe()
    const service = await start({ SIMULATOR_URL: gone.simulador }, house.now)
    t.after(service.close)
    await gone.close()
    const { key } = await service.open('pro')
    const answer = await house.askFor('ciencia', { key, em: service })
    assert.equal(answer.item.status, 'erro')
    assert.equal(orcamento(answer)[1], '20')
  })
})
