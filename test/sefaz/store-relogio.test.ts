import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diaDe, diaDepois } from '../../src/documento/dia.ts'
import type { Incidente } from '../../src/sefaz/rules-rodada.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'
import { EVERY_MS, feita, relogio } from '../kit/sefaz.ts'

const DAY_MS = 86_400_000

const aberto = (inicio: number): Incidente => ({
  id: 'i1',
  casa: 'SP',
  inicio,
  fim: null,
  quedas: [{ autorizador: 'nfe-sp', inicio, fim: null, cStat: null, motivo: 'não respondeu' }],
})

forEachDatabase((_dialect, fresh) => {
  test('a clock that is set back a day stops neither the rounds nor the board', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { clock, open } = relogio()
    const right = clock.instant
    const [sefaz, other] = [open(db), open(db)]
    clock.instant = right + DAY_MS
    await sefaz.keep(feita(clock.instant, { incidentes: [aberto(clock.instant)] }))
    assert.equal(sefaz.quadro()?.abertos.length, 1)
    clock.instant = right
    await sefaz.refresh()
    assert.equal(sefaz.quadro(), undefined)
    assert.equal(await sefaz.keep(feita(right)), true)
    await other.refresh()
    for (const node of [sefaz, other]) {
      assert.equal(node.quadro()?.rodada.em, right)
      assert.deepEqual(node.quadro()?.abertos, [])
    }
    assert.deepEqual(
      (await sefaz.recentes(3)).map(({ rodada }) => rodada.em),
      [right],
    )
    clock.instant = right + 11 * 60_000
    assert.equal(sefaz.quadro()?.parado, true)
  })

  test('two nodes whose clocks are 3 minutes apart store no round before another', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { clock, open } = relogio()
    const sefaz = open(db)
    const em = clock.instant
    await sefaz.keep(feita(em + 3 * 60_000))
    assert.equal(await sefaz.keep(feita(em)), false)
    assert.equal(sefaz.quadro()?.rodada.em, em + 3 * 60_000)
  })

  test('days that a wrong clock summed up ahead keep none of the right ones from being counted', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { clock, open } = relogio()
    const sefaz = open(db)
    const right = clock.instant
    for (const ahead of [10, 11]) {
      clock.instant = right + ahead * DAY_MS
      await sefaz.keep(feita(clock.instant))
    }
    await sefaz.sweep()
    for (const at of [0, 1]) {
      clock.instant = right + at * DAY_MS
      for (const round of [0, 1]) await sefaz.keep(feita(clock.instant + round * EVERY_MS))
      await sefaz.sweep()
    }
    const today = diaDe(clock.instant)
    const dias = await sefaz.dias({ autorizadores: ['nfe-sp'], de: diaDepois(today, -1), ate: today })
    assert.deepEqual(
      dias.map(({ dia, leituras }) => [dia, leituras]),
      [
        [diaDepois(today, -1), 2],
        [today, 2],
      ],
    )
  })
})
