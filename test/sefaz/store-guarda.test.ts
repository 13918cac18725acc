import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DiaSefaz, PassadoSefaz } from '../../src/sefaz/rules-rodada.ts'
import { NOW } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'
import { EVERY_MS, feita, relogio } from '../kit/sefaz.ts'

const DAY_MS = 86_400_000

const dia = (dia: string): DiaSefaz => ({
  autorizador: 'nfe-sp',
  dia,
  leituras: 3,
  erros: 1,
  timeouts: 0,
  tempos: Uint16Array.of(100, 65_535),
  confirmadas: 2,
  desmentidas: 1,
})

const passado = (...dias: string[]): PassadoSefaz => ({
  dias: dias.map(dia),
  incidentes: [{ id: 'i1', casa: 'SP', inicio: NOW.getTime() - DAY_MS, fim: null, quedas: [] }],
})

const ALL = { autorizadores: ['nfe-sp'], de: '2026-01-01', ate: '2026-12-31' }

forEachDatabase((_dialect, fresh) => {
  test('an empty history of the simulator is filled once with its past, of which today is no part', async (t) => {
    const db = await openFor(t, await fresh(t))
    const sefaz = relogio().open(db)
    assert.equal(await sefaz.seed(passado('2026-11-12', '2026-11-13', '2026-11-14')), true)
    const expected = [dia('2026-11-12'), dia('2026-11-13')]
    assert.deepEqual(await sefaz.dias(ALL), expected)
    assert.equal((await sefaz.incidentes({ de: NOW.getTime(), ate: NOW.getTime() })).length, 1)
    assert.equal(await sefaz.seed(passado('2026-11-11')), false)
    assert.deepEqual(await sefaz.dias(ALL), expected)
  })

  test('of two nodes that bring the past one fills it in, and a first round of today is no obstacle', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { clock, open } = relogio()
    const [a, b] = [open(db), open(db)]
    await a.keep(feita(clock.instant))
    const done = await Promise.all([a, b].map((node) => node.seed(passado('2026-11-13'))))
    assert.deepEqual(done.toSorted(), [false, true])
    assert.equal((await a.dias(ALL)).length, 2)
  })

  test('the past that is still open is on the board at once', async (t) => {
    const { clock, open } = relogio()
    const sefaz = open(await openFor(t, await fresh(t)))
    await sefaz.keep(feita(clock.instant))
    await sefaz.seed(passado())
    assert.deepEqual(
      sefaz.quadro()?.abertos.map(({ id }) => id),
      ['i1'],
    )
  })

  test('the past is filled in whole or not at all, never where a day has passed, never of real authorities', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { clock, open } = relogio()
    const sefaz = open(db)
    const [incidente] = passado().incidentes
    assert.ok(incidente)
    const twice = { dias: [dia('2026-11-12')], incidentes: [incidente, { ...incidente, inicio: Number.NaN }] }
    await assert.rejects(sefaz.seed(twice))
    assert.deepEqual(await sefaz.dias(ALL), [])
    assert.equal(await open(db, 'producao').seed(passado('2026-11-13')), false)
    await sefaz.keep(feita(clock.instant - DAY_MS))
    assert.equal(await sefaz.seed(passado('2026-11-12')), false)
  })

  test('after 90 days readings, rounds, days and ended incidents are deleted, once their day is summed up', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { clock, open } = relogio()
    const sefaz = open(db)
    const first = clock.instant
    const ended = { id: 'i1', casa: 'SP' as const, inicio: first, fim: first + 1, quedas: [] }
    const lasting = { ...ended, id: 'i2', fim: null }
    await sefaz.keep(feita(first, { incidentes: [ended, lasting] }))
    await open(db, 'producao').keep(feita(first))
    clock.instant = first + 90 * DAY_MS
    await sefaz.keep(feita(clock.instant))
    await sefaz.sweep()
    const count = async (table: 'rodadas_sefaz' | 'leituras_sefaz' | 'dias_sefaz' | 'incidentes_sefaz') =>
      (await db.kysely.selectFrom(table).select('ambiente').execute()).length
    assert.equal(await count('leituras_sefaz'), 3 * 27)
    assert.equal(await count('dias_sefaz'), 27)
    clock.instant += 1
    assert.equal(await sefaz.sweep(), 2 * 28)
    assert.deepEqual([await count('rodadas_sefaz'), await count('leituras_sefaz')], [1, 27])
    assert.equal(await count('dias_sefaz'), 27)
    clock.instant = first + 91 * DAY_MS
    await sefaz.keep(feita(clock.instant + EVERY_MS))
    await sefaz.sweep()
    const left = await sefaz.incidentes({ de: 0, ate: clock.instant })
    assert.deepEqual(
      left.map(({ id }) => id),
      ['i2'],
    )
    const days = await db.kysely.selectFrom('dias_sefaz').select('dia').distinct().execute()
    assert.deepEqual(
      days.map(({ dia }) => dia),
      ['2027-02-12'],
    )
  })

  test('while a day is counted and deleted, the loop turns between two authorizers: others are served', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { clock, open } = relogio()
    const sefaz = open(db)
    await sefaz.keep(feita(clock.instant))
    clock.instant += 91 * DAY_MS
    await sefaz.keep(feita(clock.instant))
    let turns = 0
    let isOver = false
    const turn = () => {
      turns += 1
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    await sefaz.sweep()
    isOver = true
    assert.ok(turns >= 2 * 27, `${turns} turns`)
  })
})
