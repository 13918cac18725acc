import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, type TestContext } from 'node:test'
import { deflateRawSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import type { Autoridade, Pedido } from '../../simulator/platform/autoridade.ts'
import { trusted } from '../../src/platform/trusted.ts'
import { SourceError, type SourceErrorKind } from '../../src/platform/wire/fonte.ts'
import { createGuard, type Guard } from '../../src/platform/wire/guard.ts'
import type { Ask } from '../../src/platform/wire/http.ts'
import type { Leitura } from '../../src/platform/wire/leituras.ts'
import { type Authority, openAuthority } from './authority.ts'

export const HOST = 'nfe.sefaz.test'
export const OTHER = 'portal.sefaz.test'

type Responder = (...call: Parameters<Autoridade['answer']>) => unknown
const pages: Record<string, Responder> = {
  '/eco': ({ corpo, chamador }, reply) =>
    reply.end(JSON.stringify({ corpo: corpo.toString(), quem: chamador?.documento ?? '' })),
  '/nunca': () => {},
  '/pela-metade': (_, reply) => void reply.writeHead(200).write('<a>'),
  '/derruba': ({ conexao }) => conexao.drop(),
  '/derruba-no-meio': ({ conexao }, reply) => {
    reply.writeHead(200, { 'content-length': 100 }).write('<a>', () => conexao.drop())
  },
  '/recusa-tls': ({ conexao }) => conexao.refuseTls(),
  '/grande': (_, reply) => reply.end(Buffer.alloc(3 * 1024 * 1024)),
  '/bomba': (_, reply) =>
    reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(3 * 1024 * 1024))),
  '/comprimida': (_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('olá')),
  '/comprimida-e-cortada': (_, reply) =>
    reply.writeHead(200, { 'content-encoding': 'GZIP' }).end(gzipSync('olá').subarray(0, 15)),
  '/deflate': (_, reply) =>
    reply.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateRawSync('olá')),
  '/latin1': (_, reply) =>
    reply
      .writeHead(200, { 'content-type': 'text/html; charset=ISO-8859-1' })
      .end(Buffer.from('São João', 'latin1')),
  '/latin1-sem-dizer': (_, reply) =>
    reply.writeHead(200, { 'content-type': 'text/html' }).end(Buffer.from('São João', 'latin1')),
  '/latin1-no-xml': (_, reply) =>
    reply
      .writeHead(200, { 'content-type': 'text/xml' })
      .end(Buffer.from("\n<?xml version='1.0' encoding='ISO-8859-1'?><a>São João</a>", 'latin1')),
  '/utf16-no-xml': (_, reply) =>
    reply
      .writeHead(200, { 'content-type': 'text/xml' })
      .end('<?xml version="1.0" encoding="utf-16"?><a>São João</a>'),
  '/entrar': (_, reply) =>
    reply
      .writeHead(302, { location: '/dentro?x=1', 'set-cookie': ['sessao=abc; Path=/', 'outra=1; Path=/so'] })
      .end(),
  '/dentro': ({ cabecalhos, metodo }, reply) => reply.end(`${metodo} ${cabecalhos.cookie ?? ''}`),
  '/repetir': (_, reply) => reply.writeHead(307, { location: '/eco' }).end(),
  '/para-outro': (_, reply) => reply.writeHead(307, { location: `https://${OTHER}/eco` }).end(),
  '/sem-tls': (_, reply) => reply.writeHead(307, { location: `http://${HOST}/eco` }).end(),
  '/roda': (_, reply) => reply.writeHead(302, { location: '/roda' }).end(),
}

/** A GET of a page of these authorities, within 10 seconds. */
export const ask = (path: string, more: Partial<Ask> = {}): Ask => ({
  source: { id: 'teste', nome: 'A SEFAZ de teste' },
  method: 'GET',
  url: path.startsWith('http') ? path : `https://${HOST}${path}`,
  deadlineMs: 10_000,
  repeatable: true,
  ...more,
})

/** Two authorities with these pages behind a gateway, and their transport, for the tests of one file. */
export function useTransport() {
  let authority: Authority
  /** The requests that reached the authorities. */
  let seen: Pedido[] = []

  const play = (hosts: string[], asksCertificado: boolean): Autoridade => ({
    nome: 'teste',
    hosts,
    asksCertificado,
    answer: (pedido, reply) => {
      seen.push(pedido)
      pages[pedido.caminho]?.(pedido, reply)
    },
  })

  before(async () => {
    authority = await openAuthority([play([HOST, 'localhost'], true), play([OTHER], false)])
  })
  after(() => authority.close())

  const fails = async (asked: Ask, kind: SourceErrorKind, http = authority.http): Promise<SourceError> => {
    const error = await http.send(asked).then(
      () => assert.fail('it should fail'),
      (thrown) => thrown,
    )
    assert.ok(error instanceof SourceError, String(error))
    assert.equal(error.kind, kind)
    assert.equal(error.source, 'teste')
    assert.equal(typeof error.elapsedMs, 'number')
    assert.match(error.message, /^A SEFAZ de teste /)
    return error
  }

  const count = (path: string): number => seen.filter(({ caminho }) => caminho === path).length
  return {
    authority: () => authority,
    seen: () => seen,
    forget: () => {
      seen = []
    },
    play,
    fails,
    count,
  }
}

export const sp = { id: 'SP/ie', nome: 'A SEFAZ-SP' }
export const rs = { id: 'RS/ie', nome: 'A SEFAZ-RS' }
/** A query to a source, within 10 s unless the test says otherwise. */
export const to = (source: typeof sp, deadlineMs = 10_000) => ({ source, deadlineMs, request_id: 'pedido-1' })
export const limits = { simultaneous: 2, waiting: 1, failures: 3, pauseMs: 60_000 }

type Line = Record<string, unknown>
/** A guard, and the lines that it logs. */
export function guarded(overrides: Partial<typeof limits> = {}): { guard: Guard; lines: Line[] } {
  const lines: Line[] = []
  const log = { info: (fields: object, message: string) => void lines.push({ ...fields, message }) }
  return { guard: createGuard(log, { limits: { ...limits, ...overrides } }), lines }
}

/** A query that gets no answer in time. */
export const outage = async (): Promise<never> => {
  throw new SourceError('timeout', 'A SEFAZ-SP não respondeu a tempo.', { source: 'SP/ie', elapsedMs: 20 })
}
/** A query whose answer cannot be read. */
export const nonsense = async (): Promise<never> => {
  throw new SourceError('parse', 'A SEFAZ-SP respondeu sem sentido.', { source: 'SP/ie', elapsedMs: 20 })
}
/** Makes queries of which each fails with its own failure. */
export const fail = async (guard: Guard, run: () => Promise<never>, times: number): Promise<void> => {
  for (let i = 0; i < times; i++) {
    const thrown: unknown[] = []
    const noted = () =>
      run().catch((error: unknown) => {
        thrown.push(error)
        throw error
      })
    await assert.rejects(guard(to(sp), noted), (error) => thrown.includes(error))
  }
}

/** A guard whose readings are kept, with a clock of its own to turn. */
export function watched(overrides: Partial<typeof limits> = {}) {
  const clock = { instant: Date.parse('2026-11-14T15:00:00Z') }
  const leituras: Leitura[] = []
  const guard = createGuard(
    { info: () => {} },
    {
      limits: { ...limits, ...overrides },
      now: () => new Date(clock.instant),
      onCall: (leitura) => void leituras.push(leitura),
    },
  )
  return { guard, clock, leituras }
}

/** An ErrorResponse of PostgreSQL, "Message Formats": its type, its length, fields, a zero. */
const FIELDS = Buffer.from(
  'SPANIC\0VPANIC\0C53100\0Mcould not write to log file: No space left on device\0\0',
)
const LENGTH = Buffer.alloc(4)
LENGTH.writeInt32BE(FIELDS.length + 4)
const PANIC = Buffer.concat([Buffer.from('E'), LENGTH, FIELDS])

/** A TCP door before a real PostgreSQL. */
export type Porta = {
  /** The database's address through the door. */
  databaseUrl: string
  /** Breaks all connections and refuses new ones, as a server that is down does. */
  close: () => Promise<void>
  /** Lets connections in again. */
  open: () => Promise<void>
  /** Lets nothing through any more, in no direction, and tells nobody: a black hole. */
  swallow: () => void
  /** Goes on with what comes now; connections that were in the hole stay silent. */
  release: () => void
  /** Breaks those on which something was sent into the hole; the database does not notice. */
  cut: () => void
  /** Gives the database what was sent into the hole, and then the end of its connections. */
  deliver: () => void
  /** The same, but the service reads that the server panics over its disk. */
  panic: () => void
  /** Whether a text was sent into the hole. */
  hasSwallowed: (text: string) => boolean
}

/** Opens a door before the database at `databaseUrl`. It is closed with the test. */
export async function openPorta(t: Pick<TestContext, 'after'>, databaseUrl: string): Promise<Porta> {
  const target = Number(new URL(databaseUrl).port)
  const open = new Set<Socket>()
  let hole = false
  const server = createServer({ allowHalfOpen: true }, (near) => {
    open.add(near)
    near.on('error', () => {}).on('close', () => open.delete(near))
    // In the hole not even a connection is made: its first packet is never answered.
    if (hole) return near.pause()
    const far = connect(target, '127.0.0.1')
    open.add(far)
    far.on('error', () => {}).on('close', () => open.delete(far))
    const carry = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => {
        if (!silent.has(near)) to.write(bytes)
        else if (from === near) late.push({ from, to, bytes })
      })
      from.on('close', () => !silent.has(near) && to.destroy())
      from.on('end', () => !silent.has(near) && to.end())
    }
    carry(near, far)
    carry(far, near)
  })
  const silent = new Set<Socket>()
  const late: { from: Socket; to: Socket; bytes: Buffer }[] = []
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of open) socket.destroy()
    await closed
  }
  t.after(() => (server.listening ? close() : undefined))
  const deliver = (): void => {
    for (const { to, bytes } of late) to.write(bytes)
    for (const { to } of late.splice(0)) to.end()
  }
  const through = new URL(databaseUrl)
  through.port = String(port)
  return {
    databaseUrl: through.href,
    close,
    open: () => listen(port),
    swallow: () => {
      hole = true
      for (const socket of open) silent.add(socket)
    },
    release: () => {
      hole = false
    },
    cut: () => {
      for (const { from } of late) from.destroy()
    },
    deliver,
    panic: () => {
      for (const from of new Set(late.map(({ from }) => from))) from.end(PANIC)
      deliver()
    },
    hasSwallowed: (text) => Buffer.concat(late.map(({ bytes }) => bytes)).includes(text),
  }
}

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

/** What was asked of the server. */
export type Received = { url: string; headers: IncomingMessage['headers']; corpo: string }

/** Answers one request; the last one of a list answers all that follow. */
export type Resposta = (saida: ServerResponse, entrada: IncomingMessage) => unknown

/** A small server over HTTP that answers as it is told, however wrong. Close it when done. */
export async function openServer(...respostas: [Resposta, ...Resposta[]]): Promise<{
  endereco: string
  pedidas: Received[]
  /** Settles when the connection of an answer has ended, by whomever. */
  fechou: Promise<void>
  close: () => void
}> {
  const pedidas: Received[] = []
  const { promise: fechou, resolve } = Promise.withResolvers<void>()
  const servidor = createHttpServer(async (entrada, saida) => {
    saida.once('close', resolve)
    const { url = '', headers } = entrada
    pedidas.push({ url, headers, corpo: await text(entrada) })
    const [ultima] = respostas.slice(-1)
    await (respostas[pedidas.length - 1] ?? ultima)?.(saida, entrada)
  })
  await new Promise<void>((listening) => servidor.listen(0, '127.0.0.1', listening))
  const { port } = servidor.address() as AddressInfo
  return {
    endereco: `http://127.0.0.1:${port}`,
    pedidas,
    fechou,
    close: () => {
      servidor.close()
      servidor.closeAllConnections()
    },
  }
}

/** An answer in JSON. */
export const json =
  (corpo: unknown, status = 200, headers: Record<string, string> = {}): Resposta =>
  (saida) =>
    saida.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(corpo))

/** A failure as the service tells it. */
export const problema = (error_code: string, status: number, retryAfter?: string): Resposta =>
  json(
    { error_code, status, detail: `houve ${error_code}`, retryable: retryAfter !== undefined },
    status,
    retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
  )

/** An answer that comes in these pieces; undefined cuts the connection. */
export const inPieces =
  (tipo: string, ...pedacos: (string | Buffer | undefined)[]): Resposta =>
  async (saida) => {
    saida.writeHead(200, { 'Content-Type': tipo })
    for (const pedaco of pedacos) {
      if (pedaco === undefined) return saida.destroy()
      await new Promise((taken) => saida.write(pedaco, taken))
    }
    return saida.end()
  }
