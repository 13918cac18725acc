import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../../src/platform/db/db.ts'
import { pausa } from './basics.ts'
import { startServidor } from './cnpj.ts'
import { assertBooks, putSample } from './databases.ts'
import { root } from './deploy.ts'
import { BANCO_DO_BRASIL } from './house.ts'
import { addressOf } from './kill.ts'
import { type Child, fiscal, startChild } from './processes.ts'
import { reservado, sharedSimulator } from './simulator.ts'

/**
 * The version that is in use while the next one is made, and the version of its schema. Whoever releases puts
 * the released commit here.
 */
export const ANTERIOR = { commit: 'b6989c01', esquema: 18 }

const run = promisify(execFile)

/**
 * Puts the program of the version before into a folder that is removed with the test. Undefined where the
 * history of git does not reach back to it, as in a shallow clone.
 */
export async function putAnterior(t: TestContext): Promise<string | undefined> {
  const { commit } = ANTERIOR
  const isKnown = await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).then(
    () => true,
    () => false,
  )
  if (!isKnown) return undefined
  const pasta = mkdtempSync(join(tmpdir(), 'versao-anterior-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  const folders = 'bin src simulator data package.json'
  await run('sh', ['-c', `git archive ${commit} ${folders} | tar -x -C "$0"`, pasta], { cwd: root })
  // It knows no package that the new version lacks: a package that leaves makes this test say so.
  symlinkSync(join(root, 'node_modules'), join(pasta, 'node_modules'))
  return pasta
}

export const SKIPPED = `the history of git does not reach back to ${ANTERIOR.commit}: a shallow clone`
export const SERVER_SECRET = 'segredo-de-teste-com-mais-de-32-letras'
export const PATHS = [
  `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`,
  '/api/consultar?uf=SP&cnpj=99001002000162',
  // Held, and given back, since the source fails.
  `/api/consultar-cnpj?cnpj=${reservado('html-503')}&force_fresh=1`,
]

/** The settings of a node, with a data folder that is removed with the test. */
export async function settingsOf(t: TestContext, DATABASE_URL: string): Promise<Record<string, string>> {
  const pasta = mkdtempSync(join(tmpdir(), 'atualizacao-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  await putSample(join(pasta, 'cnpj'))
  const SIMULATOR_URL = await sharedSimulator()
  return { DATA_DIR: pasta, DATABASE_URL, SERVER_SECRET, SIMULATOR_URL, PORT: '0', LOG_LEVEL: 'info' }
}

/** Starts the program of a tree, and waits until it listens or ended. */
export async function startTree(t: TestContext, tree: string, env: Record<string, string>): Promise<Child> {
  const program = startChild(relative(root, join(tree, 'bin/servidor.js')), [], env.DATA_DIR ?? '', env)
  t.after(() => program.child.kill('SIGKILL'))
  await program.says(/base-cnpj'\n/)
  return program
}

/** Runs the `fiscal` command of a tree and reads its JSON. */
export async function fiscalOf(tree: string, env: Record<string, string>, ...args: string[]) {
  const command = [join(tree, 'bin/fiscal.js'), ...args, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    env: { PATH: process.env.PATH, ...env },
  })
  return JSON.parse(stdout)
}

/** Asks the database as it stands, without bringing its schema up to date. */
export async function query(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}

export const schemaOf = async (url: string): Promise<number> =>
  Number((await query(url, 'select max(versao) as versao from esquema'))[0]?.versao)

export type Resposta = { status: number; request_id: string; charged: number }

export async function askOnce(program: Child, path: string, key: string): Promise<Resposta> {
  const response = await fetch(addressOf(program) + path, { headers: { 'X-API-Key': key } })
  const { request_id } = JSON.parse(await response.text())
  return { status: response.status, request_id, charged: Number(response.headers.get('x-credits-charged')) }
}

/** A client that asks a node question after question, until it is told to stop. */
export async function keepAsking(
  program: Child,
  key: string,
  answers: Resposta[],
  rest: { stop: boolean },
): Promise<void> {
  for (let i = 0; !rest.stop; i++) answers.push(await askOnce(program, PATHS[i % PATHS.length] ?? '', key))
}

/** Puts the only entry of an account, its renewal, into a month that is long over. */
export async function rewindMonth(url: string, conta: string): Promise<void> {
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

export const until = async (ready: () => boolean): Promise<void> => {
  while (!ready()) await pausa()
}

/** Checks that the books of the accounts and their days of use tell of each answer once. */
export async function assertAccounts(db: Db, contas: string[], answers: Resposta[]): Promise<void> {
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

/** An installation on the embedded database, in a folder that is lost with the test. */
export async function install(t: TestContext) {
  const pasta = mkdtempSync(join(tmpdir(), 'backup-'))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  const dados = join(pasta, 'dados')
  const env = {
    DATA_DIR: dados,
    PORT: '0',
    LOG_LEVEL: 'silent',
    SEFAZ_MONITOR: 'desligado',
    SIMULATOR_URL: await sharedSimulator(),
  }
  const startServer = async (): Promise<Child> => {
    await putSample(join(dados, 'cnpj'))
    const program = startChild('bin/servidor.js', [], pasta, env)
    t.after(() => program.child.kill('SIGKILL'))
    await program.says(/base-cnpj'\n/)
    return program
  }
  const open = async (email: string): Promise<{ id: string; chave: string }> => {
    const made = await fiscal(
      env,
      'contas',
      'criar',
      '--nome',
      'A',
      '--email',
      email,
      '--plano',
      'enterprise',
      '--json',
    )
    assert.equal(made.code, 0, made.stderr)
    return JSON.parse(made.stdout)
  }
  return { pasta, dados, env, banco: join(dados, 'consulta-fiscal.db'), startServer, open }
}

/** Asks without pause until the server dies. Notes the ids of the answers that came whole. */
export async function askUntilDeath(address: string, chave: string, answered: string[]): Promise<void> {
  for (;;) {
    try {
      const url = `${address}/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`
      const response = await fetch(url, { headers: { 'X-API-Key': chave } })
      const { request_id } = JSON.parse(await response.text())
      if (response.status !== 200) throw new Error(`HTTP ${response.status}`)
      answered.push(request_id)
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) return
      throw error
    }
  }
}

export const send = (program: Child, path: string, body: object): Promise<Response> =>
  fetch(addressOf(program) + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

export type Fim = { code: number | null; said: string }

/** The Receita Federal's share with a month, and an empty data folder. */
export async function setup(t: TestContext) {
  const pasta = mkdtempSync(join(tmpdir(), 'base-do-mes-'))
  const servidor = await startServidor()
  t.after(async () => {
    await servidor.close()
    rmSync(pasta, { recursive: true, force: true })
  })
  const env = {
    DATA_DIR: join(pasta, 'dados'),
    CNPJ_WEBDAV_URL: servidor.url,
    CNPJ_WEBDAV_TOKEN: servidor.token,
  }
  /** Runs the script; `meanwhile` may stop it, as systemd does it. */
  const run = (meanwhile: (kill: () => void) => void = () => {}): Promise<Fim> =>
    new Promise((resolve) => {
      const child = spawn('sh', [join(root, 'deploy/base-do-mes.sh'), '--amostra'], {
        cwd: pasta,
        detached: true,
        env: { PATH: process.env.PATH, NODE: process.execPath, ...env },
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          said += chunk
        })
      child.once('close', (code) => resolve({ code, said }))
      meanwhile(() => process.kill(-(child.pid ?? 0), 'SIGTERM'))
    })
  const versoes = async () => {
    const { stdout } = await fiscal(env, 'cnpj', 'versoes', '--json')
    const lines = stdout.split('\n').filter(Boolean)
    return lines.map((line) => JSON.parse(line)).map(({ pasta, ativa }) => `${pasta}${ativa ? ' *' : ''}`)
  }
  return { pasta, servidor, zips: join(env.DATA_DIR, 'cnpj/zips'), run, versoes }
}
