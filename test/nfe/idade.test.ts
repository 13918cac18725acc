import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Answer } from '../kit/house.ts'
import { HORA_MS, startNfe, useNfe } from '../kit/nfe.ts'

const aged = ({ headers, body }: Answer) => [headers.get('age'), body.consultado_em]
const KEY = 'idempotency-key'

describe('Age of an NF-e XML', { concurrency: false }, () => {
  const nfeOf = useNfe(startNfe)

  test('consultado_em is when SEFAZ answered, and a kept note keeps it; asking anew is ignored', async () => {
    const { house, key } = nfeOf()
    const chave = house.chaveDe('ciencia')
    const asked = house.now().toISOString()
    assert.deepEqual(aged(await house.askFor('ciencia', { chave, key })), ['0', asked])
    house.pass(HORA_MS)
    const headers = { 'cache-control': 'no-cache' }
    const kept = await house.askFor('ciencia', { chave, key, headers })
    assert.deepEqual([kept.item.from_cache, kept.passos], [true, ''])
    assert.deepEqual(aged(kept), ['3600', asked])
  })

  test('an answer without the note has the instant too, and so has a dry run', async () => {
    const { house, key } = nfeOf()
    house.pass(1_000)
    const now = house.now().toISOString()
    const none = await house.askFor('inexistente', { key })
    assert.deepEqual([none.item.status, ...aged(none)], ['nao_encontrado', '0', now])
    const dry = await house.askFor('sem-manifestar', { key, corpo: { simular: true } })
    assert.deepEqual(aged(dry), ['0', now])
  })

  test('it is empty, without Age, where nobody was asked or SEFAZ did not answer', async () => {
    const { house, key } = nfeOf()
    const chave = house.chaveDe('ciencia')
    const wrong = `${chave.slice(0, -1)}${(Number(chave.at(-1)) + 1) % 10}`
    const invalid = await house.askFor('ciencia', { chave: wrong, key })
    assert.deepEqual([invalid.item.status, ...aged(invalid)], ['chave_invalida', null, ''])
    const failed = await house.askFor('queda', { key })
    assert.deepEqual([failed.item.status, failed.passos, ...aged(failed)], ['erro', 'consulta', null, ''])
  })

  test('a replayed answer keeps its body, and is as old as it is', async () => {
    const { house, key } = nfeOf()
    const options = { chave: house.chaveDe('transportador'), key, headers: { [KEY]: 'a' } }
    const first = await house.askFor('transportador', options)
    house.pass(HORA_MS)
    const again = await house.askFor('transportador', options)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(again.body, first.body)
    assert.deepEqual([aged(first)[0], aged(again)[0]], ['0', '3600'])
  })

  test('an answer that a version without the instant wrote down is replayed, without Age', async () => {
    const { house, key } = nfeOf()
    const chave = house.chaveDe('inexistente', 4)
    const corpo = { chave, ...(await house.a1('nfe-inexistente')), manifestar: true, simular: false }
    const { idempotencia, keys } = house.rooms.contas
    const conta = await keys.find(key)
    assert.ok(conta)
    const request_id = crypto.randomUUID()
    const comeco = await idempotencia.begin({
      conta_id: conta.id,
      chave: 'b',
      corpo: JSON.stringify(corpo),
      request_id,
    })
    assert.ok(comeco.tipo === 'nova')
    const { resultados } = (await house.post(corpo, { key })).body
    const old = { request_id, total: 1, com_dado: 0, creditos_cobrados: 0, resultados }
    await idempotencia.finish(comeco.ref, { resposta: JSON.stringify(old), creditos: 0 })
    await idempotencia.end(comeco.ref)
    const replayed = await house.post(corpo, { key, headers: { [KEY]: 'b' } })
    assert.equal(replayed.headers.get('idempotency-replayed'), 'true', replayed.text)
    assert.deepEqual(replayed.body, { ...old, consultado_em: '', avisos: [] })
    assert.equal(replayed.headers.get('age'), null)
  })
})
