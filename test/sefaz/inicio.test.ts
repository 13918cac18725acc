import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { readPassado, scheduleMonitor } from '../../src/sefaz/job.ts'
import { openPrimeiraRodada } from '../../src/sefaz/lookup.ts'
import { makeRodada } from '../../src/sefaz/rodada.ts'
import { autorizadores } from '../../src/sefaz/rules.ts'
import type { Quadro } from '../../src/sefaz/rules-rodada.ts'
import { quiet } from '../kit/basics.ts'
import type { House } from '../kit/house.ts'
import { RODADA_MS, shareMonitor, startMonitor } from '../kit/sefaz-rounds.ts'

/** A data folder that outlives a server. */
function pastaDe(t: TestContext): string {
  const pasta = mkdtempSync(join(tmpdir(), 'consulta-fiscal-sefaz-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  return pasta
}

/** The first board of a node. */
const firstBoard = ({ rooms }: House): Promise<Quadro> =>
  new Promise((resolve) => {
    const known = rooms.sefaz.monitor.quadro()
    if (known) resolve(known)
    else rooms.sefaz.monitor.onQuadro(resolve)
  })

const ligado = (pasta: string) => ({ SEFAZ_MONITOR: 'ligado', DATA_DIR: pasta })

test('a new installation with the simulator shows a board at once, and a history of 90 days', async (t) => {
  const monitor = await startMonitor(t, { envs: [ligado(pastaDe(t))] })
  const [house] = monitor.nos
  const quadro = await firstBoard(house)
  assert.equal(quadro.situacoes.nfe.size, 27)
  const { monitor: store } = house.rooms.sefaz
  const ids = autorizadores.map(({ id }) => id)
  const days = await store.dias({ autorizadores: ids, de: '2026-08-16', ate: '2026-11-13' })
  assert.equal(days.length, 27 * 90)
  const svrs = days.find(({ autorizador }) => autorizador === 'nfe-svrs')
  assert.equal(svrs?.leituras, svrs ? svrs.tempos.length + svrs.erros + svrs.timeouts : undefined)
  assert.deepEqual(svrs?.tempos, svrs?.tempos.toSorted())
  assert.ok((await store.incidentes({ de: 0, ate: monitor.relogio.instant })).length > 0)
})

const PATH = '/api/v1/sefaz/status'

/** A simulator that answers nobody until it is let go. */
function calado() {
  const asked = Promise.withResolvers<void>()
  const going = Promise.withResolvers<void>()
  const esperar = (): Promise<void> => {
    asked.resolve()
    return going.promise
  }
  return { asked: asked.promise, go: () => going.resolve(), esperar }
}

test('MONITOR_INDISPONIVEL is not the first answer after a start: status and stream wait for the first round', async (t) => {
  const { asked, go, esperar } = calado()
  const monitor = await startMonitor(t, { envs: [ligado(pastaDe(t))], esperar })
  const [house] = monitor.nos
  const { key } = await house.open('lite')
  const leaving = new AbortController()
  const left = house.ask(PATH, { key, signal: leaving.signal })
  const first = house.ask(`${PATH}?doc=cte`, { key })
  const stream = fetch(`${house.address}${PATH}`, {
    headers: { 'X-API-Key': key, Accept: 'text/event-stream' },
  })
  await asked
  leaving.abort()
  await assert.rejects(left, { name: 'AbortError' })
  go()
  const { status, body, headers } = await first
  assert.deepEqual([status, body.doc, Object(body.states).length], [200, 'cte', 27])
  assert.match(headers.get('etag') ?? '', /^"/)
  const reader = (await stream).body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  assert.match(Buffer.from(value ?? []).toString(), /event: estado\ndata: \{"doc":"nfe"/)
  await reader?.cancel()
})

test('whoever hangs up leaves the wait for the first round, and a stop ends it for all', async (t) => {
  const { asked, esperar } = calado()
  const monitor = await startMonitor(t, { envs: [ligado(pastaDe(t))], esperar })
  const [house] = monitor.nos
  await asked
  const primeira = openPrimeiraRodada(house.rooms.sefaz)
  assert.equal(primeira.isAwaited(), true)
  const leaving = new AbortController()
  const left = primeira.wait(leaving.signal)
  leaving.abort(new Error('left'))
  await assert.rejects(left, /^Error: left$/)
  const { key } = await house.open('lite')
  const waiting = house.ask(PATH, { key })
  const other = primeira.wait(new AbortController().signal)
  primeira.close()
  assert.equal(await other, undefined)
  assert.equal(primeira.isAwaited(), false, 'no call of a service that ends waits')
  await house.close()
  assert.equal((await waiting.catch(() => ({ status: 502 }))).status, 502)
})

test('a stop in the middle of a round waits for no answer and leaves nothing of it; the next start asks at once', async (t) => {
  const pasta = pastaDe(t)
  const asked = Promise.withResolvers<void>()
  let isSilent = true
  const esperar = async (): Promise<void> => {
    asked.resolve()
    if (isSilent) await new Promise(() => {})
  }
  const monitor = await startMonitor(t, { envs: [ligado(pasta)], esperar })
  await asked.promise
  await monitor.nos[0].close()
  const quiet = await monitor.start({ DATA_DIR: pasta })
  assert.deepEqual(await quiet.rooms.sefaz.monitor.recentes(1), [])
  await quiet.close()
  isSilent = false
  monitor.relogio.instant += RODADA_MS / 4
  const begun = await monitor.start(ligado(pasta))
  const { rodada } = await firstBoard(begun)
  assert.equal(rodada.em, monitor.relogio.instant)
  await begun.close()
  const { rooms } = await monitor.start(ligado(pasta))
  assert.deepEqual(rooms.sefaz.monitor.quadro()?.rodada, rodada, 'a later start shows at once what is known')
})

test('a simulator without a past, or one that is nothing of the kind, is no error', async () => {
  const told = new Map([
    ['none', '<html>404</html>'],
    ['empty', '{}'],
    ['other', JSON.stringify({ dias: [{ autorizador: 'nfe-xx' }], incidentes: [] })],
    ['endless', JSON.stringify({ dias: [], incidentes: [], resto: 'x'.repeat(9 * 1024 * 1024) })],
  ])
  let at = ''
  const server = createServer((_request, response) => response.end(told.get(at)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const endereco = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  for (at of told.keys()) assert.equal(await readPassado(endereco), undefined, at)
  await new Promise((resolve) => server.close(resolve))
  assert.equal(await readPassado(endereco), undefined)
})

describe('a monitor that makes no round by itself', () => {
  const shared = shareMonitor()

  test('a monitor that is turned off starts nothing', async () => {
    const [{ rooms }] = shared().nos
    assert.deepEqual(scheduleMonitor(rooms.sefaz), [])
    const on = scheduleMonitor({
      ...rooms.sefaz,
      config: { ...rooms.platform.config, SEFAZ_MONITOR: 'ligado' },
    })
    assert.deepEqual(
      on.map(({ name, everyMs, on }) => [name, everyMs, on]),
      [
        ['sondar-sefaz-simulador', 120_000, 'one-node'],
        ['refresh-sefaz', 1_000, 'each-node'],
      ],
    )
  })

  test('a node that asks the real SEFAZ more often than every 2 minutes says in the log that it may be blocked', async (t) => {
    const [{ rooms }] = shared().nos
    const warn = t.mock.method(rooms.platform.log, 'warn', () => {})
    const begin = (ambiente: typeof rooms.platform.ambiente, SEFAZ_SECONDS: number) =>
      scheduleMonitor({
        ...rooms.sefaz,
        ambiente,
        config: { ...rooms.platform.config, SEFAZ_MONITOR: 'ligado', SEFAZ_SECONDS },
      })
    begin('producao', 120)
    begin('simulador', 30)
    assert.equal(warn.mock.callCount(), 0)
    begin('producao', 30)
    assert.equal(warn.mock.callCount(), 1)
    assert.match(String(warn.mock.calls[0]?.arguments[1]), /podem bloquear/)
  })

  test('a round by a clock that was set back is not stored, and the log says so', async () => {
    const monitor = shared()
    await monitor.rodada()
    monitor.relogio.instant -= RODADA_MS
    const told: string[] = []
    const log = { ...quiet, warn: (_: object, message?: string) => void told.push(message ?? '') }
    assert.equal(await makeRodada({ ...monitor.nos[0].rooms.sefaz, log }), undefined)
    assert.deepEqual(told, ['a round was not stored: one with a later clock is there already'])
  })
})
