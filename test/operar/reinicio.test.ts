import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ufs } from '../../src/domain/uf.ts'
import { parseEvents } from '../api/todos.ts'
import { BANCO_DO_BRASIL } from '../harness.ts'
import type { Program } from '../program.ts'
import { hasAnswered, twoNodes } from './dois-nos.ts'
import { isInstalled, startCaddy, startHaproxy, startNginx, startProxy } from './proxy.ts'

const CNPJ = `/api/consultar-cnpj?cnpj=${BANCO_DO_BRASIL}`
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

/** Replaces both nodes, one after the other, while clients ask through the proxy at `address`. */
async function replaceBoth(t: TestContext, start: typeof startProxy): Promise<void> {
  const { nos, openAccounts } = await twoNodes(t)
  const running: Program[] = []
  for (const no of nos) running.push(await no.start())
  const address = await start(
    t,
    nos.map(({ port }) => port),
  )
  const keys = await openAccounts(3)
  const rest = { stop: false }
  let answered = 0
  const asking = keys.slice(1).map(async (key) => {
    while (!rest.stop) {
      const response = await fetch(address + CNPJ, { headers: { 'X-API-Key': key } })
      const text = await response.text()
      if (response.status !== 429) assert.equal(response.status, 200, text)
      answered += 1
    }
  })
  const clients = Promise.all(asking)
  // A client that fails ends the test at once, and not at its time limit.
  const until = async (ready: () => boolean) => {
    while (!ready()) await Promise.race([nextTurn(), clients.then(() => assert.fail('the clients ended'))])
  }
  for (const [at, no] of nos.entries()) {
    // Two at once: the proxy takes turns, so that one of them is at the node that stops.
    const streams = [0, 1].map(() => readStream(address, { 'X-API-Key': keys[0] ?? '' }))
    const before = answered
    await until(() => answered > before + 20)
    running[at]?.child.kill('SIGTERM')
    assert.equal(await Promise.race([running[at]?.ended, clients]), 0)
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
  for (const program of running) assert.equal(await program.stop(), 0)
  t.diagnostic(`${answered} answers`)
}

test('two nodes behind a proxy are restarted one after the other without a lost request or a cut stream', (t) =>
  replaceBoth(t, startProxy))

test('so they are behind Caddy with deploy/Caddyfile (skipped where it is not installed)', async (t) => {
  if (!(await isInstalled('caddy', 'version'))) return t.skip('caddy is not installed')
  return replaceBoth(t, startCaddy)
})

test('so they are behind nginx with deploy/nginx.conf (skipped where it is not installed)', async (t) => {
  if (!(await isInstalled('nginx', '-v'))) return t.skip('nginx is not installed')
  return replaceBoth(t, startNginx)
})

test('so they are behind HAProxy with deploy/haproxy.cfg (skipped where it is not installed)', async (t) => {
  if (!(await isInstalled('haproxy', '-v'))) return t.skip('haproxy is not installed')
  return replaceBoth(t, startHaproxy)
})
