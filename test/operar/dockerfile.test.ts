import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { parseConfig } from '../../src/platform/config/config.ts'
import { type Estagio, envOf, readStages, root, wordsOf } from '../kit/deploy.ts'

const KNOWN = [
  'ARG',
  'CMD',
  'COPY',
  'ENV',
  'EXPOSE',
  'FROM',
  'HEALTHCHECK',
  'RUN',
  'STOPSIGNAL',
  'USER',
  'VOLUME',
  'WORKDIR',
]
/** What no image may hold, by the end or the name of a file. */
const SECRET = /\.(?:pfx|p12|pem|key|env|db)$|segredo|\.git$/

/** What is wrong with a Dockerfile. */
function faultsOf(stages: Estagio[]): string[] {
  const last = stages.at(-1)
  const of = (word: string) => (last?.passos ?? []).filter(({ palavra }) => palavra === word)
  const all = stages.flatMap(({ passos }) => passos)
  const ofAll = (word: string) => all.filter(({ palavra }) => palavra === word)
  const user = of('USER').at(-1)?.args[0]
  const check = of('HEALTHCHECK').at(-1)
  return [
    ...all.filter(({ palavra }) => !KNOWN.includes(palavra)).map(({ palavra }) => `unknown line ${palavra}`),
    ...stages
      .filter(({ imagem }) => !/^node:24\.\d+\.\d+-\w+(?:-slim)?(?:@sha256:[0-9a-f]{64})?$/.test(imagem))
      .map(({ imagem }) => `not a whole version of Node 24: ${imagem}`),
    ...(stages.length < 2 ? ['one stage'] : []),
    ...(user === undefined || /^(?:root|0)(?::|$)/.test(user) ? ['runs as root'] : []),
    ...(of('CMD').some((step) => wordsOf(step)) ? [] : ['a shell takes the signals']),
    ...(check && wordsOf(check)?.[0] === 'node' ? [] : ['no check by node itself']),
    ...ofAll('RUN')
      .filter(({ texto }) => /npm (?:i|install)\b|curl|wget|apt-get|--privileged|chmod 777/.test(texto))
      .map(({ texto }) => `not in an image: ${texto}`),
    ...(ofAll('RUN').some(({ texto }) => /^npm ci\b.*--omit=dev\b/.test(texto))
      ? []
      : ['no npm ci --omit=dev']),
    ...ofAll('COPY')
      .filter(({ args }) =>
        args.slice(0, -1).some((from) => from === '.' || from === './' || SECRET.test(from)),
      )
      .map(({ texto }) => `too much is copied: ${texto}`),
    ...ofAll('ENV')
      .filter(({ texto }) => /SECRET|PASSWORD|TOKEN|DATABASE_URL|API_KEY/.test(texto))
      .map(() => 'a secret in the image'),
    ...ofAll('ADD').map(() => 'ADD'),
  ]
}

test('the Dockerfile keeps the rules of an image', () => {
  assert.deepEqual(faultsOf(readStages()), [])
})

test('a Dockerfile that breaks them is found', () => {
  const bad = `FROM node:latest
RUN npm install
COPY . .
COPY a1.pfx /app/
ENV SERVER_SECRET=abc
ADD https://example.com/x /x
HEALTHCHECK CMD curl -f http://localhost/
CMD node bin/servidor.js`
  assert.deepEqual(faultsOf(readStages(bad)), [
    'unknown line ADD',
    'not a whole version of Node 24: node:latest',
    'one stage',
    'runs as root',
    'a shell takes the signals',
    'no check by node itself',
    'not in an image: npm install',
    'no npm ci --omit=dev',
    'too much is copied: . .',
    'too much is copied: a1.pfx /app/',
    'a secret in the image',
    'ADD',
  ])
})

/** The settings that the image makes, read as the service reads them: one that does not exist is refused. */
test('the settings of the image are settings of the service, and the port that it shows is the one it listens on', () => {
  const last = readStages().at(-1)
  assert.ok(last)
  const { NODE_ENV: _production, NODE_COMPILE_CACHE: _cache, ...settings } = envOf(last)
  assert.deepEqual(Object.keys(settings).toSorted(), ['DATA_DIR', 'HOST', 'PORT'])
  const config = parseConfig(settings)
  const exposed = last.passos.find(({ palavra }) => palavra === 'EXPOSE')
  assert.deepEqual(exposed?.args, [String(config.PORT)])
  const volume = last.passos.find(({ palavra }) => palavra === 'VOLUME')
  assert.deepEqual(volume?.args, [config.DATA_DIR])
})

test('the health check says whether the process answers, with Node alone', async () => {
  const check = readStages()
    .at(-1)
    ?.passos.find(({ palavra }) => palavra === 'HEALTHCHECK')
  assert.ok(check)
  const [program = '', ...args] = wordsOf(check) ?? []
  assert.equal(program, 'node')
  let status = 200
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const PORT = String(typeof address === 'object' && address ? address.port : 0)
  const run = () =>
    promisify(execFile)(process.execPath, args, { env: { PORT } }).then(
      () => 0,
      ({ code }) => code,
    )
  assert.equal(await run(), 0)
  status = 503
  assert.equal(await run(), 1)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  assert.equal(await run(), 1)
  assert.deepEqual(asked, ['/health', '/health'])
})

/** Lines of .dockerignore as Docker reads them: `*` stands for dots too, and a folder for all in it. */
const patterns = readFileSync(join(root, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const source = line.replace(/^!/, '').replaceAll('.', '\\.').replaceAll('**/', '(?:.*/)?')
    return {
      out: !line.startsWith('!'),
      fits: new RegExp(`^${source.replaceAll(/(?<!\.)\*/g, '[^/]*')}(?:/|$)`),
    }
  })

/** Whether a file stays out of the build. The last line that fits decides. */
const ignored = (path: string): boolean => patterns.findLast(({ fits }) => fits.test(path))?.out ?? false

test('what the image copies exists and reaches the builder; secrets, data and history do not', () => {
  const copied = readStages()
    .flatMap(({ passos }) => passos)
    .filter(({ palavra }) => palavra === 'COPY')
    .flatMap(({ args }) => args.slice(0, -1).map((one) => one.replace(/\/$/, '')))
    // An absolute path is one of the stage before.
    .filter((path) => !path.startsWith('/'))
  assert.ok(copied.length > 6)
  for (const path of copied) {
    assert.ok(existsSync(join(root, path)), path)
    assert.ok(!ignored(path), path)
  }
  for (const path of [
    '.git',
    '.env',
    'dados/consulta-fiscal.db',
    'segredos/a1.pfx',
    'src/a.pem',
    'node_modules/a',
  ])
    assert.ok(ignored(path), path)
  for (const path of ['clients/typescript/node_modules/a', 'test/kit/house.ts', 'segredos.env'])
    assert.ok(ignored(path), path)
})

test('every folder that the program reads at run time is in the image', () => {
  const copied = readStages().flatMap(({ passos }) => passos.filter(({ palavra }) => palavra === 'COPY'))
  const folders = new Set(
    copied.flatMap(({ args }) => args.slice(0, -1).map((one) => one.split('/')[0] ?? '')),
  )
  const read = globSync('{src,bin,simulator,clients/typescript}/**/*.{ts,js}', { cwd: root })
    .filter((path) => !path.includes('node_modules'))
    .flatMap((path) =>
      [
        ...readFileSync(join(root, path), 'utf8').matchAll(/import\.meta\.dirname, '((?:\.\.\/)+)([^']+)'/g),
      ].flatMap(([, up = '', to = '']) => {
        const depth = path.split('/').length - 1
        return up.length / 3 === depth ? [to.split('/')[0] ?? ''] : []
      }),
    )
  assert.ok(read.includes('data'))
  for (const folder of new Set(read)) assert.ok(folders.has(folder), folder)
})
