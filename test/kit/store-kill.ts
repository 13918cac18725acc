import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { openConsumo } from '../../src/nfe/store.ts'
import { openIdempotencia } from '../../src/platform/http/idempotencia.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import { type Fresh, newConta, openFor, type Place } from './databases.ts'
import { assertBooks } from './livros.ts'
import { silence } from './nos.ts'

/** How many calls cobrar-filho.ts makes at once. */
const WORKERS = 20
const SECRET = 'um segredo de teste bastante comprido'

/**
 * Runs the child until it has written `count` lines, and kills it in mid-flight. Gives every line that it
 * wrote.
 */
async function killAfter(
  count: number,
  filho: string,
  { arquivo, databaseUrl }: Place,
  argument: string,
): Promise<string[]> {
  const script = join(import.meta.dirname, filho)
  const child = spawn(process.execPath, [script, arquivo, argument, ...(databaseUrl ? [databaseUrl] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const answered: string[] = []
  const ended = once(child, 'close')
  for await (const line of createInterface(child.stdout)) {
    answered.push(line)
    if (answered.length === count) child.kill('SIGKILL')
  }
  await ended
  assert.equal(child.signalCode, 'SIGKILL')
  return answered
}

/** Declares what outlives a process that is killed after so many answers, by turns. */
export function provarMortes(fresh: Fresh, kills: readonly number[]): void {
  test('after kill -9 every answered call is charged once and no hold stays open', async (t) => {
    const place = await fresh(t)
    const db = await openFor(t, place)
    const conta = await newConta(db, 'enterprise', new Date())
    const answered: string[] = []
    for (const count of kills) answered.push(...(await killAfter(count, 'cobrar-filho.ts', place, conta.id)))

    const later = new Date(Date.now() + 60_000)
    const ledger = openLedger(db, { no: 'depois', now: () => later })
    await silence(db)
    await ledger.releaseDead()
    const open = await db.kysely.selectFrom('retencoes').selectAll().execute()
    assert.deepEqual(open, [])
    const charges = await db.kysely
      .selectFrom('lancamentos')
      .selectAll()
      .where('tipo', '=', 'charge')
      .execute()
    const charged = new Set(charges.map(({ request_id }) => request_id))
    assert.deepEqual(
      answered.filter((id) => !charged.has(id)),
      [],
      'an answered call is charged',
    )
    const unanswered = charged.size - answered.length
    assert.ok(unanswered <= kills.length * WORKERS, `${unanswered} charges, more than the calls in flight`)
    assert.ok(charges.every(({ creditos, cota }) => creditos === 1 && cota === -1))
    const { cota } = await assertBooks(db, conta.id)
    assert.equal(cota, 100_000 - charges.length, 'each charge took its one credit, and nothing else did')
  })
  test('after kill -9 no event, answer or query is lost that a call was told to be written down', async (t) => {
    const place = await fresh(t)
    const db = await openFor(t, place)
    const lines = new Set(await killAfter(500, 'repetir-filho.ts', place, SECRET))

    // Its turns are over, so nobody here waits for them.
    await db.kysely.updateTable('idempotencia').set({ ate: 1 }).execute()
    const later = new Date(Date.now() + 120_000)
    const options = { now: () => later, ambiente: 'teste', secret: SECRET }
    const [calls, consumo] = [openIdempotencia(db, options), openConsumo(db, options)]
    for (const line of lines) {
      const [what, name = '', rest] = line.split(' ')
      if (what === 'consulta') {
        assert.ok((await consumo.look(name)).restantes <= Number(rest), line)
        continue
      }
      const pedido = { conta_id: 'conta', chave: name, corpo: '{}', request_id: 'depois' }
      const known = await calls.begin(pedido)
      if (known.tipo === 'pronta') assert.deepEqual(JSON.parse(known.resposta), { name })
      else
        assert.ok(!lines.has(`resposta ${name}`) && known.tipo === 'nova' && known.passos.length === 1, line)
    }
  })
}
