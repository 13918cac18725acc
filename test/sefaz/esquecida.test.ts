import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRodada } from '../../src/sefaz/rodada.ts'
import { RODADA_MS, startMonitor } from '../kit/sefaz-rounds.ts'

const MINUTO_MS = 60_000

test('a fall of which nothing is known for three hours ends: its advice is not given for ever', async (t) => {
  const monitor = await startMonitor(t)
  const [{ rooms }] = monitor.nos
  const { monitor: store } = rooms.sefaz
  const fora = () => store.quadro()?.abertos.flatMap(({ quedas }) => quedas.filter(({ fim }) => fim === null))
  monitor.impor({ autorizadores: { 'nfe-sp': '109', 'nfce-sp': '109' } })
  for (let round = 0; round < 3; round++) await monitor.rodada()
  const last = monitor.relogio.instant
  // The certificate ended: the public pages tell of the NF-e, and not of the NFC-e.
  const room = { ...rooms.sefaz, certificado: undefined }
  const read = async (minute: number) => {
    monitor.relogio.instant = last + minute * MINUTO_MS
    await makeRodada(room)
  }
  for (const minute of [60, 120, 180]) await read(minute)
  assert.deepEqual(
    fora()?.map(({ autorizador }) => autorizador),
    ['nfe-sp', 'nfce-sp'],
  )
  await read(181)
  assert.deepEqual(
    fora()?.map(({ autorizador }) => autorizador),
    ['nfe-sp'],
  )
  const all = await store.incidentes({ de: 0, ate: monitor.relogio.instant })
  assert.deepEqual(
    all.map(({ quedas }) => quedas.map(({ fim }) => fim)),
    [[null, monitor.relogio.instant]],
  )
})

test('a pause after 656, a stop and rounds in which nobody answers end no fall', async (t) => {
  const monitor = await startMonitor(t)
  const { monitor: store } = monitor.nos[0].rooms.sefaz
  const impor = (caso: '109' | '656') => monitor.impor({ autorizadores: { 'nfe-sp': caso } })
  impor('109')
  for (let round = 0; round < 3; round++) await monitor.rodada()
  impor('656')
  for (let round = 0; round < 34; round++) await monitor.rodada()
  impor('109')
  await monitor.rodada(10 * 60 * MINUTO_MS)
  monitor.impor({ padrao: 'corte' })
  await monitor.rodada(10 * 60 * MINUTO_MS)
  assert.equal(store.quadro()?.abertos.length, 1)
  assert.equal((await monitor.rodada(RODADA_MS)).rodada.semRede, true)
})
