import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openAcessos } from '../../src/contas/store-acessos.ts'
import { createCodigo } from '../../src/contas/store-codigos.ts'
import { openAttempts } from '../../src/contas/store-tentativas.ts'
import { newConta } from '../kit/account.ts'
import { NOW } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const DAY_MS = 86_400_000

forEachDatabase((dialect, fresh) => {
  async function setup(t: Parameters<typeof fresh>[0]) {
    const db = await openFor(t, await fresh(t))
    const clock = { now: NOW }
    const acessos = openAcessos(db, { now: () => clock.now })
    const { id: conta_id } = await newConta(db)
    const abrir = (tipo: 'painel' | 'api') =>
      acessos.open({ conta_id, tipo, agente: 'x'.repeat(500), endereco: '' })
    const passDays = (days: number): void => {
      clock.now = new Date(clock.now.getTime() + days * DAY_MS)
    }
    return { db, acessos, conta_id, abrir, passDays, clock }
  }

  test('a session lives 7 days after its last use and 30 in all; the tokens of a login live an hour', async (t) => {
    const { acessos, abrir, passDays } = await setup(t)
    const [painel, idle, api] = [await abrir('painel'), await abrir('painel'), await abrir('api')]
    assert.equal(painel.acesso.agente.length, 200)
    const told = { conta_id: painel.acesso.conta_id, tipo: 'api', endereco: '' } as const
    const { acesso } = await acessos.open({ ...told, agente: 'curl\u009b2J\u202e/8' })
    assert.equal(acesso.agente, 'curl2J/8', 'nothing that a terminal obeys')
    passDays(1 / 25)
    assert.ok(await acessos.find(api.acesso.id))
    passDays(1 / 25)
    assert.equal(await acessos.find(api.acesso.id), undefined)
    for (let day = 0; day < 4; day++) {
      passDays(6)
      assert.ok(await acessos.findByToken(painel.token), `day ${6 * (day + 1)}`)
    }
    assert.equal(await acessos.findByToken(idle.token), undefined)
    passDays(6)
    assert.equal(await acessos.findByToken(painel.token), undefined, 'after 30 days')
  })

  test('an account has 50 logins at most: one more ends the one seen longest ago', async (t) => {
    const { acessos, abrir, conta_id, clock } = await setup(t)
    const first = await abrir('painel')
    for (let at = 0; at < 50; at++) {
      clock.now = new Date(clock.now.getTime() + 1_000)
      await abrir('painel')
    }
    assert.equal((await acessos.list(conta_id)).length, 50)
    assert.equal(await acessos.findByToken(first.token), undefined)
  })

  test('the logins of one account are not counted, and not ended, by those of another', async (t) => {
    const { db, acessos, abrir, clock } = await setup(t)
    const other = await newConta(db)
    const daOutra = () =>
      acessos
        .open({ conta_id: other.id, tipo: 'painel', agente: '', endereco: '' })
        .then(({ token }) => token)
    const before = await daOutra()
    for (let at = 0; at < 51; at++) {
      clock.now = new Date(clock.now.getTime() + 1_000)
      await abrir('painel')
    }
    assert.equal((await acessos.list(other.id)).length, 1)
    const after = await daOutra()
    assert.equal((await acessos.list(other.id)).length, 2)
    for (const token of [before, after]) assert.ok(await acessos.findByToken(token))
  })

  test('logins, codes and counts that are over are swept, and no other', async (t) => {
    const { db, acessos, abrir, conta_id, passDays, clock } = await setup(t)
    await abrir('api')
    const kept = await abrir('painel')
    const code = (days: number) =>
      createCodigo(db, { tipo: 'redefinir', conta_id, email: 'a@b.com', vidaMs: days * DAY_MS, now: NOW })
    await code(0.5)
    await code(3)
    const attempts = openAttempts(db, { now: () => clock.now, secret: 'x'.repeat(32) })
    await attempts.take(['entrar/email', 'a@b.com'], ['carta/email', 'a@b.com'])
    passDays(1)
    assert.equal(await acessos.sweep(), 2)
    assert.equal(await acessos.sweep(), 0)
    assert.ok(await acessos.findByToken(kept.token))
    if (dialect === 'sqlite') return
    assert.equal(await attempts.sweep(), 0, 'they still count, by the clock of the database')
    await sql`update limites set expire = expire - 7200000`.execute(db.kysely)
    assert.equal(await attempts.sweep(), 2)
  })
})
