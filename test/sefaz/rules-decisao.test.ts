import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Incidente, RitmoDaSonda } from '../../src/sefaz/rules-rodada.ts'
import { type Antes, decideRodada, memoryOf, type Sondado } from '../../src/sefaz/rules-rodada.ts'

const INTERVALO_MS = 120_000

/**
 * How nfe-sp fared in each round, while nfe-mg answered: `.` good, `x` failed, `u` 656, `q` 281, `e` 999, `p`
 * 108, `d` 114, `f` HTTP 403, a space not asked. Of both: `s` silent, `r` HTTP 403, `-` the monitor stood
 * still; `a`: nfe-sp alone was asked, and silent.
 */
function percorrer(curso: string, fator = 1) {
  let rodadas: Antes['rodadas'] = []
  const ritmos = new Map<string, RitmoDaSonda>()
  if (fator > 1) ritmos.set('nfe-sp', { autorizador: 'nfe-sp', proxima: 0, fator, motivo: '' })
  const known = new Map<string, Incidente>()
  for (const [at, sign] of [...curso].entries()) {
    if (sign === '-') continue
    const em = at * INTERVALO_MS
    const isSilent = 'sr'.includes(sign)
    const sp: Sondado = {
      leitura: leitura('nfe-sp', em, sign === '.', codes[sign] ?? null),
      atendeu: !isSilent && sign !== 'a',
      recusa: sign === 'u' ? 'uso-indevido' : 'fr'.includes(sign) ? 'http-403' : undefined,
    }
    const mg: Sondado = {
      leitura: leitura('nfe-mg', em, !isSilent, null),
      atendeu: !isSilent,
      recusa: undefined,
    }
    const antes: Antes = {
      rodadas,
      incidentes: [...known.values()].reverse(),
      ritmos: [...ritmos.values()],
      calados: new Set(),
    }
    const feita = decideRodada(antes, {
      rodada: { em, fim: em, fonte: 'servicos' },
      sondados: sign === ' ' ? [mg] : sign === 'a' ? [sp] : [sp, mg],
      intervaloMs: INTERVALO_MS,
      newId: () => String(known.size),
      chamadas: new Map(),
    })
    rodadas = [feita, ...rodadas].slice(0, memoryOf([...ritmos.values()]))
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

/** The code of an answer that is no good one, where it has one. */
const codes: Readonly<Record<string, number>> = { u: 656, q: 281, e: 999, p: 108, d: 114 }

const linhas: [nome: string, curso: string, esperado: string, fator?: number][] = [
  ['three failures', '.xxx', '1-'],
  ['three silent rounds are our own network', '.sss', ''],
  ['three rounds in which all refuse us are our own fault', '.rrr', ''],
  ['a code that refuses our question is no fall', '.qqq', ''],
  ['an error without a code of its own is one', '.eee', '1-'],
  ['who alone is asked, and silent, is no network', '.aaa', '1-'],
  ['an authority that says that it is paused is down', '.ppp', '1-'],
  ['and so is one that says that it is deactivated', '.ddd', '1-'],
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

test('where all say that we ask too often each of them is left alone, though the round counts nowhere', () => {
  const antes: Antes = { rodadas: [], incidentes: [], ritmos: [], calados: new Set() }
  const decidir = (sondados: readonly Sondado[]) =>
    decideRodada(antes, {
      rodada: { em: 0, fim: 0, fonte: 'servicos' },
      sondados,
      intervaloMs: INTERVALO_MS,
      newId: () => '',
      chamadas: new Map(),
    })
  const refused = ['nfe-sp', 'nfe-mg'].map((id) => ({
    leitura: leitura(id, 0, false, 656),
    atendeu: false,
    recusa: 'uso-indevido' as const,
  }))
  const { rodada, ritmos } = decidir(refused)
  assert.equal(rodada.semRede, true)
  assert.deepEqual(
    ritmos.map(({ autorizador, proxima }) => [autorizador, proxima]),
    [
      ['nfe-sp', 65 * 60_000],
      ['nfe-mg', 65 * 60_000],
    ],
  )
  // A round that asks nobody, as all are left alone, says nothing of our network.
  assert.equal(decidir([]).rodada.semRede, false)
})

test('rounds are remembered for three questions to the slowest authorizer, and some that are left out', () => {
  const ritmo = { autorizador: 'nfe-sp', proxima: 0, fator: 16, motivo: '' }
  assert.equal(memoryOf([]), 6)
  assert.equal(memoryOf([{ ...ritmo, fator: 1 }, ritmo]), 51)
})

test('the public pages change no pace: nobody was asked who wants to be asked less often', () => {
  const proxima = 65 * 60_000
  const feita = decideRodada(
    {
      rodadas: [],
      incidentes: [],
      ritmos: [{ autorizador: 'nfe-sp', proxima, fator: 2, motivo: 'uso-indevido' }],
      calados: new Set(),
    },
    {
      rodada: { em: INTERVALO_MS, fim: INTERVALO_MS, fonte: 'paginas' },
      sondados: [{ leitura: leitura('nfe-sp', INTERVALO_MS, true, null), atendeu: true, recusa: undefined }],
      intervaloMs: INTERVALO_MS,
      newId: () => '1',
      chamadas: new Map(),
    },
  )
  assert.deepEqual(feita.ritmos, [])
})
