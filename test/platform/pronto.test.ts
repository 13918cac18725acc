import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { ping } from '../../src/platform/db/queries.ts'
import type { Tables } from '../../src/platform/db/tables.ts'
import { pausa } from '../kit/basics.ts'
import { forEachDatabase, openFor, type Place } from '../kit/databases.ts'
import { BANCO_DO_BRASIL, type House, start } from '../kit/house.ts'

const PATH = `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`
const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'

forEachDatabase((dialect, fresh) => {
  /** How to let no commit through, and how to let commits through again. */
  type Disk = { fill: () => Promise<unknown>; free: () => Promise<unknown> }

  /** The database may not grow by a page any more. */
  const filled = ({ rooms }: House): Disk => {
    const limit = (pages: number) =>
      sql.raw(`pragma max_page_count = ${pages}`).execute(rooms.platform.db.kysely)
    // SQLite raises a limit that is below the present size to that size.
    return { fill: () => limit(1), free: () => limit(1_000_000) }
  }

  /** The server takes no write, like one that was made a standby, or one that shields a full disk. */
  const readOnly = (admin: Kysely<Tables>, { databaseUrl = '' }: Place): Disk => {
    const name = new URL(databaseUrl).pathname.slice(1)
    const turn = async (words: string): Promise<void> => {
      await sql.raw(`alter database ${name} ${words}`).execute(admin)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = ${name} and application_name = 'consulta-fiscal' and pid <> pg_backend_pid()`.execute(
        admin,
      )
    }
    return {
      fill: () => turn('set default_transaction_read_only = on'),
      free: () => turn('reset default_transaction_read_only'),
    }
  }

  test('readiness fails while commits fail, and comes back by itself when they go through', async (t) => {
    const place = await fresh(t)
    const { databaseUrl: DATABASE_URL } = place
    const house = await start(DATABASE_URL ? { DATABASE_URL, SERVER_SECRET } : {})
    t.after(() => house.close())
    const disk = dialect === 'sqlite' ? filled(house) : readOnly((await openFor(t, place)).kysely, place)
    const { key } = await house.open('enterprise')
    const ready = () => house.ask('/ready', { key: null })
    assert.equal((await ready()).status, 200)
    await disk.fill()
    // Writes until the rest of the last page is used up, and until the last broken connection has failed.
    const refused = async (): Promise<boolean> => {
      const { status } = await house.ask(PATH, { key })
      return status === 503 && (await ping(house.rooms.platform.db)) && (await ready()).status === 503
    }
    while (!(await refused())) await pausa()
    for (let n = 0; n < 3; n++) {
      const { status, body } = await ready()
      assert.deepEqual([status, body.status, body.banco], [503, 'indisponivel', false])
      assert.ok(await ping(house.rooms.platform.db), 'it answers all the same')
    }
    assert.equal((await house.ask('/health', { key: null })).status, 200)
    await disk.free()
    while ((await ready()).status !== 200) await pausa()
    const { status, headers } = await house.ask(PATH, { key })
    assert.deepEqual([status, headers.get('x-credits-charged')], [200, '1'])
  })
  if (dialect === 'postgres')
    test('a session of SIGEF that cannot be read is told as unknown, and hides nothing else', async (t) => {
      const place = await fresh(t)
      const { databaseUrl: DATABASE_URL = '' } = place
      const house = await start({ DATABASE_URL, SERVER_SECRET })
      t.after(() => house.close())
      const ready = async () => {
        const { status, body } = await house.ask('/ready', { key: null })
        return [status, Object(body.sigef).sessao]
      }
      const admin = (await openFor(t, place)).kysely
      await admin.transaction().execute(async (on) => {
        await sql`lock table sessoes in access exclusive mode`.execute(on)
        // More than the service has connections.
        const told = await Promise.all(Array.from({ length: 40 }, ready))
        for (const one of told) assert.deepEqual(one, [200, 'desconhecida'])
        const { status } = await house.ask(PATH)
        assert.equal(status, 200)
      })
      while ((await ready())[1] !== 'simulador') await pausa()
    })
})
