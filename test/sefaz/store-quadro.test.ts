import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ufs } from '../../src/documento/uf.ts'
import type { Incidente, Quadro } from '../../src/sefaz/rules-rodada.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'
import { boa, EVERY_MS, feita, muda, relogio } from '../kit/sefaz.ts'

const aberto = (inicio: number): Incidente => ({
  id: 'i1',
  casa: 'SP',
  inicio,
  fim: null,
  quedas: [{ autorizador: 'nfe-sp', inicio, fim: null, cStat: null, motivo: 'não respondeu' }],
})

const codes = (quadro: Quadro | undefined, doc: 'nfe' | 'nfce' | 'cte'): Set<number> =>
  new Set([...(quadro?.situacoes[doc].values() ?? [])].map(({ status_code }) => status_code))

forEachDatabase((_dialect, fresh) => {
  test('a round is stored whole: readings, incidents, paces and activations', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { clock, open } = relogio()
    const em = clock.instant
    const sefaz = open(db)
    const made = feita(em, {
      leituras: [boa('nfe-sp', em, { desmentida: true }), muda('nfe-mg', em)],
      incidentes: [aberto(em)],
      ritmos: [{ autorizador: 'nfe-mg', proxima: em + 9, fator: 2, motivo: 'cStat 656' }],
      ativacoes: [{ doc: 'nfe', uf: 'SP', estado: 'ativada', em }],
    })
    assert.equal(await sefaz.keep(made), true)
    const [last, ...more] = await sefaz.recentes(3)
    assert.deepEqual(more, [])
    assert.deepEqual(last?.rodada, made.rodada)
    assert.deepEqual(
      new Map(last?.leituras.map((one) => [one.autorizador, one])),
      new Map(made.leituras.map((one) => [one.autorizador, one])),
    )
    assert.deepEqual(await sefaz.incidentes({ de: em, ate: em }), made.incidentes)
    assert.deepEqual(await sefaz.ritmos(), made.ritmos)
    assert.deepEqual(sefaz.quadro()?.ativacaoDe('nfe', 'SP'), { estado: 'ativada', em })
    assert.deepEqual(await open(db, 'producao').recentes(3), [])
  })

  test('of two nodes that store a round of the same instant, or an older one, only the first does', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { clock, open } = relogio()
    const [a, b] = [open(db), open(db)]
    const em = clock.instant
    const stored = await Promise.all([a.keep(feita(em)), b.keep(feita(em))])
    assert.deepEqual(stored.toSorted(), [false, true])
    assert.equal(await a.keep(feita(em - 1)), false)
    assert.equal((await a.recentes(3)).length, 1)
    assert.equal(await open(db, 'producao').keep(feita(em)), true)
  })

  test('a round that cannot be stored whole leaves nothing', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { clock, open } = relogio()
    const em = clock.instant
    const sefaz = open(db)
    const twice = [boa('nfe-sp', em), boa('nfe-sp', em)]
    await assert.rejects(sefaz.keep(feita(em, { leituras: twice, incidentes: [aberto(em)] })))
    assert.deepEqual(await sefaz.recentes(3), [])
    assert.deepEqual(await sefaz.incidentes({ de: 0, ate: em }), [])
  })

  test('the board has 27 states in alphabetical order, and is the same on every node', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { clock, open } = relogio()
    const [a, b] = [open(db), open(db)]
    assert.equal(await b.refresh(), false)
    assert.equal(b.quadro(), undefined)
    const em = clock.instant
    const ativacoes = [{ doc: 'nfe' as const, uf: 'SP' as const, estado: 'ativada' as const, em }]
    await a.keep(feita(em, { incidentes: [aberto(em)], ativacoes }))
    assert.equal(await b.refresh(), true)
    assert.equal(await b.refresh(), false)
    for (const node of [a, b]) {
      const quadro = node.quadro()
      assert.deepEqual([...(quadro?.situacoes.cte.keys() ?? [])], ufs)
      assert.deepEqual(quadro?.situacoes.nfe.get('SP'), { status_code: 1, status: 'Normal', status_avg: 0.5 })
      assert.deepEqual(quadro?.abertos, [aberto(em)])
      assert.deepEqual(quadro?.ativacaoDe('nfe', 'SP'), { estado: 'ativada', em })
      assert.equal(quadro?.ativacaoDe('cte', 'SP'), undefined)
    }
  })

  test('a state without a reading for three rounds is 0, by time alone and for whoever reads', async (t) => {
    const { clock, open } = relogio()
    const em = clock.instant
    const db = await openFor(t, await fresh(t))
    const sefaz = open(db)
    await sefaz.keep(feita(em))
    const first = sefaz.quadro()
    clock.instant = em + 3 * EVERY_MS
    assert.equal(sefaz.quadro(), first)
    const other = open(db)
    await other.refresh()
    assert.deepEqual(codes(other.quadro(), 'nfce'), new Set([1]))
    clock.instant += 1
    assert.deepEqual(codes(sefaz.quadro(), 'nfce'), new Set([0]))
    assert.equal(sefaz.quadro()?.situacoes.nfe.size, 27)
    assert.equal(await sefaz.refresh(), true)
    assert.equal(await sefaz.refresh(), false)
  })

  test('after 10 minutes without a round that ended the monitor itself is down', async (t) => {
    const { clock, open } = relogio()
    const em = clock.instant
    const sefaz = open(await openFor(t, await fresh(t)))
    await sefaz.keep(feita(em))
    clock.instant = em + 3_000 + 10 * 60_000
    assert.equal(sefaz.quadro()?.parado, false)
    clock.instant += 1
    assert.equal(sefaz.quadro()?.parado, true)
    clock.instant += EVERY_MS
    await sefaz.keep(feita(clock.instant))
    assert.equal(sefaz.quadro()?.parado, false)
  })

  test('the mean is of the last three rounds, and of no reading from before a stop', async (t) => {
    const { clock, open } = relogio()
    const sefaz = open(await openFor(t, await fresh(t)))
    const store = async (ms: number) => {
      await sefaz.keep(feita(clock.instant, { leituras: [boa('nfe-sp', clock.instant, { respostaMs: ms })] }))
      return sefaz.quadro()?.situacoes.nfe.get('SP')?.status_avg
    }
    const means = []
    for (const ms of [9_000, 1_000, 2_000, 3_000]) {
      means.push(await store(ms))
      clock.instant += EVERY_MS
    }
    assert.deepEqual(means, [9, 5, 4, 2])
    clock.instant += 4 * EVERY_MS
    assert.equal(await store(7_000), 7)
    // What lies three intervals back is of no round of the last three.
    clock.instant += 3 * EVERY_MS
    assert.equal(await store(5_000), 5)
  })

  test('whoever listens is told of each new board once, until he stops', async (t) => {
    const { clock, open } = relogio()
    const sefaz = open(await openFor(t, await fresh(t)))
    const told: number[] = []
    const stop = sefaz.onQuadro(({ rodada }) => told.push(rodada.em))
    const first = clock.instant
    await sefaz.keep(feita(first))
    await sefaz.refresh()
    clock.instant += EVERY_MS
    await sefaz.keep(feita(clock.instant))
    stop()
    clock.instant += EVERY_MS
    await sefaz.keep(feita(clock.instant))
    assert.deepEqual(told, [first, first + EVERY_MS])
  })
})
