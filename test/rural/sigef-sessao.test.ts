import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sessaoKeeper } from '../../src/rural/job.ts'
import { openSessao } from '../../src/rural/sessao.ts'
import { quiet } from '../kit/basics.ts'
import { queriesTo } from '../kit/house.ts'
import { askSigef, importSession, type RuralHouse, startRural, toldBy } from '../kit/rural.ts'
import { reservado } from '../kit/simulator.ts'

const HOUR_MS = 3_600_000
const NINGUEM = '11222333000181'
const SEM_SESSAO = { http: 200, codigo: 'SIGEF_NO_SESSION', retryable: true, repetir: '60', creditos: '0' }

const later = (house: RuralHouse, hours: number): void =>
  house.turn(new Date(house.rooms.platform.now().getTime() + hours * HOUR_MS))

/** What /ready says of the session. Its status is 200 whatever that is. */
async function ready(
  house: RuralHouse,
): Promise<{ sessao: string; vence_em: string; login_ate: string; aviso: string }> {
  const { status, body } = await house.ask('/ready', { key: null })
  assert.equal(status, 200)
  return Object(body.sigef)
}

/** Runs the keeper of the session a round, and gives the warnings that it wrote. */
function keeperOf({ rooms }: RuralHouse): () => Promise<string[]> {
  let told: string[] = []
  const log = { ...quiet, warn: (_: object, message?: string) => void told.push(message ?? '') }
  const keep = sessaoKeeper({ ...rooms.rural, log })
  return async () => {
    told = []
    await keep()
    return told
  }
}

/** The line of a cookies.txt. */
const linha = (dominio: string, nome: string, valor: string, end: Date): string =>
  [dominio, 'FALSE', '/', 'TRUE', String(Math.floor(end.getTime() / 1000)), nome, valor].join('\t')

/** A header as a cookies.txt, where the login's cookies end at `end`. */
function asFile(header: string, house: RuralHouse, hours: number): string {
  const end = new Date(house.rooms.platform.now().getTime() + hours * HOUR_MS)
  return header
    .split('; ')
    .map((pair) => {
      const [nome = '', valor = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      const isLogin = nome === 'Govbrid' || nome === 'Session_Gov_Br_Prod'
      return linha(
        isLogin ? 'sso.acesso.gov.br' : 'sigef.incra.gov.br',
        nome,
        valor,
        isLogin ? end : new Date(0),
      )
    })
    .join('\n')
}

test('SIGEF_NO_SESSION: without an imported session a live service asks nobody', async (t) => {
  const house = await startRural(t, { AUTHORITIES: 'live', BOOTSTRAP_API_KEY: 'chave-de-teste-0123456789' })
  assert.deepEqual(toldBy(await askSigef(house, NINGUEM)), SEM_SESSAO)
  const { body } = await house.ask('/ready', { key: null })
  assert.equal(Object(body.sigef).sessao, 'ausente')
  assert.match(Object(body.sigef).aviso, /fiscal sigef sessao importar/)
})

test("the simulator's own cookies serve where none was imported, and an imported session serves first", async (t) => {
  const house = await startRural(t)
  assert.equal((await ready(house)).sessao, 'simulador')
  assert.equal(toldBy(await askSigef(house, NINGUEM)).codigo, '')
  await importSession(house, house.acesso.outros.encerrado)
  assert.deepEqual(toldBy(await askSigef(house, reservado('sigef-25'))), SEM_SESSAO)
})

test('an imported session is proven before its first use, and kept sealed', async (t) => {
  const house = await startRural(t)
  await importSession(house, house.acesso.cookies)
  assert.equal((await ready(house)).sessao, 'suspeita')
  assert.equal(toldBy(await askSigef(house, NINGUEM)).codigo, '')
  assert.equal((await ready(house)).sessao, 'valida')
  const rows = await house.rooms.platform.db.kysely.selectFrom('sessoes').selectAll().execute()
  for (const pair of house.acesso.cookies.split('; '))
    assert.ok(!JSON.stringify(rows).includes(pair.slice(pair.indexOf('=') + 1)), 'a cookie stands in clear')
})

test('a session is renewed by the gov.br cookies in its last hour, and no client meets its end', async (t) => {
  const house = await startRural(t)
  const keep = keeperOf(house)
  await importSession(house, house.acesso.outros.renovavel)
  assert.deepEqual(await keep(), [])
  const { sessao, vence_em } = await ready(house)
  assert.deepEqual(
    [sessao, vence_em],
    ['valida', new Date(house.rooms.platform.now().getTime() + 4 * HOUR_MS).toISOString()],
  )
  const asked = () => queriesTo(house, 'sso.acesso.gov.br')
  assert.equal(await asked(), 1)
  later(house, 2)
  await keep()
  assert.equal(await asked(), 1, 'it is not renewed before its last hour')
  later(house, 1.5)
  await keep()
  assert.equal(await asked(), 2)
  later(house, 3)
  assert.equal(toldBy(await askSigef(house, NINGUEM)).codigo, '', 'hours after the first session ended')
})

test('the end of the login is told two days before, in /ready and once a day in the log', async (t) => {
  const house = await startRural(t)
  const keep = keeperOf(house)
  await importSession(house, asFile(house.acesso.cookies, house, 47))
  const [aviso, ...more] = await keep()
  assert.match(String(aviso), /O login gov.br que renova a sessão no SIGEF acaba em 47 horas/)
  assert.deepEqual(more, [])
  const told = await ready(house)
  assert.equal(told.login_ate, new Date(house.rooms.platform.now().getTime() + 47 * HOUR_MS).toISOString())
  assert.match(told.aviso, /acaba em/)
})

test('a login that is over is told an hour before the session ends, then SIGEF_NO_SESSION', async (t) => {
  const house = await startRural(t)
  const keep = keeperOf(house)
  // The session is good, and the login is not: its cookies are those of another.
  const over = house.acesso.outros.encerrado
    .split('; ')
    .filter((pair) => /^(?:Govbrid|Session_Gov)/.test(pair))
  const session = house.acesso.cookies.split('; ').filter((pair) => !/^(?:Govbrid|Session_Gov)/.test(pair))
  await importSession(house, [...session, ...over].join('; '))
  const [aviso] = await keep()
  assert.match(String(aviso), /sem os cookies do login gov.br ela não se renova/)
  assert.equal(toldBy(await askSigef(house, NINGUEM)).codigo, '')
  later(house, 4)
  assert.equal((await ready(house)).sessao, 'vencida')
  assert.deepEqual(toldBy(await askSigef(house, reservado('sigef-25'))), SEM_SESSAO)
})

test('a session and a login that are both over end in SIGEF_NO_SESSION, and the operator is told', async (t) => {
  const house = await startRural(t)
  const keep = keeperOf(house)
  await importSession(house, house.acesso.outros.encerrado)
  const told = await keep()
  assert.match(told.join('\n'), /the session with SIGEF is over/)
  const { sessao, aviso } = await ready(house)
  assert.equal(sessao, 'encerrada')
  assert.match(aviso, /importe os cookies/)
  assert.deepEqual(await keep(), [], 'once')
  assert.deepEqual(toldBy(await askSigef(house, NINGUEM)), SEM_SESSAO)
  await importSession(house, house.acesso.cookies)
  assert.equal(toldBy(await askSigef(house, NINGUEM)).codigo, '', 'a new one serves at once')
})

test('a firewall that refuses the cookies is SIGEF_HTTP_ERROR, and the session stays in doubt', async (t) => {
  const house = await startRural(t)
  await importSession(house, house.acesso.outros.recusado)
  assert.equal(toldBy(await askSigef(house, NINGUEM)).codigo, 'SIGEF_HTTP_ERROR')
  assert.equal((await ready(house)).sessao, 'suspeita')
})

test('a session that SIGEF turned away is renewed before the next search, which is served', async (t) => {
  const house = await startRural(t)
  const keep = keeperOf(house)
  await importSession(house, house.acesso.cookies)
  await keep()
  assert.equal(toldBy(await askSigef(house, reservado('sessao-velha'))).codigo, 'SIGEF_HTTP_ERROR')
  assert.equal((await ready(house)).sessao, 'suspeita')
  assert.equal(toldBy(await askSigef(house, NINGUEM)).codigo, '')
  assert.equal((await ready(house)).sessao, 'valida')
})

/** Opens the session for a search; `meanwhile` runs before the turn to renew it comes. */
async function openAfter({ rooms }: RuralHouse, meanwhile: () => Promise<unknown>) {
  const warned: string[] = []
  const take: typeof rooms.platform.turnos.take = async (...turn) => {
    await meanwhile()
    return rooms.platform.turnos.take(...turn)
  }
  const log = { ...quiet, warn: (_: object, message?: string) => void warned.push(message ?? '') }
  const room = { ...rooms.rural, log, turnos: { ...rooms.rural.turnos, take } }
  const andante = { request_id: 'r', emVaga: <T>(ask: () => Promise<T>) => ask() }
  return { sessao: await openSessao(room, andante), warned }
}

test('a session that was deleted while a search waited to renew it is SIGEF_NO_SESSION', async (t) => {
  const house = await startRural(t)
  await importSession(house, house.acesso.cookies)
  await assert.rejects(openAfter(house, house.rooms.rural.sessoes.delete), { code: 'SIGEF_NO_SESSION' })
})

test('a session that another node renewed while a search waited for that is used as it is', async (t) => {
  const house = await startRural(t)
  const { sessoes } = house.rooms.rural
  await importSession(house, house.acesso.cookies)
  const found = await sessoes.find()
  assert.ok(found)
  await openAfter(house, () => sessoes.keepRenewed(found, found.cookies))
  assert.equal(await queriesTo(house, 'sigef.incra.gov.br'), 0)
})

test('a doubt about a session is told, and one about a session that was replaced meanwhile is not', async (t) => {
  const house = await startRural(t)
  await importSession(house, house.acesso.cookies)
  const { sessao, warned } = await openAfter(house, async () => {})
  await sessao.doubt('Recusou.')
  assert.deepEqual(warned, ['the session with SIGEF is in doubt'])
  await importSession(house, house.acesso.cookies)
  await sessao.doubt('Recusou.')
  assert.equal(warned.length, 1)
  assert.match((await ready(house)).aviso, /Ainda não foi conferida/)
})

test('with SIGEF switched off nothing is said of a session', async (t) => {
  const house = await startRural(t, { SIGEF: 'desligado' })
  assert.equal((await ready(house)).sessao, 'desligada')
})
