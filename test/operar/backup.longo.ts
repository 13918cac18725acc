import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { revealKey } from '../../src/contas/store-chaves.ts'
import { openDb } from '../../src/platform/db/db.ts'
import { assertBooks } from '../kit/databases.ts'
import { until } from '../kit/deploy.ts'
import { BANCO_DO_BRASIL } from '../kit/house.ts'
import { SENHA } from '../kit/pages.ts'
import { addressOf, askUntilDeath, fiscal, install, send } from '../kit/processes.ts'

test('what is no whole copy of ours is refused, and leaves nothing behind', async (t) => {
  const { pasta, dados, env, banco, open } = await install(t)
  assert.match((await fiscal(env, 'backup', join(pasta, 'a'))).stderr, /Não há banco de dados em .*DATA_DIR/)
  assert.match((await fiscal(env, 'restaurar', join(pasta, 'nada'))).stderr, /Não há o arquivo/)
  await open('ana@exemplo.test')
  const copia = join(pasta, 'copia.db')
  await fiscal(env, 'backup', copia)
  const whole = readFileSync(copia)
  const wrong: [string, Buffer, RegExp][] = [
    [
      'texto',
      Buffer.from('isto não é um banco de dados, e sim um texto qualquer'),
      /não é uma cópia inteira/,
    ],
    ['metade', whole.subarray(0, whole.length / 2), /não é uma cópia inteira/],
    ['vazio', Buffer.alloc(0), /não é uma cópia inteira/],
  ]
  for (const [name, bytes, says] of wrong) {
    writeFileSync(join(pasta, name), bytes)
    const { code, stderr } = await fiscal(env, 'restaurar', join(pasta, name), '--substituir')
    assert.equal(code, 1)
    assert.match(stderr, says)
    assert.ok(existsSync(banco))
    assert.ok(!readdirSync(dados).some((file) => /parcial|antes/.test(file)))
  }
  const newer = new DatabaseSync(copia)
  newer.exec('insert into esquema values (9999)')
  newer.close()
  const { code, stderr } = await fiscal(env, 'restaurar', copia, '--substituir')
  assert.equal(code, 1)
  assert.match(stderr, /está na versão 9999 do banco, e este programa só conhece até a \d+/)
})

test('a copy with anything in its schema that is not of this program is refused, and nothing of it runs', async (t) => {
  const { pasta, dados, env, banco, open } = await install(t)
  await open('ana@exemplo.test')
  const copia = join(pasta, 'copia.db')
  assert.equal((await fiscal(env, 'backup', copia)).code, 0)
  const before = readFileSync(banco)
  const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select i from n'
  const strange: [string, RegExp][] = [
    [
      'create trigger roubo after insert on lancamentos begin update contas set plano = 1; end',
      /gatilho roubo não é deste programa/,
    ],
    ['create view visao as select * from contas', /visão visao não é deste programa/],
    ['create table "bem\nlonge" (a)', /tabela bem longe não é deste programa/],
    ['create index lento on contas (upper(nome))', /índice lento não é deste programa/],
    ['drop trigger usos_contar', /falta gatilho usos_contar/],
    [
      'drop trigger usos_contar; create trigger usos_contar after insert on usos begin select 1; end',
      /gatilho usos_contar está diferente/,
    ],
    ['alter table saldos add column calculada generated always as (1)', /tabela saldos está diferente/],
    [`alter table lancamentos rename to l; create view lancamentos as ${endless}`, /visão lancamentos não é/],
    [`drop table esquema; create view esquema as ${endless}`, /falta a tabela esquema, ou não é a deste/],
    [
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `create table ${name} (a)`).join(';'),
      /e não é deste programa; e mais 2\./,
    ],
  ]
  for (const [at, [statements, says]] of strange.entries()) {
    const other = join(pasta, `outra-${at}.db`)
    copyFileSync(copia, other)
    const database = new DatabaseSync(other)
    database.exec(statements)
    database.close()
    const { code, stderr } = await fiscal(env, 'restaurar', other, '--substituir')
    assert.deepEqual([code, says.test(stderr)], [1, true], `${statements}: ${stderr}`)
    assert.deepEqual(readFileSync(banco), before)
    assert.ok(!readdirSync(dados).some((file) => /parcial|antes/.test(file)))
  }
})

test('a pipe, a device or a folder in the place of a copy or of the secret is refused at once', async (t) => {
  const { pasta, env, open } = await install(t)
  await open('ana@exemplo.test')
  const [copia, cano] = [join(pasta, 'copia.db'), join(pasta, 'cano')]
  assert.equal((await fiscal(env, 'backup', copia)).code, 0)
  await promisify(execFile)('mkfifo', [cano])
  for (const file of [cano, '/dev/zero', pasta])
    for (const files of [[file], [copia, '--segredo', file]]) {
      const { code, stderr } = await fiscal(env, 'restaurar', ...files, '--substituir')
      assert.deepEqual([code, /não é um arquivo comum/.test(stderr)], [1, true], stderr)
    }
})

test('nothing is written over: a copy wants a new name, a restored one an empty place or --substituir', async (t) => {
  const { pasta, env, banco, open } = await install(t)
  await open('ana@exemplo.test')
  const copia = join(pasta, 'copia.db')
  assert.equal((await fiscal(env, 'backup', copia)).code, 0)
  assert.match((await fiscal(env, 'backup', copia)).stderr, /copia\.db já existe/)
  await open('rui@exemplo.test')
  const before = readFileSync(banco)
  const refused = await fiscal(env, 'restaurar', copia)
  assert.deepEqual([refused.code, /Já existe .*--substituir/.test(refused.stderr)], [1, true])
  assert.deepEqual(readFileSync(banco), before)
  const { code, stdout } = await fiscal(env, 'restaurar', copia, '--substituir', '--json')
  assert.equal(code, 0)
  const { contas, antes } = JSON.parse(stdout)
  assert.equal(contas, 1)
  const [kept] = antes
  assert.equal(new DatabaseSync(kept).prepare('select count(*) as n from contas').get()?.n, 2)
})

test('a copy goes back only while no service uses the data folder', async (t) => {
  const { pasta, env, startServer } = await install(t)
  const program = await startServer()
  const copia = join(pasta, 'copia.db')
  assert.equal((await fiscal(env, 'backup', copia)).code, 0)
  const refused = await fiscal(env, 'restaurar', copia, '--substituir')
  assert.deepEqual([refused.code, /já está servindo a pasta/.test(refused.stderr)], [1, true])
  assert.equal(await program.stop(), 0)
})

test('who was logged in when the copy was made enters again after it was restored', async (t) => {
  const { pasta, env, banco, open } = await install(t)
  const { id } = await open('ana@exemplo.test')
  const database = new DatabaseSync(banco)
  database.exec(`insert into acessos values ('a', '${id}', 'painel', 'h', 1, 1, 9e15, '', '');
    insert into codigos (hash, tipo, email, criado_em, expira_em) values ('c', 'convite', 'a@b', 1, 9e15)`)
  database.close()
  const copia = join(pasta, 'copia.db')
  assert.equal((await fiscal(env, 'backup', copia)).code, 0)
  assert.equal((await fiscal(env, 'restaurar', copia, '--substituir')).code, 0)
  const restored = new DatabaseSync(banco)
  for (const table of ['acessos', 'codigos'])
    assert.equal(restored.prepare(`select count(*) as n from ${table}`).get()?.n, 0, table)
  assert.equal(restored.prepare('select count(*) as n from contas').get()?.n, 1)
})

test('a backup of a database that others have added to is made, and says that it would not go back', async (t) => {
  const { pasta, env, banco, open } = await install(t)
  await open('ana@exemplo.test')
  const database = new DatabaseSync(banco)
  database.exec('create index relatorio on lancamentos (tipo)')
  database.close()
  const [texto, json] = [join(pasta, 'a.db'), join(pasta, 'b.db')]
  const told = await fiscal(env, 'backup', texto)
  assert.deepEqual([told.code, /não volta.*índice relatorio não é deste/.test(told.stdout)], [0, true])
  const { stdout } = await fiscal(env, 'backup', json, '--json')
  assert.deepEqual(JSON.parse(stdout).diferencas, ['índice relatorio não é deste programa'])
})

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
