import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type House, loseTable, start } from '../kit/house.ts'
import { importSession, type RuralHouse, startRural } from '../kit/rural.ts'

const HOUR_MS = 3_600_000
const HOUR_S = 3_600

/** What /metrics tells of the session with SIGEF, without the figures' common name. */
async function figuresOf({ figures }: Pick<House, 'figures'>): Promise<Record<string, number>> {
  const response = await fetch(`${figures}/metrics`)
  assert.equal(response.status, 200)
  const lines = (await response.text()).matchAll(/^consulta_fiscal_sigef_session_(\S+) (\S+)$/gm)
  return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]))
}

const startMeasured = (t: Parameters<typeof startRural>[0], env: Record<string, string> = {}) =>
  startRural(t, { METRICS_PORT: '0', ...env })

const later = (house: RuralHouse, hours: number): void =>
  house.turn(new Date(house.rooms.platform.now().getTime() + hours * HOUR_MS))

const ate = (house: RuralHouse, hours: number): Date =>
  new Date(house.rooms.platform.now().getTime() + hours * HOUR_MS)

const cookie = (dominio: string, nome: string, end: Date): string =>
  [dominio, 'FALSE', '/', 'TRUE', String(end.getTime() / 1000), nome, 'valor'].join('\t')

test('live, without an imported session none is usable, and no end is told', async (t) => {
  const house = await start({ METRICS_PORT: '0', AUTHORITIES: 'live' })
  t.after(() => house.close())
  assert.deepEqual(await figuresOf(house), { usable: 0 })
})

test("where the simulator's own session answers nothing is told, so that no alert asks for a login", async (t) => {
  const house = await startMeasured(t)
  assert.deepEqual(await figuresOf(house), {})
  const ready = await house.ask('/ready', { key: null })
  assert.equal(Object(ready.body.sigef).sessao, 'simulador')
})

test('a session is usable until it ends, and the ends of the session and of its login are told apart', async (t) => {
  const house = await startMeasured(t)
  const text = [
    cookie('sigef.incra.gov.br', 'sessionid', ate(house, 3)),
    cookie('sso.acesso.gov.br', 'Govbrid', ate(house, 48)),
    cookie('sso.acesso.gov.br', 'Session_Gov_Br_Prod', ate(house, 2)),
  ]
  await importSession(house, text.join('\n'))
  const ends = (session: number, login: number) => ({
    'end_seconds{what="session"}': session * HOUR_S,
    'end_seconds{what="login"}': login * HOUR_S,
  })
  assert.deepEqual(await figuresOf(house), { usable: 1, ...ends(3, 2) })
  later(house, 2.5)
  assert.deepEqual(await figuresOf(house), { usable: 1, ...ends(0.5, -0.5) }, 'it serves without its login')
  later(house, 0.5)
  assert.deepEqual(await figuresOf(house), { usable: 0, ...ends(0, -1) })
})

test('a session without a login tells its own end alone, and one that SIGEF ended is not usable', async (t) => {
  const house = await startMeasured(t)
  const { sessoes } = house.rooms.rural
  await importSession(house, 'sessionid=valor')
  assert.deepEqual(await figuresOf(house), { usable: 1, 'end_seconds{what="session"}': 4 * HOUR_S })
  const found = await sessoes.find()
  assert.ok(found && (await sessoes.mark(found, 'encerrada', 'Acabou.')))
  assert.equal((await figuresOf(house)).usable, 0)
  await sessoes.delete()
  assert.deepEqual(await figuresOf(house), {})
})

test('where the session cannot be read, or SIGEF is off, no figure of it is told', async (t) => {
  const house = await startMeasured(t)
  await importSession(house, 'sessionid=valor')
  await loseTable(house, 'sessoes')
  assert.deepEqual(await figuresOf(house), {})
  assert.deepEqual(await figuresOf(await startMeasured(t, { SIGEF: 'desligado' })), {})
})
