import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Kysely, sql } from 'kysely'
import { revealKey } from '../../src/contas/chave.ts'
import { openDb } from '../../src/store/db/db.ts'
import { migrate, SCHEMA_VERSION } from '../../src/store/db/migrate.ts'
import { openSqlite } from '../../src/store/db/sqlite.ts'
import type { Tables } from '../../src/store/db/tables.ts'
import { BANCO_DO_BRASIL } from '../harness.ts'
import { addressOf } from '../kill.ts'
import { assertBooks } from '../store/livros.ts'
import { SENHA } from '../web/visitante.ts'
import { askUntilDeath, install, send, until } from './backup.ts'
import { fiscal } from './fiscal.ts'

test('a copy that is made under load has all that was acknowledged before it, after the machine is lost', async (t) => {
  const { pasta, dados, env, banco, startServer, open } = await install(t)
  const program = await startServer()
  const contas = [await open('ana@exemplo.test'), await open('rui@exemplo.test')]
  const pessoa = { nome: 'Eva', email: 'eva@exemplo.test', senha: SENHA }
  assert.equal((await send(program, '/api/v1/auth/registrar', pessoa)).status, 200)
  const answered: string[] = []
  const clients = contas.map(({ chave }) => askUntilDeath(addressOf(program), chave, answered))
  await until(() => answered.length >= 100)
  const acknowledged = [...answered]
  const [copia, segredo] = [join(pasta, 'copia.db'), join(pasta, 'segredo')]
  const made = await fiscal(env, 'backup', copia, '--segredo', segredo, '--json')
  assert.deepEqual([made.code, made.stderr], [0, ''])
  const during = answered.length
  await until(() => answered.length >= during + 20)
  program.child.kill('SIGKILL')
  await Promise.all(clients)
  await program.ended
  assert.ok(during > acknowledged.length, 'the service answered while the copy was made')
  assert.deepEqual(readdirSync(pasta).toSorted(), ['copia.db', 'dados', 'segredo'], 'one file a copy')
  for (const file of [copia, segredo]) assert.equal(statSync(file).mode & 0o777, 0o600)

  rmSync(dados, { recursive: true })
  const back = await fiscal(env, 'restaurar', copia, '--segredo', segredo, '--json')
  assert.deepEqual([back.code, back.stderr], [0, ''])
  assert.equal(JSON.parse(back.stdout).lancamentos, JSON.parse(made.stdout).lancamentos)
  const db = await openDb({ databaseUrl: undefined, arquivo: banco })
  const charges = await db.kysely
    .selectFrom('lancamentos')
    .select('request_id')
    .where('tipo', '=', 'charge')
    .execute()
  const charged = new Set(charges.map(({ request_id }) => request_id))
  assert.deepEqual(
    acknowledged.filter((id) => !charged.has(id)),
    [],
  )
  const secret = readFileSync(join(dados, 'segredo-do-servidor'), 'utf8').trim()
  for (const { id, chave } of contas) {
    await assertBooks(db, id)
    assert.equal(await revealKey(db, secret, id), chave, 'the secret opens what it sealed')
  }
  await db.close()
  const again = await startServer()
  for (const { chave } of contas) {
    const headers = { 'X-API-Key': chave }
    const { status } = await fetch(`${addressOf(again)}/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, {
      headers,
    })
    assert.equal(status, 200)
  }
  const { access_token } = Object(await (await send(again, '/api/v1/auth/login', pessoa)).json())
  const headers = { authorization: `Bearer ${access_token}` }
  assert.equal((await fetch(`${addressOf(again)}/api/v1/conta`, { headers })).status, 200)
  assert.equal(await again.stop(), 0)
})

test('a copy of an older schema goes back, and so does one with figures of the planner', async (t) => {
  const { pasta, env, banco } = await install(t)
  const copia = join(pasta, 'antiga.db')
  const { dialect } = openSqlite(copia)
  const older = new Kysely<Tables>({ dialect })
  await migrate(older, 'sqlite', SCHEMA_VERSION - 2)
  await sql`analyze`.execute(older)
  await older.destroy()
  const { code, stderr, stdout } = await fiscal(env, 'restaurar', copia, '--json')
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal(JSON.parse(stdout).esquema, SCHEMA_VERSION - 2)
  const db = await openDb({ databaseUrl: undefined, arquivo: banco })
  await db.close()
})

test('on PostgreSQL both commands say what to use instead, without the password', async (t) => {
  const { pasta, env } = await install(t)
  const shared = { ...env, DATABASE_URL: 'postgres://fiscal:segredo-na-url@127.0.0.1:1/banco' }
  for (const command of ['backup', 'restaurar']) {
    const { code, stderr } = await fiscal(shared, command, join(pasta, 'copia'))
    assert.equal(code, 1)
    assert.match(stderr, /pg_dump.*pg_restore/)
    assert.doesNotMatch(stderr, /segredo-na-url/)
  }
})
