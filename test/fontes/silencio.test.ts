import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silencioWarner } from '../../src/fontes/job.ts'
import { openLeituras } from '../../src/platform/wire/leituras.ts'
import { quiet } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const HOUR = 60 * 60_000

forEachDatabase((_dialect, fresh) => {
  test('a source that finds nobody any more, or shows a new label, is warned of once an hour', async (t) => {
    const db = await openFor(t, await fresh(t))
    const clock = { instant: Date.parse('2026-11-14T12:00:00Z') }
    const now = () => new Date(clock.instant)
    const warned: string[] = []
    const log = {
      ...quiet,
      error: assert.fail,
      warn: (fields: { source?: string }, message?: string) =>
        void warned.push(`${fields.source} ${message}`),
    }
    const ambiente = 'simulador'
    const no = openLeituras(db, { no: 'a', now, ambiente, log })
    const read = (fonte: string, vazia: boolean, rotulos: readonly string[] = []): void =>
      no.note({
        fonte,
        em: now(),
        ms: 5,
        falha: undefined,
        vazia,
        incompleta: false,
        rotulos,
        circuito: { estado: 'fechado' },
      })
    for (let i = 0; i < 120; i++) for (const fonte of ['SP/ie', 'RS/ie']) read(fonte, i % 6 === 0)
    clock.instant += 3 * HOUR
    for (let i = 0; i < 30; i++) read('SP/ie', true)
    for (let i = 0; i < 30; i++) read('RS/ie', i % 6 === 0, ['Situação Nova'])
    await no.flush()
    const warn = silencioWarner({ db, now, ambiente, log })
    await warn()
    await warn()
    assert.deepEqual(
      warned.map((line) => line.slice(0, 32)).sort(),
      ['RS/ie a página da fonte mostra ró', 'SP/ie a fonte não acha quase ning'].map((line) =>
        line.slice(0, 32),
      ),
    )
    clock.instant += HOUR - 60_000
    await warn()
    assert.equal(warned.length, 2)
  })
})
