import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRodada } from '../../src/sefaz/rodada.ts'
import { docs } from '../../src/sefaz/rules.ts'
import { newPostgres } from '../kit/databases.ts'
import type { House } from '../kit/house.ts'
import { RODADA_MS, startMonitor } from '../kit/sefaz-rounds.ts'

const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'

async function doisNos(): Promise<[Record<string, string>, Record<string, string>]> {
  const env = { DATABASE_URL: await newPostgres(), SERVER_SECRET }
  return [env, env]
}

/** All that a node's board shows. */
function shown({ rooms }: House): unknown {
  const quadro = rooms.sefaz.monitor.quadro()
  const { rodada, situacoes, abertos, parado } = quadro ?? {}
  return [rodada, docs.map((doc) => [...(situacoes?.[doc] ?? [])]), abertos, parado]
}

test('two nodes that begin at once make one round an interval, and show the same', async (t) => {
  const monitor = await startMonitor(t, { envs: await doisNos() })
  monitor.impor({ autorizadores: { 'nfe-sp': '109', 'cte-svrs': 'http-500' } })
  for (let round = 1; round <= 5; round++) {
    monitor.relogio.instant += RODADA_MS
    const made = await Promise.all(monitor.nos.map(({ rooms }) => makeRodada(rooms.sefaz)))
    assert.equal(made.filter((feita) => feita !== undefined).length, 1, `round ${round}`)
    for (const { rooms } of monitor.nos) await rooms.sefaz.monitor.refresh()
    const [first, second] = monitor.nos.map(shown)
    assert.deepEqual(first, second)
  }
  const { monitor: store } = monitor.nos[0].rooms.sefaz
  assert.equal((await store.recentes(10)).length, 5)
  assert.deepEqual(
    store
      .quadro()
      ?.abertos.map(({ casa }) => casa)
      .sort(),
    ['RS', 'SP'],
  )
})

test('two nodes that start make one first round, and the one that did not make it shows it by itself', async (t) => {
  const [env] = await doisNos()
  const on = { ...env, SEFAZ_MONITOR: 'ligado' }
  const { nos } = await startMonitor(t, { envs: [on, on] })
  const boards = nos.map(
    ({ rooms }) =>
      new Promise((resolve) => {
        const known = rooms.sefaz.monitor.quadro()
        if (known) resolve(known)
        else rooms.sefaz.monitor.onQuadro(resolve)
      }),
  )
  await Promise.all(boards)
  const [first, second] = nos.map(shown)
  assert.deepEqual(first, second)
  assert.equal((await nos[0].rooms.sefaz.monitor.recentes(5)).length, 1)
})

test('a round that takes longer than the interval does not overlap the next one, on whichever node', async (t) => {
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  let questions = 0
  const monitor = await startMonitor(t, {
    envs: await doisNos(),
    esperar: async () => {
      questions += 1
      if (questions === 27) asked.resolve()
      await gate.promise
    },
  })
  const [a, b = a] = monitor.nos
  const slow = makeRodada(a.rooms.sefaz)
  await asked.promise
  monitor.relogio.instant += RODADA_MS
  assert.equal(await makeRodada(b.rooms.sefaz), undefined)
  assert.equal(await makeRodada(a.rooms.sefaz), undefined)
  assert.equal(questions, 27)
  gate.resolve()
  assert.equal((await slow)?.leituras.length, 27)
  assert.equal((await makeRodada(b.rooms.sefaz))?.leituras.length, 27)
})
