import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { openDb } from '../../src/platform/db/db.ts'
import { pausa } from '../kit/basics.ts'
import { assertBooks } from '../kit/databases.ts'
import { freePort } from '../kit/deploy.ts'
import { BANCO_DO_BRASIL, start } from '../kit/house.ts'

const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'
/** PostgreSQL refuses to run as root. The system has this user everywhere. */
const NOBODY = 65_534
const who = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** Runs a program of PostgreSQL with a folder of its own to stand in. */
type Run = (program: string, ...args: string[]) => Promise<unknown>

/**
 * A PostgreSQL of the system, with its own `pg_dump`: the one that npm brings has none. Undefined where it is
 * not installed.
 */
async function startSystemPostgres(
  t: TestContext,
): Promise<{ run: Run; urlOf: (name: string) => string } | undefined> {
  const [bin] = globSync('/usr/lib/postgresql/*/bin/').filter((folder) =>
    ['initdb', 'pg_ctl', 'postgres', 'pg_dump', 'pg_restore', 'createdb', 'psql'].every(
      (name) => globSync(join(folder, name)).length > 0,
    ),
  )
  if (!bin) return undefined
  const pasta = mkdtempSync(join(tmpdir(), 'pg-dump-'))
  if (who.uid) chownSync(pasta, who.uid, who.gid)
  const port = String(await freePort())
  const run: Run = (program, ...args) =>
    promisify(execFile)(join(bin, program), args, {
      cwd: pasta,
      env: { PGPORT: port, PGHOST: '127.0.0.1' },
      ...who,
    })
  const data = join(pasta, 'dados')
  await run('initdb', '-D', data, '-U', 'fiscal', '--auth=trust', '-E', 'UTF8', '--no-sync')
  const options = `-p ${port} -k ${pasta} -c listen_addresses=127.0.0.1 -c fsync=off`
  await run('pg_ctl', 'start', '-w', '-D', data, '-l', join(pasta, 'log'), '-o', options)
  t.after(async () => {
    await run('pg_ctl', 'stop', '-D', data, '-m', 'immediate')
    rmSync(pasta, { recursive: true, force: true })
  })
  return { run, urlOf: (name) => `postgres://fiscal@127.0.0.1:${port}/${name}` }
}

test('pg_dump under load and pg_restore keep all that was acknowledged (skipped where PostgreSQL is not installed)', async (t) => {
  const postgres = await startSystemPostgres(t)
  if (!postgres) return t.skip('no pg_dump below /usr/lib/postgresql')
  const { run, urlOf } = postgres
  await run('createdb', '-U', 'fiscal', 'fiscal')
  const house = await start({ DATABASE_URL: urlOf('fiscal'), SERVER_SECRET })
  const { conta, key } = await house.open('enterprise')
  const answered: string[] = []
  const rest = { stop: false }
  const client = (async () => {
    while (!rest.stop) {
      const { status, body } = await house.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key })
      assert.equal(status, 200)
      answered.push(String(body.request_id))
    }
  })()
  while (answered.length < 100) await pausa()
  const acknowledged = [...answered]
  const dump = 'fiscal.dump'
  const how = ['--format=custom', '--no-owner', '--no-unlogged-table-data', `--file=${dump}`]
  await run('pg_dump', ...how, urlOf('fiscal'))
  assert.ok(answered.length > acknowledged.length, 'the service answered meanwhile')
  rest.stop = true
  await client
  await house.close()

  await run('createdb', '-U', 'fiscal', 'outro')
  const into = ['--no-owner', '--exit-on-error', '--single-transaction', `--dbname=${urlOf('outro')}`]
  await run('pg_restore', ...into, dump)
  await run('psql', urlOf('outro'), '-c', 'delete from acessos; delete from codigos')
  const db = await openDb({ databaseUrl: urlOf('outro'), arquivo: '' })
  const rows = await db.kysely
    .selectFrom('lancamentos')
    .select('request_id')
    .where('tipo', '=', 'charge')
    .execute()
  const charged = new Set(rows.map(({ request_id }) => request_id))
  assert.deepEqual(
    acknowledged.filter((id) => !charged.has(id)),
    [],
  )
  await assertBooks(db, conta.id)
  await db.close()
  const again = await start({ DATABASE_URL: urlOf('outro'), SERVER_SECRET })
  t.after(again.close)
  assert.equal((await again.ask(`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, { key })).status, 200)
})
