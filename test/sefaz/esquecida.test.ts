import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRodada } from '../../src/sefaz/rodada.ts'
import { abrirCena, RODADA_MS } from '../kit/sefaz-em-cena.ts'

const MINUTO_MS = 60_000

test('a fall of which nothing is known for three hours ends: its advice is not given for ever', async (t) => {
  const cena = await abrirCena(t)
  const [{ rooms }] = cena.nos
  const { monitor } = rooms.sefaz
  const fora = () =>
    monitor.quadro()?.abertos.flatMap(({ quedas }) => quedas.filter(({ fim }) => fim === null))
  cena.impor({ autorizadores: { 'nfe-sp': '109', 'nfce-sp': '109' } })
  for (let round = 0; round < 3; round++) await cena.rodada()
  const last = cena.relogio.instant
  // The certificate ended: the public pages tell of the NF-e, and not of the NFC-e.
  const room = { ...rooms.sefaz, certificado: undefined }
  const read = async (minute: number) => {
    cena.relogio.instant = last + minute * MINUTO_MS
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
  const all = await monitor.incidentes({ de: 0, ate: cena.relogio.instant })
  assert.deepEqual(
    all.map(({ quedas }) => quedas.map(({ fim }) => fim)),
    [[null, cena.relogio.instant]],
  )
})

test('a pause after 656, a stop and rounds in which nobody answers end no fall', async (t) => {
  const cena = await abrirCena(t)
  const { monitor } = cena.nos[0].rooms.sefaz
  const impor = (caso: '109' | '656') => cena.impor({ autorizadores: { 'nfe-sp': caso } })
  impor('109')
  for (let round = 0; round < 3; round++) await cena.rodada()
  impor('656')
  for (let round = 0; round < 34; round++) await cena.rodada()
  impor('109')
  await cena.rodada(10 * 60 * MINUTO_MS)
  cena.impor({ padrao: 'corte' })
  await cena.rodada(10 * 60 * MINUTO_MS)
  assert.equal(monitor.quadro()?.abertos.length, 1)
  assert.equal((await cena.rodada(RODADA_MS)).rodada.semRede, true)
})
