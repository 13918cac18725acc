import assert from 'node:assert/strict'
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { CompiledQuery } from 'kysely'
import { type Db, openDb } from '../../src/platform/db/db.ts'
import { pausa } from '../kit/basics.ts'
import { forEachDatabase, openFor } from '../kit/databases.ts'

const PAGE = 4_096
const insert = CompiledQuery.raw('insert into sonda (id, enchimento) values (?, ?)')

/** Writes so many rows of so many pages, each in a transaction of its own. */
async function write(db: Db, rows: number, name: string, pages = 1): Promise<void> {
  for (let at = 0; at < rows; at++)
    await db.exclusive((query) => query(insert, [`${name}-${at}`, 'x'.repeat(PAGE * pages)]))
}

/** What the log is called since it began: two numbers of its head, which change when it begins anew. */
const nameOfLog = (arquivo: string): string => readFileSync(`${arquivo}-wal`).toString('hex', 16, 24)

/** How many pages the log has, and how many of them the database. */
function pagesOf(arquivo: string): unknown[] {
  const database = new DatabaseSync(arquivo)
  const row = database.prepare('pragma wal_checkpoint(passive)').get()
  database.close()
  return [row?.log, row?.checkpointed]
}

const countOf = async (db: Db): Promise<number> => {
  const [row] = await db.kysely
    .selectFrom('sonda')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .execute()
  return Number(row?.count)
}

forEachDatabase(
  (_dialect, fresh) => {
    const startOn = async (t: TestContext) => {
      const { arquivo } = await fresh(t)
      return { arquivo, db: await openDb({ arquivo, servidor: true }) }
    }

    test('the log is taken into the database beside the service, and whole at its end', async (t) => {
      const { arquivo, db } = await startOn(t)
      const before = statSync(arquivo).size
      // Fewer pages than a commit would wait for.
      await write(db, 250, 'a')
      for (let at = 0; statSync(arquivo).size < before + 200 * PAGE; at++) {
        await write(db, 1, `depois-${at}`)
        await pausa()
      }
      const count = await countOf(db)
      await db.close()
      assert.ok(!existsSync(`${arquivo}-wal`))
      assert.equal(await countOf(await openFor(t, { arquivo, databaseUrl: undefined })), count)
    })

    test('the log begins anew in the thread, for no commit waits for the disk', async (t) => {
      const { arquivo, db } = await startOn(t)
      t.after(() => db.close())
      const before = statSync(arquivo).size
      await write(db, 150, 'a')
      const name = nameOfLog(arquivo)
      while (statSync(arquivo).size < before + 100 * PAGE) await pausa()
      let whole = 0
      for (let at = 0; whole < 3; at++) {
        const [log, taken] = pagesOf(arquivo)
        if (log === taken) whole += 1
        // Whoever writes now could begin it anew, if nobody read it.
        await write(db, 1, `b-${at}`)
        assert.equal(nameOfLog(arquivo), name)
        if (log === taken) await write(db, 25, `c-${at}`)
        await pausa()
      }
      for (let at = 0; nameOfLog(arquivo) === name; at++) {
        await write(db, 25, `d-${at}`, 4)
        await pausa()
      }
      // Its first transaction has one page, and a row has five.
      const log = readFileSync(`${arquivo}-wal`)
      assert.ok(log.readUInt32BE(32) === 1 && log.readUInt32BE(36) > 0, log.toString('hex', 32, 56))
    })

    test('where the thread cannot open the file, commits take the log in, and nothing is lost', async (t) => {
      const { arquivo, db } = await startOn(t)
      renameSync(arquivo, `${arquivo}-fora`)
      for (let at = 0; at < 50; at++) {
        await write(db, 5, String(at), 20)
        await pausa()
      }
      assert.ok(!existsSync(arquivo), 'no other file was made in its place')
      assert.ok(statSync(`${arquivo}-fora`).size > 3_500 * PAGE)
      assert.ok(statSync(`${arquivo}-wal`).size < 4_500 * PAGE)
      renameSync(`${arquivo}-fora`, arquivo)
      await db.close()
      assert.equal(await countOf(await openFor(t, { arquivo, databaseUrl: undefined })), 250)
    })
  },
  ['sqlite'],
)
