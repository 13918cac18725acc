import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { DockerfileParser } from 'dockerfile-ast'
import { sql } from 'kysely'
import pg from 'pg'
import { createCadeia, createServidores, NOSSOS_NOMES } from '../../simulator/platform/icp/cadeia.ts'
import type { Db } from '../../src/platform/db/db.ts'
import { NOW, pausa } from './basics.ts'
import { assertBooks, putSample } from './databases.ts'
import { BANCO_DO_BRASIL } from './house.ts'
import { addressOf, type Child, startChild } from './processes.ts'
import { reservado, sharedSimulator } from './simulator.ts'

export const root = join(import.meta.dirname, '../..')

/** One line of a Dockerfile: what stands after the word, without flags and with them. */
export type Passo = { palavra: string; args: string[]; texto: string }
export type Estagio = { nome: string; imagem: string; passos: Passo[] }

/** The stages of the Dockerfile with their lines. The image is the one that it names by default. */
export function readStages(text: string = readFileSync(join(root, 'Dockerfile'), 'utf8')): Estagio[] {
  const stages: Estagio[] = []
  const given = new Map<string, string>()
  for (const line of DockerfileParser.parse(text).getInstructions()) {
    const palavra = line.getKeyword()
    const args = line.getArguments().map((one) => one.getValue())
    if (palavra === 'FROM') {
      const [imagem = '', , nome = ''] = args
      const filled = imagem.replace(/^\$\{(\w+)\}$/, (_, name) => given.get(name) ?? '')
      stages.push({ nome, imagem: filled, passos: [] })
    } else if (palavra === 'ARG' && stages.length === 0) {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(args[0] ?? '') ?? []
      given.set(name, value)
    } else stages.at(-1)?.passos.push({ palavra, args, texto: line.getRawArgumentsContent() ?? '' })
  }
  return stages
}

/** The words of a line in JSON form, which no shell reads. Undefined of one in shell form. */
export function wordsOf({ texto }: Passo): string[] | undefined {
  const [list] = /\[.*\]$/s.exec(texto.trim()) ?? []
  return list && JSON.parse(list)
}

/** The variables that a stage sets. */
export const envOf = ({ passos }: Estagio): Record<string, string> =>
  Object.fromEntries(
    passos
      .filter(({ palavra }) => palavra === 'ENV')
      .flatMap(({ args }) =>
        args.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
      ),
  )

/** The headings of a page as a link names them: lower case, blanks as hyphens, no other signs. */
export const anchorsOf = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createSocketServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

/**
 * A proxy that does what `deploy/Caddyfile` asks of one: turns among the nodes, the next node where one does
 * not take the connection, and a body that goes out as it comes in. Gives its address.
 */
export async function startProxy(t: TestContext, ports: readonly number[]): Promise<string> {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse, tries: number): void => {
    const port = ports[turn++ % ports.length]
    const asked = request({
      port,
      agent,
      host: '127.0.0.1',
      path: incoming.url,
      method: incoming.method,
      headers: { ...incoming.headers, 'x-forwarded-for': '203.0.113.7' },
    })
    asked.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    asked.on('error', () => {
      // No byte has gone out, and a GET may be asked again.
      if (outgoing.headersSent || tries === 0) return void outgoing.destroy()
      setTimeout(() => pass(incoming, outgoing, tries - 1), 20)
    })
    asked.end()
  }
  const server = createServer((incoming, outgoing) => pass(incoming, outgoing, 100))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
    agent.destroy()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

/** Whether a program is installed here, by whether it tells its version. */
export const isInstalled = (program: string, version: string): Promise<boolean> =>
  promisify(execFile)(program, [version]).then(
    () => true,
    () => false,
  )

/** Starts Caddy with `deploy/Caddyfile` before the nodes, and gives its address. */
export async function startCaddy(t: TestContext, ports: readonly number[]): Promise<string> {
  const address = `http://127.0.0.1:${await freePort()}`
  const HOME = mkdtempSync(join(tmpdir(), 'caddy-'))
  const caddy = spawn(
    'caddy',
    ['run', '--config', join(root, 'deploy/Caddyfile'), '--adapter', 'caddyfile'],
    {
      env: {
        PATH: process.env.PATH,
        HOME,
        CADDY_ADMIN: `127.0.0.1:${await freePort()}`,
        ENDERECO: address,
        NOS: ports.map((port) => `127.0.0.1:${port}`).join(' '),
      },
    },
  )
  let said = ''
  caddy.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = new Promise((resolve) => caddy.once('close', resolve))
  t.after(async () => {
    caddy.kill('SIGKILL')
    await ended
    rmSync(HOME, { recursive: true, force: true })
  })
  while (!said.includes('serving initial configuration')) {
    if (caddy.exitCode !== null) throw new Error(said)
    await pausa()
  }
  return address
}

/** Puts other words in the place of those of a file; each must stand in it. */
function rewrite(text: string, changes: readonly (readonly [RegExp, string])[]): string {
  return changes.reduce((before, [what, by]) => {
    if (!what.test(before)) throw new Error(`the file has no ${what}`)
    return before.replaceAll(what, by)
  }, text)
}

/**
 * A folder that is lost with the test, with a certificate and its key in it as `fiscal.pem` and
 * `fiscal.key`.
 */
async function newFolder(t: TestContext, name: string): Promise<string> {
  const pasta = mkdtempSync(join(tmpdir(), `${name}-`))
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  const cadeia = await createCadeia(NOSSOS_NOMES, new Date(NOW.getTime() + 365 * 86_400_000))
  const { key, cert } = createServidores(cadeia, () => NOW)('fiscal.exemplo.com.br')
  writeFileSync(join(pasta, 'fiscal.key'), key)
  writeFileSync(join(pasta, 'fiscal.pem'), `${cert}\n${key}`)
  return pasta
}

const PRONTO_MS = 20

/** Starts a program that listens on `port`, and waits until it does. It ends with the test. */
async function startListener(t: TestContext, command: string[], port: number): Promise<void> {
  const [file = '', ...args] = command
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  const ended = new Promise((resolve) => child.once('close', resolve))
  t.after(async () => {
    child.kill('SIGTERM')
    await ended
  })
  while (!(await takesConnections(port))) {
    if (child.exitCode !== null) throw new Error(said)
    await new Promise((resolve) => setTimeout(resolve, PRONTO_MS))
  }
}

const takesConnections = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => socket.destroy() && resolve(true))
    socket.once('error', () => resolve(false))
  })

type Arquivo = { arquivo: string; port: number }

/**
 * Writes deploy/nginx.conf as nginx reads it here: the nodes, the folders and the ports are ours, all else is
 * as it stands. Gives the file, and the port whose requests go to the nodes; without TLS unless `tls`.
 */
export async function writeNginx(
  t: TestContext,
  ports: readonly number[],
  { tls = false } = {},
): Promise<Arquivo> {
  const pasta = await newFolder(t, 'nginx')
  const port = await freePort()
  const site = rewrite(readFileSync(join(root, 'deploy/nginx.conf'), 'utf8'), [
    [/server no1:8080/g, `server 127.0.0.1:${ports[0]}`],
    [/server no2:8080/g, `server 127.0.0.1:${ports[1]}`],
    [/listen 443 ssl/g, `listen 127.0.0.1:${port}${tls ? ' ssl' : ''}`],
    [/listen 80;/g, `listen 127.0.0.1:${await freePort()};`],
    [/\/etc\/nginx\//g, `${pasta}/`],
    [/\/var\/log\/nginx\//g, `${pasta}/`],
  ])
  writeFileSync(join(pasta, 'site.conf'), tls ? site : site.replace(' http2;', ';'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(pasta, kind)};`,
  )
  const arquivo = join(pasta, 'nginx.conf')
  writeFileSync(
    arquivo,
    `daemon off; pid ${join(pasta, 'pid')}; error_log stderr crit;
events {} http { ${temporary.join(' ')} include ${join(pasta, 'site.conf')}; }`,
  )
  return { arquivo, port }
}

/** Starts nginx with `deploy/nginx.conf` before the nodes, and gives its address. */
export async function startNginx(t: TestContext, ports: readonly number[]): Promise<string> {
  const { arquivo, port } = await writeNginx(t, ports)
  await startListener(t, ['nginx', '-e', 'stderr', '-c', arquivo], port)
  return `http://127.0.0.1:${port}`
}

/** Writes deploy/haproxy.cfg for these nodes, as `writeNginx` does for its file. */
export async function writeHaproxy(
  t: TestContext,
  ports: readonly number[],
  { tls = false } = {},
): Promise<Arquivo> {
  const pasta = await newFolder(t, 'haproxy')
  const port = await freePort()
  const arquivo = join(pasta, 'haproxy.cfg')
  const text = rewrite(readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8'), [
    [/ no1:8080/g, ` 127.0.0.1:${ports[0]}`],
    [/ no2:8080/g, ` 127.0.0.1:${ports[1]}`],
    [
      /bind :443 ssl crt \S+ alpn \S+/g,
      tls ? `bind 127.0.0.1:${port} ssl crt ${pasta}/fiscal.pem` : `bind 127.0.0.1:${port}`,
    ],
    [/bind :80\n/g, `bind 127.0.0.1:${await freePort()}\n`],
    [/unless \{ ssl_fc \}/g, `unless { dst_port ${port} }`],
  ])
  writeFileSync(arquivo, text)
  return { arquivo, port }
}

/** Starts HAProxy with `deploy/haproxy.cfg` before the nodes, and gives its address. */
export async function startHaproxy(t: TestContext, ports: readonly number[]): Promise<string> {
  const { arquivo, port } = await writeHaproxy(t, ports)
  await startListener(t, ['haproxy', '-db', '-f', arquivo], port)
  return `http://127.0.0.1:${port}`
}

/**
 * The version that is in use while the next one is made, and the version of its schema. Whoever releases puts
 * the released commit here.
 */
export const ANTERIOR = { commit: 'b6989c01', esquema: 18 }

export const run = promisify(execFile)

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
