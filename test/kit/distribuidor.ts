import { createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { trusted } from '../../src/platform/trusted.ts'

/** The types of messages that PostgreSQL answers with ReadyForQuery: a simple query, and Sync. */
const ASKS = new Set(['Q', 'S'])
const READY = 'Z'
const IDLE = 'I'
const GOODBYE = 'X'

/** What a client that logs in without a password is answered: authenticated, ready and idle. */
const WELCOME = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])

/** The first whole message of `bytes`: its type, its body, and what is left. */
function nextMessage(bytes: Buffer): { tipo: string; corpo: Buffer; resto: Buffer } | undefined {
  if (bytes.length < 5) return undefined
  const end = 1 + bytes.readInt32BE(1)
  if (bytes.length < end) return undefined
  return {
    tipo: String.fromCharCode(bytes[0] ?? 0),
    corpo: bytes.subarray(5, end),
    resto: bytes.subarray(end),
  }
}

/** A connection to the server that is logged in, as bare bytes. */
async function enter(databaseUrl: string): Promise<Socket> {
  const client = new pg.Client(databaseUrl)
  client.on('error', () => {})
  await client.connect()
  // The driver keeps the socket there, and has nothing more to say on it.
  const { connection } = trusted<{ connection: { stream: Socket } }>(client)
  connection.stream.removeAllListeners('data')
  return connection.stream
}

/**
 * A pooler as PgBouncer is: of `sessoes` connections to the server, a client has one for its transaction, or
 * for its whole session. Returns its address; it is closed with the test.
 */
export async function openDistribuidor(
  t: TestContext,
  databaseUrl: string,
  { modo, sessoes }: { modo: 'transaction' | 'session'; sessoes: number },
): Promise<string> {
  const idle = await Promise.all(Array.from({ length: sessoes }, () => enter(databaseUrl)))
  const all = [...idle]
  const waiting: (() => void)[] = []
  const clients = new Set<Socket>()

  const serve = (client: Socket): void => {
    clients.add(client)
    let asked: Buffer = Buffer.alloc(0)
    let answered: Buffer = Buffer.alloc(0)
    let server: Socket | undefined
    let entered = false
    let owed = 0

    const giveBack = (): void => {
      if (!server) return
      server.removeAllListeners('data')
      idle.push(server)
      server = undefined
      waiting.shift()?.()
    }
    const onAnswer = (bytes: Buffer): void => {
      client.write(bytes)
      answered = Buffer.concat([answered, bytes])
      for (let message = nextMessage(answered); message; message = nextMessage(answered)) {
        answered = message.resto
        if (message.tipo !== READY) continue
        owed -= 1
        if (owed === 0 && modo === 'transaction' && message.corpo.toString() === IDLE) giveBack()
      }
    }
    const pass = (): void => {
      if (!server && asked.length > 0) {
        server = idle.pop()
        if (!server) return void waiting.push(pass)
        server.on('data', onAnswer)
      }
      for (let message = nextMessage(asked); message; message = nextMessage(asked)) {
        if (message.tipo === GOODBYE) return void client.end()
        if (ASKS.has(message.tipo)) owed += 1
        server?.write(asked.subarray(0, asked.length - message.resto.length))
        asked = message.resto
      }
    }
    client.on('data', (bytes: Buffer) => {
      asked = Buffer.concat([asked, bytes])
      // The start of a connection has no type: it is one packet, which the driver sends whole.
      if (!entered) {
        entered = true
        asked = Buffer.alloc(0)
        client.write(WELCOME)
      } else pass()
    })
    client.on('error', () => {})
    client.on('close', () => {
      clients.delete(client)
      giveBack()
    })
  }

  const pooler = createServer(serve)
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of [...clients, ...all]) socket.destroy()
    return new Promise((resolve) => pooler.close(resolve))
  })
  const address = pooler.address()
  const through = new URL(databaseUrl)
  through.port = String(typeof address === 'object' && address ? address.port : 0)
  return through.href
}
