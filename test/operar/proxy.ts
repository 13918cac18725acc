import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { root } from './dockerfile.ts'

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

/** Whether Caddy is installed here. */
export const hasCaddy = (): Promise<boolean> =>
  promisify(execFile)('caddy', ['version']).then(
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
    await new Promise(setImmediate)
  }
  return address
}
