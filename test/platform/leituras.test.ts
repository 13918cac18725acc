import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '../../src/platform/db/db.ts'
import { findsLittle, type Leitura, listLeituras, openLeituras } from '../../src/platform/wire/leituras.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const MINUTE = 60_000
const START = Date.parse('2026-11-14T15:00:10Z')

/** The nodes that share a database, and the clock that they all read. */
function nodes(db: Db) {
  const clock = { instant: START }
  const now = () => new Date(clock.instant)
  const errors: unknown[] = []
  const log = { error: (fields: object) => void errors.push(fields) }
  const open = (no: string, ambiente = 'simulador') => openLeituras(db, { no, now, ambiente, log })
  const list = (ambiente = 'simulador') => listLeituras(db, { now: now(), ambiente })
  /** A reading of now. */
  const read = (fonte: string, ms: number, rest: Partial<Leitura> = {}): Leitura => ({
    fonte,
    em: now(),
    ms,
    falha: undefined,
    vazia: false,
    incompleta: false,
    rotulos: [],
    circuito: { estado: 'fechado' },
    ...rest,
  })
  const failed = (fonte: string, codigo: string, rest: Partial<Leitura> = {}): Leitura =>
    read(fonte, 9_999, { falha: { tipo: 'http', codigo, em: now() }, ...rest })
  return { clock, errors, open, list, read, failed }
}

forEachDatabase((_dialect, fresh) => {
  test('the readings of the last hour are told by source: how many, how many well, how fast, the last failure', async (t) => {
    const { open, list, read, failed, clock } = nodes(await openFor(t, await fresh(t)))
    const no = open('a')
    no.note(read('SP/ie', 10))
    no.note(failed('SP/ie', 'HTTP 503'))
    await no.flush()
    no.note(read('SP/ie', 30, { incompleta: true }))
    no.note(read('RS/ie', 7))
    await no.flush()
    clock.instant += MINUTE
    no.note(read('SP/ie', 1_000))
    const at = new Date(clock.instant)
    no.note(failed('SP/ie', 'cStat 656'))
    await no.close()
    const told = await list()
    assert.deepEqual(told.get('SP/ie'), {
      consultas: 5,
      sucessos: 3,
      vazias: 0,
      incompletas: 1,
      antes: { respostas: 0, vazias: 0 },
      rotulos: [],
      mediana_ms: 30,
      // Its minute: the last query of that minute failed.
      resposta: new Date(Math.floor(at.getTime() / MINUTE) * MINUTE),
      falha: { tipo: 'http', codigo: 'cStat 656', em: at },
      circuito: { estado: 'fechado' },
    })
    assert.deepEqual([told.get('RS/ie')?.mediana_ms, told.get('RS/ie')?.falha], [7, undefined])
    assert.equal(told.get('PR/ie'), undefined)
  })

  test('nodes are merged, and what the simulator did is not said of the authorities', async (t) => {
    const { open, list, read } = nodes(await openFor(t, await fresh(t)))
    const [a, b, live] = [open('a'), open('b'), open('c', 'producao')]
    for (const no of [a, b, live]) {
      no.note(read('SP/ie', no === a ? 10 : 20))
      await no.flush()
    }
    assert.equal((await list()).get('SP/ie')?.consultas, 2)
    assert.equal((await list()).get('SP/ie')?.mediana_ms, 15)
    assert.equal((await list('producao')).get('SP/ie')?.consultas, 1)
  })

  test('the circuit is open while one node’s is, then in test until a query closes it, on any node', async (t) => {
    const { open, list, read, failed, clock } = nodes(await openFor(t, await fresh(t)))
    const [a, b] = [open('a'), open('b')]
    const ate = new Date(START + 30_000)
    const circuito = async () => (await list()).get('SP/ie')?.circuito
    a.note(failed('SP/ie', 'HTTP 503', { circuito: { estado: 'aberto', ate } }))
    clock.instant += 1_000
    b.note(read('SP/ie', 5))
    await Promise.all([a.flush(), b.flush()])
    assert.deepEqual(await circuito(), { estado: 'aberto', ate })
    clock.instant = START + 30_000
    assert.deepEqual(
      await circuito(),
      { estado: 'fechado' },
      'the last query found it closed, on another node',
    )
    b.note(failed('SP/ie', 'HTTP 503', { circuito: { estado: 'em-teste', ate } }))
    await b.flush()
    assert.deepEqual(await circuito(), { estado: 'em-teste', ate })
    clock.instant += 1_000
    b.note(read('SP/ie', 5))
    await b.flush()
    assert.deepEqual(await circuito(), { estado: 'fechado' })
  })

  test('a busy minute keeps a sample of its times, and counts them all', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { open, list, read } = nodes(db)
    const no = open('a')
    for (let i = 0; i < 1_000; i++) no.note(read('SP/ie', i < 500 ? 1 : 40))
    await no.flush()
    const told = (await list()).get('SP/ie')
    assert.deepEqual([told?.consultas, told?.sucessos, told?.mediana_ms], [1_000, 1_000, 40])
    const row = await db.kysely.selectFrom('leituras').select('tempos').executeTakeFirstOrThrow()
    assert.equal(JSON.parse(row.tempos).length, 50)
  })

  test('after an hour a reading is not told of, and is swept', async (t) => {
    const { open, list, read, clock } = nodes(await openFor(t, await fresh(t)))
    const no = open('a')
    no.note(read('SP/ie', 10))
    await no.flush()
    clock.instant += 59 * MINUTE
    assert.equal((await list()).size, 1)
    assert.equal(await no.sweep(), 0)
    clock.instant += MINUTE
    assert.equal((await list()).size, 0)
    assert.equal(await no.sweep(), 1)
    await no.close()
  })

  test('the answers that found nothing are counted, of the last hour and of the seven days before it', async (t) => {
    const { open, list, read, clock } = nodes(await openFor(t, await fresh(t)))
    const [a, b] = [open('a'), open('b')]
    for (const no of [a, b]) for (let i = 0; i < 60; i++) no.note(read('SP/ie', 5, { vazia: i < 12 }))
    await Promise.all([a.flush(), b.flush()])
    clock.instant += 3 * 60 * MINUTE
    for (let i = 0; i < 30; i++) a.note(read('SP/ie', 5, { vazia: i > 0 }))
    await a.flush()
    const told = (await list()).get('SP/ie')
    assert.deepEqual([told?.sucessos, told?.vazias, told?.antes], [30, 29, { respostas: 120, vazias: 24 }])
    assert.equal(told && findsLittle(told), true)
    clock.instant += 8 * 24 * 60 * MINUTE
    assert.equal((await list()).size, 0)
    assert.equal(await a.sweep(), 6)
  })

  test('labels that nobody knows are kept, each once and a handful of them', async (t) => {
    const { open, list, read } = nodes(await openFor(t, await fresh(t)))
    const no = open('a')
    for (const label of ['A', 'B', 'A', 'C', 'D', 'E', 'F']) no.note(read('SP/ie', 5, { rotulos: [label] }))
    await no.flush()
    assert.deepEqual((await list()).get('SP/ie')?.rotulos, ['A', 'B', 'C', 'D', 'E'])
  })

  test('readings that could not be written are written later; at the close a failure is only logged', async (t) => {
    const place = await fresh(t)
    const db = await openFor(t, place)
    const { open, list, read, errors } = nodes(db)
    const no = open('a')
    no.note(read('SP/ie', 10))
    await db.kysely.schema.alterTable('leituras').renameTo('longe').execute()
    await assert.rejects(no.flush(), /no such table: leituras|relation "leituras" does not exist/)
    await no.close()
    assert.equal(errors.length, 1)
    await db.kysely.schema.alterTable('longe').renameTo('leituras').execute()
    no.note(read('SP/ie', 20))
    await no.flush()
    assert.equal((await list()).get('SP/ie')?.consultas, 2)
  })
})
