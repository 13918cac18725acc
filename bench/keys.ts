/**
 * Issuing a key of an account among many: `node bench/keys.ts [accounts] [rounds]`, on SQLite and
 * PostgreSQL. The time is that of the call, and with it that of whoever else waits for the embedded database.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../src/platform/db/db.ts'
import { startPostgres } from '../test/kit/postgres.ts'
import { report } from './figures.ts'
import { machineLine, median } from './machine.ts'
import { fromTree } from './tree.ts'

const { issueKey } = await fromTree<typeof import('../src/contas/store-chaves.ts')>(
  'src/contas/store-chaves.ts',
)
const { openDb } = await fromTree<typeof import('../src/platform/db/db.ts')>('src/platform/db/db.ts')

const [accounts = 1_000_000, rounds = 50] = process.argv.slice(2).map(Number)

/** The numbers from 1 to the last, in a table `n` with a column `i`. */
const numbers = (db: Db, last: number): RawBuilder<unknown> =>
  db.dialect === 'postgres'
    ? sql`n(i) as (select generate_series(1, ${sql.lit(last)}))`
    : sql`n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(last)})`

const BASE = 1_000_000_000

/** The text of the number `i` that has so many characters. */
const longText = (size: number): RawBuilder<unknown> =>
  sql`${sql.lit('0'.repeat(size - String(BASE).length))} || cast(${sql.lit(BASE)} + i as text)`

/** Accounts with a key each. Texts are as long as real ones, and come in order, which fills the faster. */
const fill = (db: Db, databaseUrl: string): Promise<void> =>
  runLong(db, databaseUrl, [
    sql`with recursive ${numbers(db, accounts)}
      insert into contas (id, nome, email, plano, preco_exclusivo, criada_em)
      select ${longText(36)}, 'Teste', 'c' || cast(i as text) || '@exemplo.test', 'enterprise', 0, 0 from n`,
    sql`with recursive ${numbers(db, accounts)}
      insert into chaves (id, conta_id, hash, cifrada, criada_em)
      select ${longText(36)}, ${longText(36)}, ${longText(64)}, ${longText(96)}, 0 from n`,
    sql`analyze`,
  ])

/** Runs statements that take longer than the service lets one take on PostgreSQL. */
async function runLong(
  { kysely, dialect }: Db,
  databaseUrl: string,
  statements: readonly RawBuilder<unknown>[],
): Promise<void> {
  if (dialect === 'sqlite') {
    for (const statement of statements) await statement.execute(kysely)
    return
  }
  const client = new pg.Client(databaseUrl)
  await client.connect()
  for (const statement of statements) await client.query(statement.compile(kysely).sql)
  await client.end()
}

const folder = mkdtempSync(join(tmpdir(), 'bench-keys-'))
const postgres = await startPostgres()
const databaseUrl = await postgres.createDatabase()
const databases = {
  SQLite: await openDb({ arquivo: join(folder, 'banco.sqlite') }),
  PostgreSQL: await openDb({ arquivo: '', databaseUrl }),
}
console.log(`${machineLine()}; ${accounts} accounts with a key each, ${rounds} keys issued`)
for (const [name, db] of Object.entries(databases)) {
  await fill(db, databaseUrl)
  const [times, spent]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const [began, cpu] = [performance.now(), process.cpuUsage()]
    await issueKey(db, randomUUID(), String(BASE + 1 + ((round * 7_919) % accounts)).padStart(36, '0'), {
      now: new Date(),
    })
    times.push(performance.now() - began)
    const { user, system } = process.cpuUsage(cpu)
    spent.push((user + system) / 1000)
  }
  report(`${name}: a key issued`, median(times), 'ms')
  report(`${name}: a key issued, slowest`, Math.max(...times), 'ms')
  report(`${name}: a key issued, CPU of the node`, median(spent), 'ms')
  await db.close()
}
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
