import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { openJobs } from '../../src/platform/jobs/jobs.ts'
import { openFor, type Place } from './databases.ts'
import { contar } from './jobs.ts'
import { pausa } from './pausa.ts'

const AT = ['claim', 'middle', 'finish'] as const

type Node = {
  child: ChildProcess
  ended: Promise<unknown>
  /** Resolves when it has told `count` lines that begin with `word`, or ended. */
  tells: (word: string, count: number) => Promise<void>
}

/** A process that does jobs, `atOnce` of them. */
function startNode({ arquivo, databaseUrl }: Place, atOnce: number): Node {
  const script = join(import.meta.dirname, 'trabalhar-filho.ts')
  const args = [script, arquivo, String(atOnce), ...(databaseUrl ? [databaseUrl] : [])]
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
