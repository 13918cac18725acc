import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RODADA_MS, startMonitor } from '../kit/sefaz-rounds.ts'

test('/ready tells whether the monitor asks, whom, when it last did, and what is wrong with it', async (t) => {
  const monitor = await startMonitor(t)
  const [off] = monitor.nos
  const readyOf = async (house: typeof off) => {
    const { status, body } = await house.ask('/ready', { key: null })
    assert.equal(status, 200, 'it tells, and never decides')
    return body.sefaz
  }
  assert.deepEqual(await readyOf(off), { monitor: 'desligado', fonte: null, ultima_rodada: null, aviso: '' })
  const gate = Promise.withResolvers<void>()
  const held = await startMonitor(t, { envs: [{ SEFAZ_MONITOR: 'ligado' }], esperar: () => gate.promise })
  const [house] = held.nos
  const told = { monitor: 'ligado', fonte: 'servicos' }
  const none = { ...told, ultima_rodada: null, aviso: 'nenhuma rodada terminou ainda' }
  assert.deepEqual(await readyOf(house), none)
  const first = Promise.withResolvers<unknown>()
  house.rooms.sefaz.monitor.onQuadro(first.resolve)
  gate.resolve()
  await first.promise
  const ultima_rodada = new Date(held.relogio.instant).toISOString()
  assert.deepEqual(await readyOf(house), { ...told, ultima_rodada, aviso: '' })
  held.relogio.instant += 10 * 60_000 + 1
  const parado = 'nenhuma rodada terminou nos últimos 10 minutos'
  assert.deepEqual(await readyOf(house), { ...told, ultima_rodada, aviso: parado })
  held.impor({ padrao: 'corte' })
  await held.rodada()
  const semRede =
    'nenhuma SEFAZ respondeu na última rodada: confira a rede desta máquina e o certificado do operador'
  const now = () => new Date(held.relogio.instant).toISOString()
  assert.deepEqual(await readyOf(house), { ...told, ultima_rodada: now(), aviso: semRede })
  held.impor({})
  held.relogio.instant = house.rooms.platform.certificado?.fim.getTime() ?? 0
  await held.rodada()
  assert.deepEqual(await readyOf(house), {
    monitor: 'ligado',
    fonte: 'paginas',
    ultima_rodada: now(),
    aviso:
      'sem certificado do operador em vigor (A1_FILE): o monitor lê só as páginas públicas, sem tempos e sem NFC-e',
  })
  held.impor({ paginas: { nfe: 'erro', cte: 'erro' } })
  for (let round = 0; round < 3; round++) await held.rodada()
  assert.match(Object(await readyOf(house)).aviso, /em vigor \(A1_FILE\), e as páginas públicas não puderam/)
})

test('/metrics tells the age of the last round, the states by class and the open incidents', async (t) => {
  const monitor = await startMonitor(t, { envs: [{ SEFAZ_MONITOR: 'ligado', METRICS_PORT: '0' }] })
  const [house] = monitor.nos
  await new Promise((resolve) => house.rooms.sefaz.monitor.onQuadro(resolve))
  monitor.impor({ autorizadores: { 'nfe-svrs': '109' } })
  for (let round = 0; round < 3; round++) await monitor.rodada()
  monitor.relogio.instant += RODADA_MS / 2
  const text = await (await fetch(`${house.figures}/metrics`)).text()
  const told = text.split('\n').filter((line) => line.startsWith('consulta_fiscal_sefaz_'))
  assert.deepEqual(told, [
    'consulta_fiscal_sefaz_round_age_seconds 60',
    'consulta_fiscal_sefaz_round_blind{what="network"} 0',
    'consulta_fiscal_sefaz_round_blind{what="services"} 0',
    'consulta_fiscal_sefaz_states{doc="nfe",code="4"} 16',
    'consulta_fiscal_sefaz_states{doc="nfe",code="1"} 11',
    'consulta_fiscal_sefaz_states{doc="nfce",code="1"} 27',
    'consulta_fiscal_sefaz_states{doc="cte",code="1"} 27',
    'consulta_fiscal_sefaz_incidents_open 1',
  ])
})
