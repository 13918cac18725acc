import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ufs } from '../../src/documento/uf.ts'
import type { LeituraSefaz, Resultado } from '../../src/sefaz/rules.ts'
import { autorizadores, docs } from '../../src/sefaz/rules.ts'
import { buildQuadro, type Lembrado } from '../../src/sefaz/rules-quadro.ts'

const NOW = Date.parse('2026-11-14T15:00:00Z')
const DEZ_MINUTOS = 600_000

/** A few authorizers, so that most are without a reading in some round. */
const alguns = autorizadores.filter((_, at) => at % 7 === 0).map(({ id }) => id)

const encontro = fc.constantFrom<readonly [Resultado, number | null]>(
  ['resposta', 100],
  ['resposta', 1_995],
  ['resposta', 5_994],
  ['resposta', 29_999],
  ['disponivel', null],
  ['indisponivel', null],
  ['erro', null],
  ['timeout', null],
)

const leitura = (autorizador: string, em: number, [resultado, respostaMs]: [Resultado, number | null]) => ({
  ...{ autorizador, em, resultado, respostaMs, conexaoMs: null, tlsMs: null, cStat: null, motivo: '' },
  desmentida: null,
})

/** What a board is made of where every round was answered, and nobody asked for less. */
const lembrar = (rodadas: Lembrado['rodadas']): Lembrado => ({
  ultima: rodadas[0]?.rodada,
  rodadas,
  ...{ ritmos: [], doPausado: new Map(), abertos: [], ativacoes: [] },
})

/** What a board is made of, the interval of the rounds, and an instant, which may lie before all of them. */
const momento = fc
  .record({
    everyMs: fc.constantFrom(30_000, 120_000, 180_000, 3_600_000),
    passos: fc.array(fc.double({ min: 0.5, max: 4, noNaN: true }), { minLength: 1, maxLength: 4 }),
    encontros: fc.array(
      fc.array(fc.option(encontro), { minLength: alguns.length, maxLength: alguns.length }),
      {
        minLength: 4,
        maxLength: 4,
      },
    ),
    depois: fc.double({ min: -12, max: 12, noNaN: true }),
  })
  .map(({ everyMs, passos, encontros, depois }) => {
    let em = NOW
    const rodadas = passos.map((passo, at) => {
      const leituras = alguns.flatMap((id, column): LeituraSefaz[] => {
        const met = encontros[at]?.[column]
        return met ? [leitura(id, em, [...met])] : []
      })
      const rodada = { em, fim: em + 3_000, fonte: 'servicos' as const, semRede: false }
      em -= Math.round(passo * everyMs)
      return { rodada, leituras }
    })
    const lembrado = lembrar(rodadas)
    return { lembrado, everyMs, agora: NOW + Math.round(depois * everyMs) }
  })

/** What a board says of now. */
const dito = (lembrado: Lembrado, agora: number, everyMs: number): unknown => {
  const quadro = buildQuadro(lembrado, { agora, everyMs })
  return [quadro?.parado, docs.map((doc) => [...(quadro?.situacoes[doc] ?? [])])]
}

test('a board says the same until the instant that it names, and something else then', () => {
  fc.assert(
    fc.property(momento, fc.nat({ max: 1_000 }), ({ lembrado, everyMs, agora }, part) => {
      const valeAte = buildQuadro(lembrado, { agora, everyMs })?.valeAte ?? 0
      const until = Math.min(valeAte, agora + 24 * 3_600_000)
      assert.ok(valeAte > agora)
      const between = agora + Math.floor(((until - 1 - agora) * part) / 1_000)
      const now = dito(lembrado, agora, everyMs)
      assert.deepEqual(dito(lembrado, between, everyMs), now)
      if (valeAte !== Infinity) assert.notDeepEqual(dito(lembrado, valeAte, everyMs), now)
    }),
  )
})

test('the 27 states of a document are there in every moment, and none by a reading of more than three rounds', () => {
  fc.assert(
    fc.property(momento, ({ lembrado, everyMs, agora }) => {
      const quadro = buildQuadro(lembrado, { agora, everyMs })
      for (const doc of docs) assert.deepEqual([...(quadro?.situacoes[doc].keys() ?? [])], [...ufs])
      for (const { id, doc, ufs: own } of autorizadores) {
        const last = lembrado.rodadas
          .slice(0, 3)
          .flatMap(({ leituras }) => leituras)
          .find(({ autorizador }) => autorizador === id)
        const isOld = !last || Math.abs(agora - last.em) > 3 * everyMs || NOW - last.em >= 3 * everyMs
        for (const uf of own)
          assert.equal(quadro?.situacoes[doc].get(uf)?.status_code === 0, isOld, `${id} ${uf}`)
      }
    }),
  )
})

const parados: [everyMs: number, depoisMs: number, parado: boolean][] = [
  [30_000, DEZ_MINUTOS, false],
  [120_000, DEZ_MINUTOS + 1, true],
  [120_000, -DEZ_MINUTOS, false],
  [120_000, -DEZ_MINUTOS - 1, true],
  [540_000, DEZ_MINUTOS + 1, true],
  [3_600_000, DEZ_MINUTOS + 1, false],
  [3_600_000, 3_660_000, false],
  [3_600_000, 3_660_001, true],
]

for (const [everyMs, depoisMs, parado] of parados)
  test(`with a round every ${everyMs / 1_000} s the monitor is ${parado ? 'down' : 'up'} ${depoisMs} ms after the last one ended`, () => {
    const rodada = { em: NOW - 3_000, fim: NOW, fonte: 'servicos' as const, semRede: false }
    const lembrado = lembrar([{ rodada, leituras: [] }])
    assert.equal(buildQuadro(lembrado, { agora: NOW + depoisMs, everyMs })?.parado, parado)
  })
