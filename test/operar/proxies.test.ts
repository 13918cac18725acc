import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { settings } from '../../src/platform/config/settings.ts'
import {
  freePort,
  isInstalled,
  root,
  startHaproxy,
  startNginx,
  writeHaproxy,
  writeNginx,
} from '../kit/deploy.ts'

const proxies = [
  {
    name: 'nginx',
    version: '-v',
    start: startNginx,
    write: writeNginx,
    check: (arquivo: string) => ['-t', '-e', 'stderr', '-c', arquivo],
    says: /syntax is ok/,
  },
  {
    name: 'haproxy',
    version: '-v',
    start: startHaproxy,
    write: writeHaproxy,
    check: (arquivo: string) => ['-c', '-f', arquivo],
    says: /Configuration file is valid/,
  },
]

type No = { port: number; got: string[]; headers: IncomingMessage['headers'][] }

/** A node in name: it notes what reaches it, says that it is ready, and answers by `answer`. */
async function listen(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<No> {
  const no: No = { port: 0, got: [], headers: [] }
  const server = createServer((request, response) => {
    if (request.url === '/ready' && request.headers['x-forwarded-for'] === undefined) return response.end()
    no.got.push(`${request.method} ${request.url}`)
    no.headers.push(request.headers)
    request.resume()
    request.once('end', () => answer(request, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  no.port = typeof address === 'object' && address ? address.port : 0
  return no
}

const dies = (request: IncomingMessage): void => void request.socket.destroy()
const says200 = (_request: IncomingMessage, response: ServerResponse): void => void response.end('respondido')

/** The first line of the answer to a request whose path no client library would send as it is. */
function statusOf(address: string, path: string): Promise<string> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.once('data', (chunk) => {
      socket.destroy()
      resolve(String(chunk).split('\r\n')[0] ?? '')
    })
    socket.once('error', reject)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: fiscal.exemplo.com.br\r\n\r\n`)
  })
}

/** Posts a small body on a connection of its own, and gives the status. */
const post = (address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request(`${address}/api/consultar-nfe-xml`, { method: 'POST', agent: false })
    asked.once('response', (response) => resolve(response.resume().statusCode ?? 0))
    asked.once('error', reject)
    asked.end('a')
  })

for (const { name, version, start, write, check, says } of proxies)
  describe(`${name} with the file of deploy/ (skipped where it is not installed)`, async () => {
    const absent = (await isInstalled(name, version)) ? false : `${name} is not installed`

    test('takes the file as it is, with TLS', { skip: absent }, async (t) => {
      const { arquivo } = await write(t, [1, 2], { tls: true })
      const { stdout, stderr } = await promisify(execFile)(name, check(arquivo))
      assert.match(stdout + stderr, says)
    })

    test('asks the other node for a GET that got no byte', { skip: absent }, async (t) => {
      const [one, other] = [await listen(t, dies), await listen(t, says200)]
      const address = await start(t, [one.port, other.port])
      for (let n = 0; n < 4; n++) assert.equal(await (await fetch(`${address}/api/x`)).text(), 'respondido')
      assert.ok(one.got.length > 0 && other.got.length === 4)
    })

    test('sends a POST that reached a node no second time', { skip: absent }, async (t) => {
      const nodes = [await listen(t, dies), await listen(t, dies)]
      const address = await start(
        t,
        nodes.map(({ port }) => port),
      )
      for (let n = 1; n <= 4; n++) {
        assert.equal(await post(address), 502)
        assert.equal(nodes.flatMap(({ got }) => got).length, n)
      }
    })

    test('sends a POST whose connection was refused to the other node', { skip: absent }, async (t) => {
      const other = await listen(t, says200)
      const address = await start(t, [await freePort(), other.port])
      for (let n = 0; n < 4; n++) assert.equal(await post(address), 200)
      assert.equal(other.got.length, 4)
    })

    test('writes the address of the client anew, and keeps what tells of the business inside', {
      skip: absent,
    }, async (t) => {
      const nodes = [await listen(t, says200), await listen(t, says200)]
      const address = await start(
        t,
        nodes.map(({ port }) => port),
      )
      const forged = { 'X-Forwarded-For': '203.0.113.7', 'X-Forwarded-Host': 'outro.exemplo.test' }
      await fetch(`${address}/api/x`, { headers: forged })
      const [headers] = nodes.flatMap((node) => node.headers)
      assert.equal(headers?.['x-forwarded-for'], '127.0.0.1')
      assert.equal(headers?.['x-forwarded-host'], new URL(address).host)
      // All that a node would take for one of them.
      for (const path of ['/ready', '/ready?a', '/ready#a', '/%72eady', '/re%61dy', '/metrics', '/metrics#a'])
        assert.match(await statusOf(address, path), / (404|400) /, path)
      assert.deepEqual(
        nodes.flatMap(({ got }) => got),
        ['GET /api/x'],
      )
    })

    test('passes an event on before the answer ends', { skip: absent }, async (t) => {
      const held: ServerResponse[] = []
      const streams = (_request: IncomingMessage, response: ServerResponse): void => {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
        response.write('data: 1\n\n')
        held.push(response)
      }
      const nodes = [await listen(t, streams), await listen(t, streams)]
      const address = await start(
        t,
        nodes.map(({ port }) => port),
      )
      const { body } = await fetch(`${address}/sefaz/eventos`)
      const reader = body?.getReader()
      assert.equal(new TextDecoder().decode((await reader?.read())?.value), 'data: 1\n\n')
      assert.equal(held.length, 1)
      await reader?.cancel()
    })

    test('lets a body through that the service itself refuses, with its own words', {
      skip: absent,
    }, async (t) => {
      const node = await listen(t, says200)
      const address = await start(t, [node.port, node.port])
      const body = Buffer.alloc(1024 * 1024 + 1, 97)
      assert.equal((await fetch(`${address}/api/x`, { method: 'POST', body })).status, 200)
    })
  })

const nginx = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')
const haproxy = readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8')
const secondsIn = (text: string, what: RegExp): number => Number(what.exec(text)?.[1])

test('both wait for an answer longer than the longest call lasts', () => {
  const longest = Object.entries(settings)
    .filter(([name]) => name.endsWith('_SECONDS') && !['SHUTDOWN_SECONDS', 'SEFAZ_SECONDS'].includes(name))
    .map(([, setting]) => Number(/de \d+ a (\d+)/.exec(setting.shape)?.[1]))
  assert.ok(longest.length > 5 && longest.every((one) => one > 0))
  for (const seconds of [
    secondsIn(nginx, /proxy_read_timeout (\d+)s;/),
    secondsIn(haproxy, /timeout server (\d+)s/),
    secondsIn(haproxy, /timeout client (\d+)s/),
  ])
    assert.ok(seconds > Math.max(...longest))
})

test('nginx ends an idle connection before a node does, gives no node up, and writes nothing to the disk', () => {
  const app = readFileSync(join(root, 'src/app.ts'), 'utf8')
  const keptMs = Number(/keepAliveTimeout: ([\d_]+)/.exec(app)?.[1]?.replaceAll('_', ''))
  assert.ok(secondsIn(nginx, /keepalive_timeout (\d+)s;/) * 1_000 < keptMs)
  const nodes = [...nginx.matchAll(/^\s+server no\d:8080(.*);$/gm)].map(([, words]) => words)
  assert.deepEqual(nodes, Array(4).fill(' max_fails=0'))
  assert.equal(
    /client_max_body_size\s+(\w+);/.exec(nginx)?.[1],
    /client_body_buffer_size\s+(\w+);/.exec(nginx)?.[1],
  )
  assert.match(nginx, /proxy_max_temp_file_size 0;/)
})

test('neither writes a query, which names a holder, into its log', () => {
  const formats = [/^log_format \w+ '(.*)';$/m.exec(nginx)?.[1], /^\tlog-format "(.*)"$/m.exec(haproxy)?.[1]]
  for (const format of formats)
    assert.doesNotMatch(
      format ?? '$request',
      /\$(?:request|request_uri|args|query_string)\b|%HU|%HQ|%r\b|%\{\+Q\}r/,
    )
  assert.match(nginx, /error_log\s+\S+ crit;/)
})
