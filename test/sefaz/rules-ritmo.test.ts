import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LeituraSefaz } from '../../src/sefaz/rules.ts'
import type { RitmoDaSonda } from '../../src/sefaz/rules-rodada.ts'
import { dueOf, isUsoIndevido, type Recusa, ritmoAfter } from '../../src/sefaz/rules-rodada.ts'

const MINUTE_MS = 60_000
const intervaloMs = 2 * MINUTE_MS

/** Rounds on the beat. Gives the minutes at which an authorizer that answers so was asked. */
function perguntas(
  answer: (minute: number) => Recusa | 'erro' | 'boa',
  minutes: number,
  everyMs = intervaloMs,
) {
  let ritmo: RitmoDaSonda | undefined
  let leituras: LeituraSefaz[] = []
  const asked: number[] = []
  for (let em = 0; em <= minutes * MINUTE_MS; em += everyMs) {
    // No round begins on the instant.
    const start = em + (em % 7) - 3
    const due = dueOf(ritmo ? [ritmo] : [], { em: start, intervaloMs: everyMs })
    if (!due.some(({ id }) => id === 'nfe-sp')) continue
    const minute = em / MINUTE_MS
    asked.push(minute)
    const met = answer(minute)
    const recusa = met === 'boa' || met === 'erro' ? undefined : met
    leituras = [leitura(start, met === 'boa'), ...leituras].slice(0, 3)
    ritmo =
      ritmoAfter(ritmo, { autorizador: 'nfe-sp', em: start, intervaloMs: everyMs, recusa, leituras }) ?? ritmo
  }
  return asked
}

const leitura = (em: number, isGood: boolean): LeituraSefaz => ({
  autorizador: 'nfe-sp',
  em,
  resultado: isGood ? 'resposta' : 'erro',
  conexaoMs: null,
  tlsMs: null,
  respostaMs: null,
  cStat: isGood ? 107 : null,
  motivo: '',
  desmentida: null,
})

test('who answers is asked each round, and so is who fails', () => {
  assert.deepEqual(
    perguntas(() => 'boa', 8),
    [0, 2, 4, 6, 8],
  )
  assert.deepEqual(
    perguntas(() => 'erro', 8),
    [0, 2, 4, 6, 8],
  )
})

test('who says 656 is not asked for 65 minutes, then at twice the interval until three answers are good', () => {
  const asked = perguntas((minute) => (minute === 4 ? 'uso-indevido' : 'boa'), 84)
  assert.deepEqual(asked, [0, 2, 4, 70, 74, 78, 80, 82, 84])
})

test('each further 656 lengthens what comes after the pause', () => {
  const asked = perguntas((minute) => (minute === 0 || minute === 66 ? 'uso-indevido' : 'boa'), 150)
  assert.deepEqual(asked, [0, 66, 132, 140, 148])
})

test('one HTTP 403 changes nothing; from the second on the interval doubles, to 32 minutes at most', () => {
  assert.deepEqual(
    perguntas((minute) => (minute % 4 === 0 ? 'http-403' : 'boa'), 8),
    [0, 2, 4, 6, 8],
  )
  const asked = perguntas(() => 'http-403', 130)
  const gaps = asked.slice(1).map((minute, at) => minute - (asked[at] ?? 0))
  assert.deepEqual(gaps, [2, 4, 8, 16, 32, 32, 32])
})

test('the CT-e says by 678 what the NF-e says by 656', () => {
  for (const [cStat, expected] of [
    [656, true],
    [678, true],
    [108, false],
    [null, false],
  ] as const)
    assert.equal(isUsoIndevido({ cStat }), expected, String(cStat))
})

test('after good answers the interval is halved, step by step', () => {
  const asked = perguntas((minute) => (minute <= 14 ? 'http-403' : 'boa'), 80)
  // Doubled at 2, 6 and 14: three good answers 16 minutes apart, then 8, then 4, then the usual 2.
  assert.deepEqual(asked, [0, 2, 6, 14, 30, 46, 62, 70, 74, 76, 78, 80])
})

test('an interval that is already longer than 32 minutes is doubled once', () => {
  const hour = 60 * MINUTE_MS
  const gaps = perguntas(() => 'http-403', 400, hour)
  assert.deepEqual(gaps, [0, 60, 180, 300])
})

test('a pause that is further ahead than any pause lasts was set before the clock was set back', () => {
  const ritmo = { autorizador: 'nfe-sp', proxima: 24 * 60 * MINUTE_MS, fator: 2, motivo: 'uso-indevido' }
  assert.equal(dueOf([ritmo], { em: 0, intervaloMs }).length, 27)
  assert.equal(dueOf([{ ...ritmo, proxima: 65 * MINUTE_MS }], { em: 0, intervaloMs }).length, 26)
})
