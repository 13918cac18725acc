import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { EventoFeito } from '../../src/nfe/rules-manifestacao.ts'
import { openIdempotencia, type Pedido } from '../../src/platform/http/idempotencia.ts'
import { LEASE_MS } from '../../src/platform/jobs/lease.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import { newConta } from '../kit/account.ts'
import { NOW } from '../kit/basics.ts'
import { assertBooks, forEachDatabase, openFor, type Place } from '../kit/databases.ts'

const SECRET = 'um segredo de teste bastante comprido'
const DAY = 24 * 3_600_000
const at = (ms: number): Date => new Date(NOW.getTime() + ms)
const CIENCIA: EventoFeito = {
  passo: 'ciencia',
  desfecho: { tipo: 'resposta', cStat: '135', xMotivo: 'Evento registrado e vinculado a NF-e' },
}
const RESPOSTA = JSON.stringify({ xml: '<nfeProc>AÇÚCAR</nfeProc>' })

const pedido = (over: Partial<Pedido> = {}): Pedido => ({
  conta_id: 'conta-1',
  chave: 'pedido-42',
  corpo: '{"senha":"segredo do cliente"}',
  request_id: randomUUID(),
  ...over,
})

forEachDatabase((dialect, fresh) => {
  type T = Parameters<typeof fresh>[0]
  async function setup(t: T, place?: Place, over: { ambiente?: string; secret?: string } = {}) {
    const db = await openFor(t, place ?? (await fresh(t)))
    const clock = { now: NOW }
    const options = { now: () => clock.now, ambiente: 'simulador', secret: SECRET, ...over }
    const calls = openIdempotencia(db, options)
    const begin = (over: Partial<Pedido> = {}) => calls.begin(pedido(over))
    /** Begins a call that must be a new one. */
    const beginNew = async (over: Partial<Pedido> = {}) => {
      const comeco = await begin(over)
      assert.ok(comeco.tipo === 'nova', comeco.tipo)
      return comeco
    }
    /** The holder of each key falls silent: every lease is over, and none was over a millisecond before. */
    const fallSilent = async () => {
      const { ate } = await db.kysely.selectFrom('idempotencia').select('ate').executeTakeFirstOrThrow()
      if (dialect === 'sqlite') assert.equal(ate, clock.now.getTime() + LEASE_MS)
      await db.kysely.updateTable('idempotencia').set({ ate: 1 }).execute()
    }
    return { db, clock, ...calls, begin, beginNew, fallSilent }
  }

  test('a repeated call waits for the first, then gets its answer, for 24 hours', async (t) => {
    const { clock, begin, beginNew, finish, end } = await setup(t)
    const { ref, passos } = await beginNew({ request_id: 'r-1' })
    assert.deepEqual(passos, [])
    assert.deepEqual(await begin(), { tipo: 'em-andamento' })
    assert.equal(await finish(ref, { resposta: RESPOSTA, creditos: 3 }), true)
    assert.deepEqual(await begin(), { tipo: 'em-andamento' }, 'it is about to pay')
    await end(ref)
    const pronta = { tipo: 'pronta', resposta: RESPOSTA, creditos: 3, request_id: 'r-1' }
    assert.deepEqual(await begin(), pronta)
    clock.now = at(DAY - 1)
    assert.deepEqual(await begin(), pronta)
    clock.now = at(DAY)
    assert.deepEqual((await beginNew()).passos, [])
  })

  test('a key with another body is a conflict, while the first call runs and after it', async (t) => {
    const { begin, beginNew, finish } = await setup(t)
    const { ref } = await beginNew()
    assert.deepEqual(await begin({ corpo: '{}' }), { tipo: 'conflito' })
    await finish(ref, { resposta: RESPOSTA, creditos: 0 })
    assert.deepEqual(await begin({ corpo: '{}' }), { tipo: 'conflito' })
  })

  test('accounts, environments and secrets never meet under the same key', async (t) => {
    const place = await fresh(t)
    const { beginNew, finish } = await setup(t, place)
    await finish((await beginNew()).ref, { resposta: RESPOSTA, creditos: 3 })
    await beginNew({ conta_id: 'conta-2' })
    await (await setup(t, place, { ambiente: 'producao' })).beginNew()
    await (await setup(t, place, { secret: 'outro segredo de teste, comprido' })).beginNew()
  })

  test('of calls that come at once on two nodes one is new, and so when the first died', async (t) => {
    const place = await fresh(t)
    const nodes = [await setup(t, place), await setup(t, place)]
    const together = async (): Promise<string[]> => {
      const began = await Promise.all(Array.from({ length: 20 }, (_, i) => nodes[i % 2]?.begin()))
      return began.map((comeco) => comeco?.tipo ?? '').sort()
    }
    const waiting = Array.from({ length: 19 }, () => 'em-andamento')
    assert.deepEqual(await together(), [...waiting, 'nova'])
    assert.deepEqual(await together(), ['em-andamento', ...waiting])
    await nodes[0]?.fallSilent()
    assert.deepEqual(await together(), [...waiting, 'nova'])
  })

  test('who takes over from a dead call knows its events, and what the dead one still writes is refused', async (t) => {
    const { begin, beginNew, note, finish, renew, end, fallSilent } = await setup(t)
    const dead = await beginNew()
    assert.equal(await note(dead.ref, [CIENCIA]), true)
    await fallSilent()
    const { ref, passos } = await beginNew({ request_id: 'r-2' })
    assert.deepEqual(passos, [CIENCIA])
    assert.equal(await note(dead.ref, []), false)
    assert.equal(await finish(dead.ref, { resposta: '{}', creditos: 0 }), false)
    await end(dead.ref)
    assert.deepEqual(await begin(), { tipo: 'em-andamento' })
    assert.equal(await finish(ref, { resposta: RESPOSTA, creditos: 3 }), true)
    await end(ref)
    await renew(dead.ref)
    const known = await begin()
    assert.ok(known.tipo === 'pronta' && known.request_id === 'r-2')
  })

  test('a call that came to nothing frees its key, for any body', async (t) => {
    const { beginNew, end } = await setup(t)
    await end((await beginNew()).ref)
    await end((await beginNew({ corpo: '{}' })).ref)
    await beginNew()
  })

  test('a call that failed after an event frees its key for the same body alone, and the event stays', async (t) => {
    const { clock, begin, beginNew, note, end } = await setup(t)
    const { ref } = await beginNew()
    await note(ref, [CIENCIA])
    await end(ref)
    assert.deepEqual(await begin({ corpo: '{}' }), { tipo: 'conflito' })
    const again = await beginNew()
    assert.deepEqual(again.passos, [CIENCIA])
    await end(again.ref)
    assert.deepEqual((await beginNew()).passos, [CIENCIA])
    clock.now = at(DAY)
    assert.deepEqual((await beginNew({ corpo: '{}' })).passos, [])
  })

  test('an answer that stands is not written again, nor given up', async (t) => {
    const { begin, beginNew, note, finish, end } = await setup(t)
    const { ref } = await beginNew()
    await finish(ref, { resposta: RESPOSTA, creditos: 3 })
    assert.equal(await note(ref, [CIENCIA]), false)
    assert.equal(await finish(ref, { resposta: '{}', creditos: 0 }), false)
    await end(ref)
    const known = await begin()
    assert.ok(known.tipo === 'pronta' && known.resposta === RESPOSTA && known.creditos === 3)
  })

  test('a call that lives keeps its key, and one that died before it paid leaves its answer to be paid', async (t) => {
    const { db, begin, beginNew, finish, renew, fallSilent } = await setup(t)
    const { ref } = await beginNew({ request_id: 'r-1' })
    const ates = () => db.kysely.selectFrom('idempotencia').select('ate').execute()
    const [first] = await ates()
    await fallSilent()
    await renew(ref)
    const [renewed] = await ates()
    assert.ok((renewed?.ate ?? 0) >= (first?.ate ?? 0))
    assert.deepEqual(await begin(), { tipo: 'em-andamento' })
    await finish(ref, { resposta: RESPOSTA, creditos: 3 })
    assert.deepEqual(await begin(), { tipo: 'em-andamento' })
    await fallSilent()
    assert.equal((await begin()).tipo, 'pronta')
  })

  test('an answer that costs nothing is there at once', async (t) => {
    const { begin, beginNew, finish } = await setup(t)
    await finish((await beginNew()).ref, { resposta: RESPOSTA, creditos: 0 })
    assert.equal((await begin()).tipo, 'pronta')
  })

  test('an answer whose client left is charged once, however many ask for it again, and one of them is told so', async (t) => {
    const place = await fresh(t)
    const { db, begin, beginNew, finish, end } = await setup(t, place)
    const conta = await newConta(db)
    const ledger = openLedger(db, { no: randomUUID(), now: () => NOW })
    const { ref } = await beginNew({ request_id: 'r-1' })
    const cobranca = (creditos: number) => ({ conta, request_id: 'r-1', endpoint: '/api/teste', creditos })
    await ledger.hold(cobranca(3))
    await finish(ref, { resposta: RESPOSTA, creditos: 2 })
    await ledger.settle(cobranca(0))
    await end(ref)
    const replay = async (): Promise<boolean> => {
      const known = await begin()
      assert.ok(known.tipo === 'pronta' && known.request_id === 'r-1')
      const { ok, charged } = await ledger.settle(cobranca(known.creditos))
      assert.ok(ok)
      return charged
    }
    const told = await Promise.all([replay(), replay(), replay()])
    assert.equal(told.filter(Boolean).length, 1)
    assert.equal(await replay(), false)
    assert.deepEqual(await assertBooks(db, conta.id), { cota: 98, extra: 0 })
  })

  test('neither key, body, event nor answer can be read in the database, and a record that was changed is not believed', async (t) => {
    const { db, begin, beginNew, note, finish, end } = await setup(t)
    const { ref } = await beginNew()
    await note(ref, [CIENCIA])
    await finish(ref, { resposta: RESPOSTA, creditos: 3 })
    await end(ref)
    const rows = JSON.stringify(await db.kysely.selectFrom('idempotencia').selectAll().execute())
    for (const piece of ['pedido-42', 'conta-1', 'segredo', 'nfeProc', 'Evento'])
      assert.ok(!rows.includes(piece), piece)
    await db.kysely
      .updateTable('idempotencia')
      .set(({ ref: column }) => ({ resposta: column('eventos') }))
      .execute()
    await assert.rejects(begin(), /does not open/)
  })

  test('what is older than a day is swept', async (t) => {
    const { clock, beginNew, sweep } = await setup(t)
    await beginNew()
    clock.now = at(1)
    await beginNew({ chave: 'outro' })
    clock.now = at(DAY)
    assert.equal(await sweep(), 1)
    assert.equal(await sweep(), 0)
  })
})
