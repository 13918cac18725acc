import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCodigo, findCodigo, spendCodigo, ultimosCodigos } from '../../src/contas/store-codigos.ts'
import { NOW } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const VIDA_MS = 60_000
const after = (ms: number): Date => new Date(NOW.getTime() + ms)

forEachDatabase((_dialect, fresh) => {
  test('a code is good for its kind, in its time and once', async (t) => {
    const db = await openFor(t, await fresh(t))
    const novo = { tipo: 'redefinir', email: 'ana@exemplo.com.br', vidaMs: VIDA_MS, now: NOW } as const
    const codigo = await createCodigo(db, novo)
    const row = await findCodigo(db, 'redefinir', codigo, after(VIDA_MS - 1))
    assert.ok(row)
    assert.equal(row.email, novo.email)
    assert.equal(await findCodigo(db, 'confirmar', codigo, NOW), undefined)
    assert.equal(await findCodigo(db, 'redefinir', codigo, after(VIDA_MS)), undefined)
    assert.equal(await findCodigo(db, 'redefinir', `${codigo}x`, NOW), undefined)
    assert.equal(await spendCodigo(db.kysely, { ...row, tipo: 'convite' }, NOW), undefined)
    assert.equal(await spendCodigo(db.kysely, row, after(VIDA_MS)), undefined)
    const used = await Promise.all([spendCodigo(db.kysely, row, NOW), spendCodigo(db.kysely, row, NOW)])
    assert.equal(used.filter((one) => one !== undefined).length, 1)
    assert.equal(await findCodigo(db, 'redefinir', codigo, NOW), undefined)
  })

  test('the newest code of an e-mail is of that e-mail and kind, not over and not used', async (t) => {
    const db = await openFor(t, await fresh(t))
    const novo = { tipo: 'confirmar', email: 'ana@exemplo.com.br', vidaMs: VIDA_MS } as const
    const codigo = await createCodigo(db, { ...novo, now: NOW })
    const newer = await createCodigo(db, { ...novo, now: after(1) })
    await createCodigo(db, { ...novo, email: 'bia@exemplo.com.br', now: after(2) })
    await createCodigo(db, { ...novo, tipo: 'redefinir', now: after(3) })
    const [first, second] = [
      await findCodigo(db, 'confirmar', codigo, NOW),
      await findCodigo(db, 'confirmar', newer, NOW),
    ]
    assert.ok(first && second)
    const ultimo = async (at: number) => (await ultimosCodigos(db, 'confirmar', novo.email, after(at)))[0]
    assert.equal((await ultimo(4))?.hash, second.hash)
    await spendCodigo(db.kysely, second, after(5))
    assert.equal((await ultimo(6))?.hash, first.hash)
    assert.equal(await ultimo(VIDA_MS), undefined)
  })
})
