import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { diaDe, inicioDoDia } from '../../src/documento/dia.ts'
import type { LeituraSefaz } from '../../src/sefaz/rules.ts'
import { totalize } from '../../src/sefaz/rules-historico.ts'
import type { DiaSefaz } from '../../src/sefaz/rules-rodada.ts'
import type { SefazStore } from '../../src/sefaz/store.ts'
import { vezes } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'
import { boa, EVERY_MS, feita, muda, relogio } from '../kit/sefaz.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The last round of the 12th in Brasília. */
const EVE = Date.parse('2026-11-13T02:59:00Z')
const ALL = { de: '2026-01-01', ate: '2026-12-31' }

/** A day as a test names it. */
const brief = ({ autorizador, dia, leituras, erros, timeouts, tempos, confirmadas, desmentidas }: DiaSefaz) =>
  [autorizador, dia, leituras, erros, timeouts, [...tempos].join(' '), confirmadas, desmentidas] as const

const daysOf = async (sefaz: SefazStore, autorizadores = ['nfe-sp']) =>
  (await sefaz.dias({ ...ALL, autorizadores })).map(brief)

forEachDatabase((_dialect, fresh) => {
  test('the days are Brasília’s, today included, and the same before and after they are summed up', async (t) => {
    const db = await openFor(t, await fresh(t))
    const sefaz = relogio(EVE).open(db)
    for (const [i, respostaMs] of [300, 200, 100].entries()) {
      const em = EVE + i * EVERY_MS
      await sefaz.keep(feita(em, { leituras: [boa('nfe-sp', em, { respostaMs, desmentida: i === 1 })] }))
    }
    const expected = [
      ['nfe-sp', '2026-11-12', 1, 0, 0, '300', 1, 0],
      ['nfe-sp', '2026-11-13', 2, 0, 0, '100 200', 1, 1],
    ]
    assert.deepEqual(await daysOf(sefaz), expected)
    await sefaz.sweep()
    const stored = await db.kysely.selectFrom('dias_sefaz').select('dia').execute()
    assert.deepEqual(
      stored.map(({ dia }) => dia),
      ['2026-11-12'],
    )
    assert.deepEqual(await daysOf(sefaz), expected)
    const em = EVE + 3 * EVERY_MS
    await sefaz.keep(feita(em, { leituras: [muda('nfe-sp', em)] }))
    assert.deepEqual((await daysOf(sefaz))[1], ['nfe-sp', '2026-11-13', 3, 0, 1, '100 200', 1, 1])
  })

  test('a day is not summed up while a round of it may still be stored', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { clock, open } = relogio(EVE)
    const sefaz = open(db)
    await sefaz.keep(feita(EVE - EVERY_MS))
    clock.instant = EVE + HOUR_MS
    await sefaz.sweep()
    await sefaz.keep(feita(EVE))
    await sefaz.keep(feita(EVE + EVERY_MS))
    await sefaz.sweep()
    assert.equal((await daysOf(sefaz))[0]?.[2], 2)
  })

  test('after a stop of days all that ended are summed up, and an authorizer that was not asked has none', async (t) => {
    const db = await openFor(t, await fresh(t))
    const { clock, open } = relogio(EVE)
    const sefaz = open(db)
    for (const days of [0, 1, 5, 9]) {
      const em = EVE + days * DAY_MS
      clock.instant = em
      const ids = days === 1 ? ['nfe-mg'] : ['nfe-mg', 'nfe-sp']
      await sefaz.keep(feita(em, { leituras: ids.map((id) => boa(id, em)) }))
    }
    await sefaz.sweep()
    const stored = await db.kysely.selectFrom('dias_sefaz').select(['autorizador', 'dia']).execute()
    assert.equal(stored.length, 5)
    assert.deepEqual(
      (await daysOf(sefaz, ['nfe-sp', 'nfe-mg'])).map(([id, dia]) => `${id} ${dia}`),
      ['12', '17', '21']
        .map((day) => `nfe-sp 2026-11-${day}`)
        .concat(['12', '13', '17', '21'].map((day) => `nfe-mg 2026-11-${day}`)),
    )
  })

  test('a round without network counts nowhere, nor does a refusal for asking too often', async (t) => {
    const sefaz = relogio(EVE).open(await openFor(t, await fresh(t)))
    const at = (i: number) => EVE - i * EVERY_MS
    await sefaz.keep(feita(at(3), { leituras: [muda('nfe-sp', at(3))], rodada: { semRede: true } }))
    await sefaz.keep(feita(at(2), { leituras: [boa('nfe-sp', at(2), { resultado: 'erro', cStat: 656 })] }))
    assert.deepEqual(await daysOf(sefaz), [])
    await sefaz.keep(feita(at(1), { leituras: [boa('nfe-sp', at(1), { resultado: 'erro', cStat: 108 })] }))
    await sefaz.keep(feita(at(0), { leituras: [boa('nfe-sp', at(0))] }))
    await sefaz.keep(feita(at(-1), { leituras: [] }))
    const expected = [['nfe-sp', '2026-11-12', 2, 1, 0, '500', 0, 0]]
    assert.deepEqual(await daysOf(sefaz), expected)
    await sefaz.sweep()
    assert.deepEqual(await daysOf(sefaz), expected)
  })

  test('what the public pages say counts, without a time', async (t) => {
    const sefaz = relogio(EVE).open(await openFor(t, await fresh(t)))
    for (const [i, resultado] of (['disponivel', 'indisponivel', 'disponivel'] as const).entries()) {
      const em = EVE - (3 - i) * EVERY_MS
      const leituras = [boa('nfe-sp', em, { resultado, respostaMs: null, cStat: null })]
      await sefaz.keep(feita(em, { leituras, rodada: { fonte: 'paginas' } }))
    }
    const dias = await sefaz.dias({ ...ALL, autorizadores: ['nfe-sp'] })
    assert.deepEqual(dias.map(brief), [['nfe-sp', '2026-11-12', 3, 1, 0, '', 0, 0]])
    assert.deepEqual(totalize(dias).p50, null)
  })

  test('the days that are stored and those that are not add up to the raw rows, whenever they are summed up', async (t) => {
    const place = await fresh(t)
    const db = await openFor(t, place)
    /** What a probe met, some minutes after the one before; the flag sums up the days afterwards. */
    const round = fc.record({
      gap: fc.integer({ min: 1, max: 40 * 60 }),
      met: fc.constantFrom('resposta', 'erro', 'timeout', 'disponivel', 'indisponivel', 'ausente', '656'),
      ms: fc.integer({ min: 0, max: 29_999 }),
      desmentida: fc.constantFrom(true, false, null),
      semRede: fc.boolean(),
      sweep: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(round, { maxLength: 12 }), async (rounds) => {
        for (const table of ['rodadas_sefaz', 'leituras_sefaz', 'dias_sefaz'] as const)
          await db.kysely.deleteFrom(table).execute()
        const sefaz = relogio(EVE).open(db)
        const raw: LeituraSefaz[] = []
        let em = EVE - 10 * DAY_MS
        for (const { gap, met, ms, desmentida, semRede, sweep } of rounds) {
          em += gap * 60_000
          const resultado = met === '656' ? 'erro' : met
          const leituras =
            resultado === 'ausente'
              ? []
              : [
                  boa('nfe-sp', em, {
                    resultado,
                    desmentida,
                    cStat: met === '656' ? 656 : null,
                    respostaMs: resultado === 'resposta' ? ms : null,
                  }),
                ]
          await sefaz.keep(feita(em, { leituras, rodada: { semRede } }))
          if (!semRede && met !== '656') raw.push(...leituras)
          if (sweep) await sefaz.sweep()
        }
        assert.deepEqual(await daysOf(sefaz), expectedOf(raw))
      }),
      { numRuns: vezes(40) },
    )
  })
})

/** The days of raw readings, counted in another way than the program does. */
function expectedOf(raw: readonly LeituraSefaz[]): ReturnType<typeof brief>[] {
  const days = [...new Set(raw.map(({ em }) => diaDe(em)))].sort()
  return days.map((dia) => {
    const own = raw.filter(({ em }) => em >= inicioDoDia(dia) && em < inicioDoDia(dia) + DAY_MS)
    const of = (...what: string[]) => own.filter(({ resultado }) => what.includes(resultado))
    const times = of('resposta').map(({ respostaMs }) => Number(respostaMs))
    const said = (what: boolean) => own.filter(({ desmentida }) => desmentida === what).length
    const sorted = times.sort((a, b) => a - b).join(' ')
    const errors = of('erro', 'indisponivel').length
    return ['nfe-sp', dia, own.length, errors, of('timeout').length, sorted, said(false), said(true)]
  })
}
