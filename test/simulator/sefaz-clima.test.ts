import assert from 'node:assert/strict'
import { test } from 'node:test'
import { autorizadores } from '../../simulator/sefaz/autorizadores.ts'
import { ativacaoEm, climaEm } from '../../simulator/sefaz/clima.ts'
import { writePassado } from '../../simulator/sefaz/sefaz.ts'

const HORA = 3_600_000
const INICIO = Date.parse('2026-08-24T03:00:00Z')
const AGORA = new Date('2026-11-22T18:00:00Z')

const ids = autorizadores.map(({ id }) => id)
const isFalha = (id: string, instant: number): boolean =>
  !['normal', 'lento'].includes(climaEm(id, instant).caso)

test('there are 12 authorizers of the NF-e, 9 of the NFC-e and 6 of the CT-e, and each serves the 27 states', () => {
  const docs = Map.groupBy(autorizadores, ({ doc }) => doc)
  assert.deepEqual(
    [...docs].map(([doc, own]) => [doc, own.length]),
    [
      ['nfe', 12],
      ['nfce', 9],
      ['cte', 6],
    ],
  )
  for (const [doc, own] of docs) {
    assert.equal(new Set(own.flatMap(({ ufs }) => ufs)).size, 27)
    assert.equal(own.flatMap(({ ufs }) => ufs).length, 27)
    assert.equal(own.flatMap(({ contingencia }) => contingencia).length, doc === 'nfce' ? 0 : 27)
  }
})

test('the weather follows from authorizer and instant alone, in any order of questions', () => {
  const instants = Array.from({ length: 200 }, (_, i) => INICIO + i * 11 * HORA)
  const ask = (list: readonly number[]) =>
    new Map(list.flatMap((at) => ids.map((id) => [`${id} ${at}`, climaEm(id, at)] as const)))
  const first = ask(instants)
  const again = ask(instants.toReversed())
  for (const [key, weather] of first) assert.deepEqual(again.get(key), weather)
})

test('at any time one or two authorizers are not normal, no answer takes over seven seconds, and most are fast', () => {
  let odd = 0
  let total = 0
  for (let at = INICIO; at < INICIO + 20 * 24 * HORA; at += HORA) {
    const now = ids.map((id) => climaEm(id, at))
    assert.ok(now.every(({ ms }) => ms > 0 && ms <= 7_000))
    assert.ok(
      now.some(({ caso }) => caso !== 'normal'),
      new Date(at).toISOString(),
    )
    odd += now.filter(({ caso }) => caso !== 'normal').length
    total += now.length
  }
  assert.ok(odd / total < 0.1, `${odd} of ${total}`)
})

test('SEFAZ GO has one address for two documents, and one weather', () => {
  for (let at = INICIO; at < INICIO + 48 * HORA; at += HORA)
    assert.deepEqual(climaEm('nfce-go', at), climaEm('nfe-go', at))
})

test('the past agrees with the weather: every fall of an incident is one, from beginning to end', () => {
  const { incidentes } = writePassado(AGORA)
  assert.ok(incidentes.length > 15)
  for (const { quedas, inicio, fim } of incidentes) {
    assert.equal(inicio, Math.min(...quedas.map((queda) => queda.inicio)))
    for (const { autorizador, inicio: from, fim: to } of quedas) {
      const end = to ?? AGORA.getTime()
      for (let at = from; at < end; at += 10 * 60_000) assert.ok(isFalha(autorizador, at))
      assert.ok(fim === null || end <= fim)
    }
  }
})

test('the past ends with yesterday, its incidents as its days', () => {
  const { ate, incidentes } = writePassado(new Date('2026-11-20T23:00:00Z'))
  assert.equal(ate, '2026-11-19')
  assert.ok(incidentes.every(({ inicio }) => inicio < Date.parse('2026-11-20T03:00:00Z')))
})

test('the past has 90 days of 144 readings for each authorizer, with ascending times', () => {
  const { de, ate, dias } = writePassado(AGORA)
  assert.deepEqual([de, ate, dias.length], ['2026-08-24', '2026-11-21', 27 * 90])
  for (const { autorizador, dia, leituras, erros, timeouts, tempos } of dias) {
    const octets = Buffer.from(tempos, 'base64')
    const times = Array.from({ length: octets.length / 2 }, (_, i) => octets.readUInt16LE(i * 2))
    assert.equal(leituras, 144)
    assert.equal(times.length + erros + timeouts, leituras)
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    )
    if (autorizador !== 'nfe-ba') continue
    const start = Date.parse(`${dia}T03:00:00Z`)
    const failed = Array.from({ length: 144 }, (_, i) => isFalha('nfe-ba', start + i * 600_000))
    assert.equal(failed.filter(Boolean).length, erros + timeouts, dia)
  }
})

test('the past of tomorrow is the past of today, one day on', () => {
  const today = writePassado(AGORA).dias.filter(({ dia }) => dia === '2026-11-21')
  const tomorrow = writePassado(new Date(AGORA.getTime() + 24 * HORA)).dias
  assert.deepEqual(
    tomorrow.filter(({ dia }) => dia === '2026-11-21'),
    today,
  )
})

test('a state activates its contingency only while its own authorizer is down, and ends it 15 minutes later', () => {
  let active = 0
  let ending = 0
  for (let at = INICIO; at < INICIO + 60 * 24 * HORA; at += 10 * 60_000)
    for (const uf of ['PR', 'MT', 'MA', 'RJ'] as const) {
      const own = autorizadores.find(({ doc, ufs }) => doc === 'nfe' && ufs.includes(uf))
      const { estado, ate } = ativacaoEm('nfe', uf, at)
      if (estado === 'ativada') assert.ok(isFalha(own?.id ?? '', at))
      if (estado === 'encerrando') assert.ok(ate > at && ate <= at + 15 * 60_000)
      active += estado === 'ativada' ? 1 : 0
      ending += estado === 'encerrando' ? 1 : 0
    }
  assert.ok(active > 0 && ending > 0)
})
