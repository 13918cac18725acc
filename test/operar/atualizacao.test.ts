import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { type Db, openDb } from '../../src/store/db/db.ts'
import { SCHEMA_VERSION } from '../../src/store/db/migrate.ts'
import { BANCO_DO_BRASIL } from '../harness.ts'
import { addressOf } from '../kill.ts'
import { pausa } from '../pausa.ts'
import { type Program, startProgram } from '../program.ts'
import { reservado } from '../reservado.ts'
import { putSample } from '../sample-base.ts'
import { sharedSimulator } from '../simulator.ts'
import { newPostgres } from '../store/databases.ts'
import { assertBooks } from '../store/livros.ts'
import { root } from './dockerfile.ts'
import { ANTERIOR, putAnterior } from './versao-anterior.ts'

const SKIPPED = `the history of git does not reach back to ${ANTERIOR.commit}: a shallow clone`
const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'
const PATHS = [
  `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`,
  '/api/consultar?uf=SP&cnpj=99001002000162',
  // Held, and given back, since the source fails.
  `/api/consultar-cnpj?cnpj=${reservado('html-503')}&force_fresh=1`,
]

/** The settings of a node, with a data folder that is removed with the test. */
async function settingsOf(t: TestContext, DATABASE_URL: string): Promise<Record<string, string>> {
  const pasta = mkdtempSync(join(tmpdir(), 'atualizacao-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  await putSample(join(pasta, 'cnpj'))
  const SIMULATOR_URL = await sharedSimulator()
  return { DATA_DIR: pasta, DATABASE_URL, SERVER_SECRET, SIMULATOR_URL, PORT: '0', LOG_LEVEL: 'info' }
}

/** Starts the program of a tree, and waits until it listens or ended. */
async function startTree(t: TestContext, tree: string, env: Record<string, string>): Promise<Program> {
  const program = startProgram(relative(root, join(tree, 'bin/servidor.js')), [], env.DATA_DIR ?? '', env)
  t.after(() => program.child.kill('SIGKILL'))
  await program.says(/base-cnpj'\n/)
  return program
}

/** Runs the `fiscal` command of a tree and reads its JSON. */
async function fiscalOf(tree: string, env: Record<string, string>, ...args: string[]) {
  const command = [join(tree, 'bin/fiscal.js'), ...args, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    env: { PATH: process.env.PATH, ...env },
  })
  return JSON.parse(stdout)
}

/** Asks the database as it stands, without bringing its schema up to date. */
async function query(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

const schemaOf = async (url: string): Promise<number> =>
  Number((await query(url, 'select max(versao) as versao from esquema'))[0]?.versao)

type Resposta = { status: number; request_id: string; charged: number }

async function askOnce(program: Program, path: string, key: string): Promise<Resposta> {
  const response = await fetch(addressOf(program) + path, { headers: { 'X-API-Key': key } })
  const { request_id } = JSON.parse(await response.text())
  return { status: response.status, request_id, charged: Number(response.headers.get('x-credits-charged')) }
}

/** A client that asks a node question after question, until it is told to stop. */
async function keepAsking(
  program: Program,
  key: string,
  answers: Resposta[],
  rest: { stop: boolean },
): Promise<void> {
  for (let i = 0; !rest.stop; i++) answers.push(await askOnce(program, PATHS[i % PATHS.length] ?? '', key))
}

/** Puts the only entry of an account, its renewal, into a month that is long over. */
async function rewindMonth(url: string, conta: string): Promise<void> {
  const month = "regexp_replace(%, '\\d{4}-\\d\\d$', '2020-01')"
  await query(
    url,
    `update lancamentos set request_id = ${month.replace('%', 'request_id')} where conta_id = '${conta}'`,
  )
  await query(
    url,
    `update saldos set periodo = '2020-01', ultimo_request = ${month.replace('%', 'ultimo_request')}
      where conta_id = '${conta}'`,
  )
}

const until = async (ready: () => boolean): Promise<void> => {
  while (!ready()) await pausa()
}

/** Checks that the books of the accounts and their days of use tell of each answer once. */
async function assertAccounts(db: Db, contas: string[], answers: Resposta[]): Promise<void> {
  for (const id of contas) await assertBooks(db, id)
  const entries = await db.kysely
    .selectFrom('lancamentos')
    .select(['request_id', 'creditos'])
    .where('tipo', '=', 'charge')
    .where('conta_id', 'in', contas)
    .execute()
  const charged = new Map(entries.map(({ request_id, creditos }) => [request_id, creditos]))
  assert.equal(charged.size, answers.filter((one) => one.charged > 0).length)
  for (const one of answers) assert.equal(charged.get(one.request_id) ?? 0, one.charged, one.request_id)
  const { rows } = await sql<{ chamadas: number; creditos: number }>`
    select cast(sum(chamadas) as bigint) as chamadas, cast(sum(creditos) as bigint) as creditos from usos_dia
    where conta_id in (${sql.join(contas)})`.execute(db.kysely)
  const creditos = answers.reduce((sum, one) => sum + one.charged, 0)
  assert.deepEqual(
    rows,
    [{ chamadas: answers.length, creditos }],
    'the days count the calls of both versions',
  )
}

test('nodes are replaced one by one: the version before goes on while the new one migrates and serves', async (t) => {
  const tree = await putAnterior(t)
  if (!tree) return t.skip(SKIPPED)
  const DATABASE_URL = await newPostgres({ schema: false })
  const [velho, novo] = [await settingsOf(t, DATABASE_URL), await settingsOf(t, DATABASE_URL)]
  const old = await startTree(t, tree, velho)
  assert.equal(await schemaOf(DATABASE_URL), ANTERIOR.esquema)
  const contas: { id: string; chave: string }[] = []
  for (const email of [
    'a@exemplo.test',
    'b@exemplo.test',
    'c@exemplo.test',
    'd@exemplo.test',
    'e@exemplo.test',
  ])
    contas.push(
      await fiscalOf(
        tree,
        velho,
        'contas',
        'criar',
        '--nome',
        'A',
        '--email',
        email,
        '--plano',
        'enterprise',
      ),
    )
  const answers: Resposta[] = []
  const rest = { stop: false }
  const clients = contas.slice(0, 2).map(({ chave }) => keepAsking(old, chave, answers, rest))
  await until(() => answers.length >= 60)

  const young = await startTree(t, root, novo)
  assert.match(young.said(), /base-cnpj'\n/)
  assert.equal(await schemaOf(DATABASE_URL), SCHEMA_VERSION)
  const migrated = answers.length
  clients.push(...contas.slice(2, 4).map(({ chave }) => keepAsking(young, chave, answers, rest)))
  // What the version before asks for as a job, whichever node does it.
  const chave = contas[0]?.chave ?? ''
  const certidao = await askOnce(old, '/api/consultar-cnd-federal?cnpj=98765002000176', chave)
  assert.deepEqual([certidao.status, certidao.charged], [200, 1])
  answers.push(certidao)
  // A month that began meanwhile is renewed by whichever version comes first: here by the one before.
  const [parada] = contas.slice(-1)
  assert.ok(parada)
  await rewindMonth(DATABASE_URL, parada.id)
  answers.push(await askOnce(old, PATHS[0] ?? '', parada.chave))
  await until(() => answers.length >= migrated + 200)

  await assert.rejects(fiscalOf(tree, velho, 'contas', 'listar'), ({ stderr }) => {
    assert.match(
      stderr,
      new RegExp(`está na versão ${SCHEMA_VERSION} e este programa só conhece até a ${ANTERIOR.esquema}`),
    )
    return true
  })
  rest.stop = true
  await Promise.all(clients)
  assert.equal(await old.stop(), 0, 'the version before ends as always')
  for (const program of [old, young])
    assert.deepEqual(
      program
        .said()
        .split('\n')
        .filter((line) => /"level":50/.test(line)),
      [],
    )
  // The source that fails is told as such.
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 502]))
  assert.ok(answers.some(({ charged }) => charged === 0) && answers.some(({ charged }) => charged === 1))
  const again = await startTree(t, tree, velho)
  assert.equal(await again.ended, 1)
  assert.match(again.said(), /só conhece até a \d+.*restaure a cópia de segurança anterior à atualização/s)
  assert.equal(await young.stop(), 0)
  const db = await openDb({ databaseUrl: DATABASE_URL, arquivo: '' })
  t.after(() => db.close())
  const renewals = await query(
    DATABASE_URL,
    `select 1 from lancamentos where tipo = 'renewal' and conta_id = '${parada.id}'`,
  )
  assert.equal(renewals.length, 2)
  await assertAccounts(
    db,
    contas.map(({ id }) => id),
    answers,
  )
})

test('on the embedded database an upgrade is a restart, and the copy that was made before it is the way back', async (t) => {
  const tree = await putAnterior(t)
  if (!tree) return t.skip(SKIPPED)
  const env = await settingsOf(t, '')
  const old = await startTree(t, tree, env)
  const key = /fk_\w{38}/.exec(old.said())?.[0] ?? ''
  const ask = async (program: Program): Promise<string | null> => {
    const response = await fetch(addressOf(program) + PATHS[0], { headers: { 'X-API-Key': key } })
    assert.equal(response.status, 200)
    return response.headers.get('x-credits-remaining')
  }
  assert.equal(await ask(old), '9999')
  // The new program copies the database of the one before as it is, before anything is changed.
  const copia = join(env.DATA_DIR ?? '', 'antes.db')
  const made = await fiscalOf(root, env, 'backup', copia)
  assert.equal(made.esquema, ANTERIOR.esquema)
  assert.equal(await ask(old), '9998')
  assert.equal(await old.stop(), 0)

  const young = await startTree(t, root, env)
  assert.equal(await ask(young), '9997', 'nothing is lost')
  assert.equal(await young.stop(), 0)
  const refused = await startTree(t, tree, env)
  assert.equal(await refused.ended, 1)
  assert.match(refused.said(), /só conhece até a \d+/)

  const { antes } = await fiscalOf(root, env, 'restaurar', copia, '--substituir')
  assert.ok(antes.length > 0)
  const back = await startTree(t, tree, env)
  assert.equal(await ask(back), '9998', 'as it stood when the copy was made')
  assert.equal(await back.stop(), 0)
})
