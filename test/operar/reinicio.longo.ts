import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ufs } from '../../src/documento/uf.ts'
import { pausa } from '../kit/basics.ts'
import { newPostgres, putSample } from '../kit/databases.ts'
import { freePort, isInstalled, startCaddy, startHaproxy, startNginx, startProxy } from '../kit/deploy.ts'
import { BANCO_DO_BRASIL } from '../kit/house.ts'
import { parseEvents } from '../kit/portal.ts'
import { type Child, fiscal, startChild } from '../kit/processes.ts'
import { sharedSimulator } from '../kit/simulator.ts'

type No = { port: number; start: () => Promise<Child> }

type DoisNos = {
  nos: No[]
  /** Opens accounts of the largest plan, and gives their keys. */
  openAccounts: (count: number) => Promise<string[]>
}

/**
 * Two nodes on one database, each with a port of its own that it has again after a restart. `given`: settings
 * of both, beside those that all have.
 */
async function twoNodes(t: TestContext, given: Record<string, string> = {}): Promise<DoisNos> {
  const env = {
    DATABASE_URL: await newPostgres(),
    SERVER_SECRET: 'segredo-de-teste-com-mais-de-32-letras',
    SIMULATOR_URL: await sharedSimulator(),
    SEFAZ_MONITOR: 'desligado',
    TRUST_PROXY: '1',
    IE_SECONDS: '3',
    ...given,
  }
  const nos: No[] = []
  for (const _ of [1, 2]) {
    const pasta = mkdtempSync(join(tmpdir(), 'dois-nos-'))
    t.after(() => rmSync(pasta, { recursive: true, force: true }))
    await putSample(join(pasta, 'cnpj'))
    const port = await freePort()
    nos.push({
      port,
      start: async () => {
        const settings = { ...env, DATA_DIR: pasta, PORT: String(port) }
        const program = startChild('bin/servidor.js', [], pasta, settings)
        t.after(() => program.child.kill('SIGKILL'))
        await program.says(/base-cnpj'\n/)
        return program
      },
    })
  }
  const openAccount = async (_: unknown, at: number): Promise<string> => {
    const command = [
      'criar',
      '--nome',
      'A',
      '--email',
      `${at}@exemplo.test`,
      '--plano',
      'enterprise',
      '--json',
    ]
    const { stdout } = await fiscal({ ...env, DATA_DIR: tmpdir() }, 'contas', ...command)
    return String(JSON.parse(stdout).chave)
  }
  return { nos, openAccounts: (count) => Promise.all(Array.from({ length: count }, openAccount)) }
}

/** Whether a node has answered a client, by its log. Health checks are no lines of it. */
const hasAnswered = (program: Child): boolean => program.said().includes('/api/consultar-cnpj')

const CNPJ = `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`
const DIAGNOSTICAR = '/api/v1/rejeicoes/diagnosticar'
const TODOS = '/api/consultar-ie-todos?cnpj=99001002000162'

/** The question of all states as a stream, read to its end. Throws if it is cut. */
async function readStream(address: string, headers: Record<string, string>): Promise<void> {
  const asked = { ...headers, accept: 'text/event-stream', 'cache-control': 'no-cache' }
  const response = await fetch(address + TODOS, { headers: asked })
  assert.equal(response.status, 200)
  const events = parseEvents(await response.text())
  const answered = new Set(events.filter(({ event }) => event === 'uf').map(({ id }) => id))
  assert.deepEqual([answered.size, events.at(-1)?.event], [ufs.length, 'resultado'])
}

/** A POST that no node answered: what came instead, and when it was sent, by `performance.now()`. */
type Lost = { what: string; sent: number }

/**
 * Sends what costs nothing and must not be sent twice, until `rest`. Adds to `lost` what no node answered: a
 * node's answer has its id of the request.
 */
async function postUntil(
  rest: { stop: boolean },
  { address, key, lost }: { address: string; key: string; lost: Lost[] },
): Promise<void> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' }
  while (!rest.stop) {
    const sent = performance.now()
    try {
      const response = await fetch(address + DIAGNOSTICAR, { method: 'POST', headers, body: '{}' })
      const text = await response.text()
      if (response.headers.has('x-request-id')) assert.ok([400, 429].includes(response.status), text)
      else lost.push({ what: `HTTP ${response.status}`, sent })
    } catch (error) {
      // HAProxy ends the connection of an HTTP/1.1 client without a word.
      if (!(error instanceof TypeError)) throw error
      lost.push({ what: String(error.cause), sent })
    }
  }
}

/**
 * Replaces both nodes, one after the other, while clients ask through the proxy at `address`; the second
 * is killed instead with `kill -9` where `kills` says so. `cut`: how many questions that were on their way
 * to it the proxy may then lose; `drain`: the DRAIN_SECONDS of both.
 */
async function replaceBoth(
  t: TestContext,
  start: typeof startProxy,
  { kills = false, cut = 0, drain = '0' } = {},
): Promise<void> {
  const { nos, openAccounts } = await twoNodes(t, { DRAIN_SECONDS: drain })
  const running: Child[] = []
  for (const no of nos) running.push(await no.start())
  const address = await start(
    t,
    nos.map(({ port }) => port),
  )
  const keys = await openAccounts(4)
  const rest = { stop: false }
  t.after(() => {
    rest.stop = true
  })
  let answered = 0
  let lostGets = 0
  const asking = keys.slice(2).map(async (key) => {
    while (!rest.stop) {
      try {
        const response = await fetch(address + CNPJ, { headers: { 'X-API-Key': key } })
        const text = await response.text()
        if (response.status !== 429) assert.equal(response.status, 200, text)
        answered += 1
      } catch (error) {
        if (++lostGets > cut) throw error
      }
    }
  })
  // The proxy of this file passes no body on.
  const lost: Lost[] = []
  let gone = 0
  const posting = kills ? postUntil(rest, { address, key: keys[1] ?? '', lost }) : undefined
  const clients = Promise.all(asking)
  // A client that fails ends the test at once, and not at its time limit.
  const until = async (ready: () => boolean) => {
    while (!ready()) await Promise.race([pausa(), clients.then(() => assert.fail('the clients ended'))])
  }
  for (const [at, no] of nos.entries()) {
    const killed = kills && at > 0
    // Two at once: the proxy takes turns, so that one of them is at the node that stops. A killed one cuts
    // them.
    const streams = (killed ? [] : [0, 1]).map(() => readStream(address, { 'X-API-Key': keys[0] ?? '' }))
    const before = answered
    await until(() => answered > before + 20)
    assert.deepEqual({ lostGets, lost }, { lostGets: 0, lost: [] }, 'something was lost without a kill')
    running[at]?.child.kill(killed ? 'SIGKILL' : 'SIGTERM')
    assert.equal(await Promise.race([running[at]?.ended, clients]), killed ? null : 0)
    gone = performance.now()
    await Promise.all(streams)
    const without = answered
    await until(() => answered > without + 20)
    const again = await no.start()
    running[at] = again
    // A proxy that asks for health learns of it in its turn; until then the other node has to stay.
    await until(() => hasAnswered(again))
  }
  const last = answered
  await until(() => answered > last + 20)
  rest.stop = true
  await clients
  // What was on its way to the node that was killed is not sent again. What came after goes to the other.
  await posting
  assert.ok(lost.length <= 2, `${lost.length} POSTs lost`)
  assert.deepEqual(
    lost.filter(({ sent }) => sent > gone),
    [],
  )
  for (const program of running) assert.equal(await program.stop(), 0)
  t.diagnostic(`${answered} answers, ${lostGets} GETs and ${lost.length} POSTs lost`)
}

test('two nodes behind a proxy are restarted one after the other without a lost request or a cut stream', (t) =>
  replaceBoth(t, startProxy))

test('so they are behind Caddy with deploy/Caddyfile (skipped where it is not installed)', async (t) => {
  if (!(await isInstalled('caddy', 'version'))) return t.skip('caddy is not installed')
  return replaceBoth(t, startCaddy)
})

test('behind nginx with deploy/nginx.conf one is restarted and the other killed, and nothing is lost (skipped where it is not installed)', async (t) => {
  if (!(await isInstalled('nginx', '-v'))) return t.skip('nginx is not installed')
  return replaceBoth(t, startNginx, { kills: true })
})

test('behind HAProxy with deploy/haproxy.cfg nothing is lost but what was at the killed node (skipped where it is not installed)', async (t) => {
  if (!(await isInstalled('haproxy', '-v'))) return t.skip('haproxy is not installed')
  return replaceBoth(t, startHaproxy, { kills: true, cut: 2, drain: '3' })
})
