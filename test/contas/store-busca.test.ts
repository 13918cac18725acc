import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  type Alcance,
  type FiltroDeUsos,
  findUsos,
  type Marco,
  sumDesfechos,
} from '../../src/contas/store-dias.ts'
import { openUsos } from '../../src/contas/store-usos.ts'
import { NOW } from '../kit/basics.ts'
import { chamadaFeita } from '../kit/contas.ts'
import { forEachDatabase, openFor, type Place } from '../kit/databases.ts'

const CONTA = 'conta-1'
const log = { error: () => {} }
const DIA = { de: '2026-11-14', ate: '2026-11-14' }

/** Twenty calls, two at a time in one millisecond; every third is of AC. */
async function comChamadas(t: TestContext, place: Place) {
  const db = await openFor(t, place)
  let instant = NOW.getTime()
  const usos = openUsos(db, { now: () => new Date(instant), log })
  const acre: string[] = []
  for (let at = 0; at < 20; at++) {
    const uf = at % 3 === 0 ? 'AC' : 'SP'
    const chamada = { ...chamadaFeita(CONTA, at, instant), uf } as const
    usos.note(chamada)
    if (uf === 'AC') acre.push(chamada.request_id)
    if (at % 2 === 1) instant += 1
  }
  await usos.close()
  return { db, acre: acre.toSorted() }
}

forEachDatabase((_dialect, fresh) => {
  test('whatever a page may read and show, walking shows each call of a filter once', async (t) => {
    const { db, acre } = await comChamadas(t, await fresh(t))
    const filtro: FiltroDeUsos = { ...DIA, uf: 'AC' }
    for (const sentido of ['antigas', 'novas'] as const)
      for (const [scan, linhas] of [
        [1, 1],
        [2, 3],
        [3, 1],
        [4, 2],
        [7, 2],
        [20, 2],
        [100, 100],
      ] as const) {
        const found: string[] = []
        let marco: Marco | undefined
        let pages = 0
        do {
          const alcance: Alcance = { sentido, marco, linhas, scan }
          const page = await findUsos(db, CONTA, filtro, alcance)
          found.push(...page.usos.map(({ request_id }) => request_id))
          assert.ok(page.usos.length <= linhas)
          marco = sentido === 'novas' && page.stoppedAt === undefined && page.next ? page.usos[0] : page.next
          pages += 1
        } while (marco !== undefined && pages < 50)
        assert.deepEqual(found.toSorted(), acre, `${sentido}, ${scan} read, ${linhas} shown`)
      }
  })

  test('who left is neither a call that was delivered nor one that failed, in the log as in the sums', async (t) => {
    const db = await openFor(t, await fresh(t))
    const usos = openUsos(db, { now: () => NOW, log })
    for (const [at, [http, error_code]] of (
      [
        [200, ''],
        [499, ''],
        [499, ''],
        [503, 'SITE_INDISPONIVEL'],
      ] as const
    ).entries())
      usos.note({ ...chamadaFeita(CONTA, at, NOW.getTime()), http, error_code, cached: false })
    await usos.close()
    const counts: unknown[] = []
    for (const desfecho of [undefined, 'entregues', 'falhas', 'interrompidas', 'SITE_INDISPONIVEL']) {
      const alcance: Alcance = { sentido: 'antigas', marco: undefined, linhas: 10, scan: 100 }
      const { usos: listed } = await findUsos(db, CONTA, { ...DIA, desfecho }, alcance)
      const somas = await sumDesfechos(db, CONTA, { ...DIA, desfecho })
      const sum = (key: 'chamadas' | 'entregues' | 'falhas') =>
        somas.reduce((total, one) => total + one[key], 0)
      assert.equal(sum('chamadas'), listed.length, desfecho)
      counts.push([desfecho, listed.length, sum('entregues'), sum('falhas')])
    }
    assert.deepEqual(counts, [
      [undefined, 4, 1, 1],
      ['entregues', 1, 1, 0],
      ['falhas', 1, 0, 1],
      ['interrompidas', 2, 0, 0],
      ['SITE_INDISPONIVEL', 1, 0, 1],
    ])
  })
})
