import assert from 'node:assert/strict'
import { test } from 'node:test'
import { autorizadores } from '../../src/sefaz/rules.ts'
import {
  type Antes,
  decideRodada,
  type Incidente,
  memoryOf,
  REABRE_MS,
  type Sondado,
} from '../../src/sefaz/rules-rodada.ts'

/** Slower than the usual pace, whose rounds of a thousand days take a minute of CPU. */
const INTERVALO_MS = 300_000
const RODADAS = (1_000 * 86_400_000) / INTERVALO_MS

/** Numbers from 0 to 1 that are the same each time (mulberry32). */
function dados(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const sondado = (autorizador: string, em: number, failed: boolean): Sondado => ({
  leitura: {
    autorizador,
    em,
    resultado: failed ? 'erro' : 'resposta',
    conexaoMs: null,
    tlsMs: null,
    respostaMs: failed ? null : 300,
    cStat: failed ? null : 107,
    motivo: '',
    desmentida: null,
  },
  atendeu: true,
  recusa: undefined,
})

/** A fall that did happen, in rounds. */
type Real = { autorizador: string; inicio: number; rodadas: number }

/**
 * Decides a thousand days of rounds, in which one question in a hundred fails by itself, never two in a row.
 * `quedaEm` is how often an authorizer falls for good, by round.
 */
function milDias(seed: number, quedaEm: number) {
  const next = dados(seed)
  const down = new Map<string, number>()
  const failed = new Set<string>()
  const reais: Real[] = []
  const all = new Map<string, Incidente>()
  let conhecidos: Incidente[] = []
  let rodadas: Antes['rodadas'] = []
  const failsNow = (id: string, round: number): boolean => {
    const left = down.get(id) ?? 0
    if (left > 0) down.set(id, left - 1)
    else if (!failed.has(id) && next() < quedaEm) {
      const length = 3 + Math.floor(next() * 60)
      down.set(id, length - 1)
      reais.push({ autorizador: id, inicio: round, rodadas: length })
    } else return !failed.has(id) && next() < 0.01
    return true
  }
  for (let round = 0; round < RODADAS; round++) {
    const em = round * INTERVALO_MS
    const sondados = autorizadores.map(({ id }) => sondado(id, em, failsNow(id, round)))
    failed.clear()
    for (const { leitura } of sondados) if (leitura.resultado === 'erro') failed.add(leitura.autorizador)
    const { rodada, leituras, incidentes } = decideRodada(
      { rodadas, incidentes: conhecidos, ritmos: [], calados: new Set() },
      {
        rodada: { em, fim: em, fonte: 'servicos' },
        sondados,
        intervaloMs: INTERVALO_MS,
        newId: () => String(all.size + 1),
        chamadas: new Map(),
      },
    )
    rodadas = [{ rodada, leituras }, ...rodadas].slice(0, memoryOf([]))
    for (const one of incidentes) {
      all.set(one.id, one)
      conhecidos = [one, ...conhecidos.filter(({ id }) => id !== one.id)]
    }
    conhecidos = conhecidos.filter(({ fim }) => fim === null || em - fim <= REABRE_MS)
  }
  return { reais, quedas: [...all.values()].flatMap(({ quedas }) => quedas), incidentes: all.size }
}

test('a thousand days with single failures alone publish no incident', (t) => {
  const { incidentes } = milDias(7, 0)
  assert.equal(incidentes, 0)
  t.diagnostic(`${RODADAS} rounds of 27`)
})

test('of a thousand days every real fall of three rounds or more is found, and nothing else', (t) => {
  const { reais, quedas, incidentes } = milDias(42, 0.00005)
  assert.ok(reais.length > 300, `${reais.length} falls`)
  const covers = (queda: (typeof quedas)[number], { autorizador, inicio, rodadas }: Real): boolean => {
    const from = inicio * INTERVALO_MS
    const to = (inicio + rodadas) * INTERVALO_MS
    return queda.autorizador === autorizador && queda.inicio <= from && (queda.fim ?? Infinity) >= to
  }
  assert.deepEqual(
    reais.filter((real) => !quedas.some((queda) => covers(queda, real))),
    [],
    'not found',
  )
  assert.deepEqual(
    quedas.filter((queda) => !reais.some((real) => covers(queda, real))),
    [],
    'not real',
  )
  t.diagnostic(`${reais.length} falls in ${incidentes} incidents`)
})
