import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { issueKey } from '../../src/contas/store-chaves.ts'
import { openConsumo } from '../../src/nfe/store.ts'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import { openIdempotencia } from '../../src/platform/http/idempotencia.ts'
import { openJobs } from '../../src/platform/jobs/jobs.ts'
import { openLedger } from '../../src/platform/ledger/ledger.ts'
import type { NomePlano } from '../../src/platform/ledger/rules.ts'
import { newConta } from './account.ts'
import { pausa } from './basics.ts'
import { assertBooks, type Fresh, openFor, type Place, silence } from './databases.ts'
import { contar } from './jobs.ts'
import { type Child, startChild } from './processes.ts'

const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'

/** A service that a test kills and starts again, and the database that outlives it. */
type Mortal = {
  db: Db
  /** Makes an account on the plan, and gives its id and a key. */
  open: (plano: NomePlano) => Promise<{ id: string; key: string }>
  /** Starts the service with these settings too, and waits until it listens. */
  startServer: (sent?: Record<string, string>) => Promise<Child>
}

/** Opens the database of one test, at whose end what it started is killed. */
export async function openMortal(t: TestContext, fresh: Fresh): Promise<Mortal> {
  const { databaseUrl, arquivo } = await fresh(t)
  const pasta = dirname(arquivo)
  const db = await openDb({ databaseUrl, arquivo: join(pasta, 'consulta-fiscal.db') })
  t.after(() => db.close())
  const env = {
    DATA_DIR: pasta,
    DATABASE_URL: databaseUrl ?? '',
    SERVER_SECRET,
    PORT: '0',
    LOG_LEVEL: 'silent',
  }
  return {
    db,
    open: async (plano) => {
      const now = new Date()
      const { id } = await newConta(db, plano, now)
      return { id, key: await issueKey(db, SERVER_SECRET, id, { now }) }
    },
    startServer: async (sent = {}) => {
      const program = startChild('bin/servidor.js', [], pasta, { ...env, ...sent })
      // What a test that fails leaves behind would keep its whole shard alive.
      t.after(() => program.child.kill('SIGKILL'))
      await program.says(/base-cnpj'\n/)
      return program
    },
  }
}

/** How many requests have reached a host of a simulator. */
export async function pedidosTo(simulador: string, host: string): Promise<number> {
  const { pedidos } = Object(await (await fetch(`${simulador}/estatisticas.json`)).json())
  return Number(pedidos[host] ?? 0)
}

const AT = ['claim', 'middle', 'finish'] as const

type Node = {
  child: ChildProcess
  ended: Promise<unknown>
  /** Resolves when it has told `count` lines that begin with `word`, or ended. */
  tells: (word: string, count: number) => Promise<void>
}

/** A process that does jobs, `atOnce` of them. */
function startNode({ arquivo, databaseUrl }: Place, atOnce: number): Node {
  const script = join(import.meta.dirname, 'children.ts')
  const args = [script, 'work', arquivo, String(atOnce), ...(databaseUrl ? [databaseUrl] : [])]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const heard = new Map<string, number>()
  let check = (): void => {}
  createInterface(child.stdout).on('line', (line) => {
    const [word = ''] = line.split(' ')
    heard.set(word, (heard.get(word) ?? 0) + 1)
    check()
  })
  const tells = (word: string, count: number): Promise<void> =>
    new Promise((resolve) => {
      check = () => {
        if ((heard.get(word) ?? 0) >= count) resolve()
      }
      check()
      void ended.then(() => resolve())
    })
  return { child, ended, tells }
}

/**
 * Kills a node that does jobs `kills` times, by turns after a claim, in the middle of a run and before it
 * writes the result, while another node lives. Then nothing may be lost, and nothing written twice.
 */
export async function killNodes(t: TestContext, place: Place, kills: number): Promise<void> {
  const db = await openFor(t, place)
  const jobs = openJobs(db, { now: () => new Date() })
  const living = startNode(place, 2)
  t.after(() => living.child.kill('SIGKILL'))
  await living.tells('ready', 1)
  let asked = 0
  const start = (): Node => {
    const node = startNode(place, 5)
    t.after(() => node.child.kill('SIGKILL'))
    return node
  }
  let next = start()
  for (let kill = 0; kill < kills; kill++) {
    const doomed = next
    // The next node starts, and does jobs, while this one is killed.
    next = start()
    await doomed.tells('ready', 1)
    const reached = doomed.tells(AT[kill % 3] ?? '', 1 + (kill % 7)).then(() => doomed.child.kill('SIGKILL'))
    while (!doomed.child.killed) await jobs.enqueue(contar, { numero: asked++ })
    await reached
    await doomed.ended
    assert.equal(doomed.child.signalCode, 'SIGKILL')
  }
  const open = () => db.kysely.selectFrom('trabalhos').select('id').where('estado', '=', 'aberto').execute()
  while ((await open()).length > 0) await pausa()
  for (const { child, ended } of [living, next]) {
    child.kill('SIGKILL')
    await ended
  }

  const rows = await db.kysely
    .selectFrom('trabalhos')
    .select(['id', 'estado', 'tentativas', 'dados'])
    .execute()
  assert.equal(rows.length, 2 * asked, 'nothing that was asked for is lost, nor what came of it')
  assert.deepEqual([...new Set(rows.map(({ estado }) => estado))], ['feito'])
  const wrote = await db.kysely.selectFrom('nos').select(['id', 'batimento']).execute()
  assert.deepEqual(
    wrote.filter(({ batimento }) => batimento !== 1),
    [],
    'nothing was written twice, nor by a holder that had lost its lease',
  )
  assert.deepEqual(wrote.map(({ id }) => id).sort(), rows.map(({ id }) => id).sort())
  assert.ok(
    rows.some(({ tentativas }) => tentativas > 1),
    'some were taken over from the dead',
  )
}

/** How many calls the child `charge` makes at once. */
const WORKERS = 20
const SECRET = 'um segredo de teste bastante comprido'

/**
 * Runs the child until it has written `count` lines, and kills it in mid-flight. Gives every line that it
 * wrote.
 */
async function killAfter(
  count: number,
  name: 'charge' | 'chargeAlone' | 'answer',
  { arquivo, databaseUrl }: Place,
  argument: string,
): Promise<string[]> {
  const script = join(import.meta.dirname, 'children.ts')
  const child = spawn(
    process.execPath,
    [script, name, arquivo, argument, ...(databaseUrl ? [databaseUrl] : [])],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
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

type Kills = { fresh: Fresh; kills: readonly number[]; name: 'charge' | 'chargeAlone' }

async function killCharges(t: TestContext, { fresh, kills, name }: Kills): Promise<void> {
  const place = await fresh(t)
  const db = await openFor(t, place)
  const conta = await newConta(db, 'enterprise', new Date())
  const answered: string[] = []
  for (const count of kills) answered.push(...(await killAfter(count, name, place, conta.id)))

  const later = new Date(Date.now() + 60_000)
  const ledger = openLedger(db, { no: 'depois', now: () => later })
  await silence(db)
  await ledger.releaseDead()
  const open = await db.kysely.selectFrom('retencoes').selectAll().execute()
  assert.deepEqual(open, [])
  const charges = await db.kysely.selectFrom('lancamentos').selectAll().where('tipo', '=', 'charge').execute()
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
}

/** Declares what outlives a process that is killed after so many answers, by turns. */
export function testKills(fresh: Fresh, kills: readonly number[]): void {
  test('after kill -9 every answered call is charged once and no hold stays open', (t) =>
    killCharges(t, { fresh, kills, name: 'charge' }))
  test('after kill -9 every answered charge of a group of charges alone is made once', (t) =>
    killCharges(t, { fresh, kills, name: 'chargeAlone' }))
  test('after kill -9 no event, answer or query is lost that a call was told to be written down', async (t) => {
    const place = await fresh(t)
    const db = await openFor(t, place)
    const lines = new Set(await killAfter(500, 'answer', place, SECRET))

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
