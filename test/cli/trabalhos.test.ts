import assert from 'node:assert/strict'
import { type Mock, type TestContext, test } from 'node:test'
import { Command } from 'commander'
import { sql } from 'kysely'
import { addTrabalhosCommands } from '../../src/cli/trabalhos.ts'
import { openDb } from '../../src/platform/db/db.ts'
import { openJobs } from '../../src/platform/jobs/jobs.ts'
import { NOW, pausa } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'
import { contar, pass } from '../kit/jobs.ts'

const take = { count: 1, leaseMs: 60_000 }
const DAY_MS = 24 * 60 * 60_000

forEachDatabase((dialect, fresh) => {
  /** Runs a command as an operator does, beside an open server. Gives what it wrote. */
  async function setup(t: TestContext) {
    const place = await fresh(t)
    const db = await openFor(t, place)
    const jobs = openJobs(db, { now: () => NOW })
    const log: Mock<typeof console.log> = t.mock.method(console, 'log', () => {})
    const fiscal = async (...args: string[]): Promise<string> => {
      log.mock.resetCalls()
      const program = new Command().exitOverride().configureOutput({ writeErr: () => {} })
      addTrabalhosCommands(program, { open: () => openDb(place).then((db) => ({ db, close: db.close })) })
      for (const command of program.commands.flatMap((group) => [group, ...group.commands]))
        command.exitOverride().configureOutput({ writeErr: () => {} })
      await program.parseAsync(['trabalhos', ...args], { from: 'user' })
      return log.mock.calls.map(({ arguments: [text] }) => String(text)).join('\n')
    }
    const claim = async () => (await jobs.claim(contar, take)).jobs[0] ?? assert.fail('nothing to claim')
    return { db, jobs, fiscal, claim }
  }
  const numbersOf = (text: string): number[] =>
    JSON.parse(text).map(({ dados }: { dados: { numero: number } }) => dados.numero)

  test('an operator sees jobs by state and kind, and why one failed', async (t) => {
    const { jobs, fiscal, claim } = await setup(t)
    for (const numero of [1, 2, 3]) await jobs.enqueue(contar, { numero })
    await jobs.enqueue({ ...contar, kind: 'outro' }, { numero: 4 })
    await jobs.finish(await claim(), { type: 'done', result: { soma: 1 }, keptMs: DAY_MS })
    const dead = await claim()
    await jobs.finish(dead, { type: 'dead', reason: 'a fonte recusou o documento' })
    await claim()
    assert.deepEqual(numbersOf(await fiscal('listar', '--json')).sort(), [1, 2, 3, 4])
    assert.deepEqual(numbersOf(await fiscal('listar', '--json', '--tipo', 'outro')), [4])
    const byState = async (estado: string) => numbersOf(await fiscal('listar', '--estado', estado, '--json'))
    assert.deepEqual(
      [
        await byState('feito'),
        await byState('morto'),
        await byState('executando'),
        await byState('esperando'),
      ],
      [[1], [2], [3], [4]],
    )
    assert.match(await fiscal('listar', '--estado', 'morto'), /contar.*morto.*a fonte recusou o documento/)
    const shown = await fiscal('mostrar', dead.id)
    assert.match(shown, /^Motivo: a fonte recusou o documento$/m)
    assert.match(shown, /^Guardado até: /m)
    assert.deepEqual(JSON.parse(await fiscal('mostrar', dead.id, '--json')).dados, { numero: 2 })
    await assert.rejects(fiscal('listar', '--estado', 'parado'), /Os estados são esperando/)
  })

  test('a dead job is repeated with all its attempts, unless the same work is open again', async (t) => {
    const { jobs, fiscal, claim } = await setup(t)
    const { id } = await jobs.enqueue(contar, { numero: 1 })
    await jobs.finish(await claim(), { type: 'dead', reason: 'falhou' })
    assert.match(await fiscal('repetir', id), /de volta à fila/)
    const again = await claim()
    assert.deepEqual([again.id, again.attempt], [id, 1])
    await assert.rejects(fiscal('repetir', id), /em execução: espere/)
    await jobs.finish(again, { type: 'dead', reason: 'falhou de novo' })
    await jobs.enqueue(contar, { numero: 1 })
    await assert.rejects(fiscal('repetir', id), /já foi pedido de novo/)
    await assert.rejects(fiscal('repetir', 'nenhum'), /Não há trabalho nenhum/)
  })

  test('a job whose holder died, of a kind that no server runs any more, is repeated or discarded', async (t) => {
    const { db, jobs, fiscal, claim } = await setup(t)
    const { id } = await jobs.enqueue(contar, { numero: 1 })
    const dead = await claim()
    await assert.rejects(fiscal('repetir', id), /em execução/)
    await pass(db, take.leaseMs)
    assert.match(await fiscal('repetir', id), /de volta à fila/)
    const done = { type: 'done', result: null, keptMs: DAY_MS } as const
    assert.equal(await jobs.finish(dead, done), false, 'what the dead one writes later is refused')
    assert.equal((await claim()).attempt, 1)
    await pass(db, take.leaseMs)
    assert.match(await fiscal('descartar', id), /descartado/)
  })

  if (dialect === 'postgres')
    test('a job is not repeated while a transaction asks for the same work', async (t) => {
      const { db, jobs, fiscal, claim } = await setup(t)
      const { id } = await jobs.enqueue(contar, { numero: 1 })
      await jobs.finish(await claim(), { type: 'dead', reason: 'falhou' })
      const waiting = async (): Promise<boolean> =>
        (await sql`select 1 from pg_locks where not granted`.execute(db.kysely)).rows.length > 0
      const refused = await db.kysely.transaction().execute(async (on) => {
        await jobs.enqueue(contar, { numero: 1 }, { on })
        const refusal = assert.rejects(fiscal('repetir', id), /já foi pedido de novo/)
        while (!(await waiting())) await pausa()
        return { refusal }
      })
      await refused.refusal
    })

  test('a job that waits is discarded and never done; one that runs is not discarded', async (t) => {
    const { jobs, fiscal, claim } = await setup(t)
    const { id } = await jobs.enqueue(contar, { numero: 1 })
    assert.deepEqual(JSON.parse(await fiscal('descartar', id, '--json')), { id, estado: 'descartado' })
    assert.deepEqual((await jobs.claim(contar, take)).jobs, [])
    await assert.rejects(fiscal('mostrar', id), /Não há trabalho/)
    await jobs.enqueue(contar, { numero: 2 })
    await assert.rejects(fiscal('descartar', (await claim()).id), /em execução/)
  })
})
