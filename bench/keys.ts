/**
 * Issuing a key of an account among many: `node bench/keys.ts [accounts] [rounds]`, on SQLite and
 * PostgreSQL. The time is that of the call, and with it that of whoever else waits for the embedded database.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
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
/** How many keys each account had: one is good, the others have ended. */
const KEYS = 2

/** The numbers from 1 to the last, in a table `n` with a column `i`. */
const numbers = (db: Db, last: number): RawBuilder<unknown> =>
  db.dialect === 'postgres'
    ? sql`n(i) as (select generate_series(1, ${sql.lit(last)}))`
    : sql`n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(last)})`

/** Accounts and keys, of which no text is short because real ones are not. */
async function fill(db: Db): Promise<void> {
  const hex = db.dialect === 'postgres' ? sql`md5(random()::text)` : sql`lower(hex(randomblob(16)))`
  await sql`with recursive ${numbers(db, accounts)}
    insert into contas (id, nome, email, plano, preco_exclusivo, criada_em)
    select 'conta-' || cast(i as text), 'Teste', 'c' || cast(i as text) || '@exemplo.test', 'enterprise', 0, ${0}
    from n`.execute(db.kysely)
  await sql`with recursive ${numbers(db, accounts * KEYS)}
    insert into chaves (id, conta_id, hash, cifrada, criada_em, expira_em)
    select ${hex}, 'conta-' || cast(1 + i % ${sql.lit(accounts)} as text), ${hex} || ${hex}, ${hex} || ${hex} || ${hex},
      ${0}, case when i > ${sql.lit(accounts)} then 1 end
    from n`.execute(db.kysely)
  await (db.dialect === 'postgres' ? sql`vacuum analyze` : sql`analyze`).execute(db.kysely)
}

const folder = mkdtempSync(join(tmpdir(), 'bench-keys-'))
const postgres = await startPostgres()
const databases = {
  SQLite: await openDb({ arquivo: join(folder, 'banco.sqlite') }),
  PostgreSQL: await openDb({ arquivo: '', databaseUrl: await postgres.createDatabase() }),
}
console.log(`${machineLine()}; ${accounts} accounts with ${KEYS} keys each, ${rounds} keys issued`)
for (const [name, db] of Object.entries(databases)) {
  await fill(db)
  const [times, spent]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const [began, cpu] = [performance.now(), process.cpuUsage()]
    await issueKey(db, randomUUID(), `conta-${1 + ((round * 7_919) % accounts)}`, { now: new Date() })
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
