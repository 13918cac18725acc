import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import type { Linha } from '../../simulator/roteiro/linha.ts'
import { listRoteiro } from '../../simulator/roteiro/roteiro.ts'
import { start } from '../kit/house.ts'

test('in simulator mode the whole service, from its start to its end, dials nothing but the simulator', async () => {
  const dialled = new Set<string>()
  const onSocket = (message: unknown): void => {
    const { socket }: { socket: Socket } = Object(message)
    socket.once('connect', () => dialled.add(`${socket.remoteAddress}:${socket.remotePort}`))
  }
  subscribe('net.client.socket', onSocket)
  try {
    const house = await start({ IE_SECONDS: '1', CND_SECONDS: '1' })
    const { simulador = '' } = house.rooms.platform
    const seen = new Set<string>()
    const isFirst = ({ endpoint }: Linha) => !seen.has(endpoint) && seen.add(endpoint)
    const linhas = listRoteiro().filter(
      (linha, i) => isFirst(linha) || i % (process.env.LONGO ? 6 : 24) === 0,
    )
    await Promise.all(
      linhas.map(({ endpoint, parametros }) => house.ask(`${endpoint}?${new URLSearchParams(parametros)}`)),
    )
    await house.close()
    assert.deepEqual(dialled, new Set([new URL(simulador).host, new URL(house.address).host]))
  } finally {
    unsubscribe('net.client.socket', onSocket)
  }
})

test('a simulator that is not there, or is something else, is said clearly at the start', async () => {
  const house = await start()
  for (const [url, says] of [
    ['http://127.0.0.1:1', /127\.0\.0\.1:1 não responde. Corrija SIMULATOR_URL/],
    [house.address, /não é um simulador/],
  ] as const) {
    await assert.rejects(start({ SIMULATOR_URL: url }), { name: 'StartError', message: says })
  }
  await house.close()
})
