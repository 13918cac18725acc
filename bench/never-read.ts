/**
 * Measures the memory of the service while clients ask for the largest file and never read it, and after they
 * were dropped: `node bench/never-read.ts [connections] [seconds until all are dropped]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { machineLine } from './machine.ts'
import { startTarget, stopTarget, usageOf } from './target.ts'

const [connections = 120, seconds = 80] = process.argv.slice(2).map(Number)
const PATH = '/openapi.json'
/** This is long enough for the service to make and hand over as much as it will. */
const SETTLED_MS = 10_000

/** A client that asks, says which coding it accepts, and reads nothing. */
function ask(port: number, coding: string): Socket {
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => {})
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: ${coding}\r\n\r\n`)
  return socket
}

/** Whether the other end is gone. If it is, it answers a write with a reset. */
async function isDropped(socket: Socket): Promise<boolean> {
  socket.resume()
  socket.write('x')
  await wait(2_000)
  return socket.destroyed || socket.readableEnded
}

const folder = mkdtempSync(join(tmpdir(), 'bench-never-read-'))
const env = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', ACCOUNTS: '1' }
const target = await startTarget('service', 'http-full.ts', env)
console.log(machineLine())
for (const coding of ['identity', 'gzip']) {
  const { port } = new URL(target.address)
  await (await fetch(target.address + PATH, { headers: { 'Accept-Encoding': coding } })).arrayBuffer()
  const before = await usageOf(target, 'live')
  const clients = Array.from({ length: connections }, () => ask(Number(port), coding))
  await wait(SETTLED_MS)
  const asked = await usageOf(target, 'live')
  await wait(seconds * 1000 - SETTLED_MS)
  const later = await usageOf(target, 'live')
  const dropped = (await Promise.all(clients.map(isDropped))).filter(Boolean).length
  console.log(
    `${coding}: ${before.rssMb} MB before, ${asked.rssMb} MB with ${connections} that do not read ` +
      `(${Math.round(asked.cpuMs - before.cpuMs)} ms of CPU), ${later.rssMb} MB after ${seconds} s, ${dropped} dropped`,
  )
  for (const client of clients) client.destroy()
}
await stopTarget(target)
rmSync(folder, { recursive: true })
