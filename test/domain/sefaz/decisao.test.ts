import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Antes, decidirRodada, lembranca, type Sondado } from '../../../src/domain/sefaz/decisao.ts'
import type { Incidente } from '../../../src/domain/sefaz/incidentes.ts'
import type { RitmoDaSonda } from '../../../src/domain/sefaz/rodada.ts'

const INTERVALO_MS = 120_000

/**
 * How nfe-sp fared in each round, while nfe-mg answered: `.` good, `x` failed, `u` 656, `f` HTTP 403, a space
 * not asked. In a round of `s` both were silent; in one of `-` the monitor stood still.
 */
function percorrer(curso: string, fator = 1) {
  let rodadas: Antes['rodadas'] = []
  const ritmos = new Map<string, RitmoDaSonda>()
  if (fator > 1) ritmos.set('nfe-sp', { autorizador: 'nfe-sp', proxima: 0, fator, motivo: '' })
  const known = new Map<string, Incidente>()
  for (const [at, sign] of [...curso].entries()) {
    if (sign === '-') continue
    const em = at * INTERVALO_MS
    const isSilent = sign === 's'
    const sp: Sondado = {
      leitura: leitura('nfe-sp', em, sign === '.', sign === 'u' ? 656 : null),
      atendeu: !isSilent,
      recusa: sign === 'u' ? 'uso-indevido' : sign === 'f' ? 'http-403' : undefined,
    }
    const mg: Sondado = {
      leitura: leitura('nfe-mg', em, !isSilent, null),
      atendeu: !isSilent,
      recusa: undefined,
    }
    const antes: Antes = { rodadas, incidentes: [...known.values()].reverse(), ritmos: [...ritmos.values()] }
    const feita = decidirRodada(antes, {
      rodada: { em, fim: em, fonte: 'servicos' },
      sondados: sign === ' ' ? [mg] : [sp, mg],
      intervaloMs: INTERVALO_MS,
      newId: () => String(known.size),
      chamadas: new Map(),
    })
    rodadas = [feita, ...rodadas].slice(0, lembranca([...ritmos.values()]))
    for (const one of feita.incidentes) known.set(one.id, one)
    for (const one of feita.ritmos) ritmos.set(one.autorizador, one)
  }
  const quedas = [...known.values()].flatMap((one) => one.quedas)
  return quedas
    .map(({ inicio, fim }) => `${inicio / INTERVALO_MS}-${fim === null ? '' : fim / INTERVALO_MS}`)
    .join(' ')
}

const leitura = (autorizador: string, em: number, isGood: boolean, cStat: number | null) => ({
  autorizador,
  em,
  resultado: isGood ? ('resposta' as const) : ('erro' as const),
  conexaoMs: null,
  tlsMs: null,
  respostaMs: null,
  cStat,
  motivo: '',
  desmentida: null,
})

const linhas: [nome: string, curso: string, esperado: string, fator?: number][] = [
  ['three failures', '.xxx', '1-'],
  ['three silent rounds are our own network', '.sss', ''],
  ['a silent round is no third failure', '.xxs', ''],
  ['a silent round parts no failures', '.xxsx', '1-'],
  ['two silent rounds part none either', '.xxssx', '1-'],
  ['a silent round ends nothing, and goes on with nothing', '.xxx.s..', '1-4'],
  ['656 is no third failure', '.xxu', ''],
  ['three times 656 is no fall', '.uuu', ''],
  ['656 parts no failures', '.xxux', '1-'],
  ['three times HTTP 403 is a fall', '.fff', '1-'],
  ['failures with a round between them in which it was not asked', '.x xx', '1-'],
  ['failures that a stop of the monitor parts for long are not in a row', '.xx--------x', ''],
  ['a fall outlives a stop of the monitor', '.xxx-----------....', '1-15'],
  ['who is asked every fourth round falls by three rounds of its own', '.   x   x   x', '4-', 4],
]

for (const [nome, curso, esperado, fator] of linhas)
  test(`${nome}: "${curso}"`, () => assert.equal(percorrer(curso, fator), esperado))

test('rounds are remembered for three questions to the slowest authorizer, and some that are left out', () => {
  const ritmo = { autorizador: 'nfe-sp', proxima: 0, fator: 16, motivo: '' }
  assert.equal(lembranca([]), 6)
  assert.equal(lembranca([{ ...ritmo, fator: 1 }, ritmo]), 51)
})
