import { connect as connectTcp, isIP, type Socket } from 'node:net'
import {
  connect as connectTls,
  createSecureContext,
  getCACertificates,
  rootCertificates,
  type SecureContext,
  setDefaultCACertificates,
  type TLSSocket,
} from 'node:tls'
import { Agent, type buildConnector, errors } from 'undici'
import { type HostProfile, tlsOptionsOf } from './host-profile.ts'
import type { Cronometro } from './medida.ts'

/** The addresses to which the authorities' names lead: the real ones, or the simulator's gateway for all. */
export type Dial = {
  /** The hosts that depart from the defaults, by name. */
  hosts: Record<string, HostProfile>
} & (
  | {
      mode: 'live'
      /**
       * The authorities (PEM) that are trusted besides Node's own roots. `process`: those that `trustAlso`
       * added to this process.
       */
      ca: readonly string[] | 'process'
    }
  | {
      mode: 'simulator'
      /** The only authority that is trusted, in PEM. */
      ca: string
      gateway: { host: string; port: number }
    }
)

/** A client certificate: its SHA-256, the private key, and the leaf followed by its chain (both in PEM). */
export type ClientCertificate = { impressao: string; key: Buffer; cert: string }

/**
 * More connections to one origin cost more in handshakes than they gain: 5,400 stalled the process for 8 s.
 */
const CONNECTIONS = 20
const CONNECT_MS = 10_000
const IDLE_MS = 30_000
const MOST_IDLE_MS = 600_000
const standard: HostProfile = {}

/** A pool of connections. `close` also ends those that are still being made, for which undici would wait. */
export type Pool = { agent: Agent; close: () => Promise<void> }

type PoolOptions = {
  /** Whether it keeps TLS sessions. */
  resumes: boolean
  /** How long a connection without work is kept. */
  idleMs: number | undefined
  /** Measures its connections. */
  cronometro: Cronometro | undefined
}

/** Makes a pool whose connections all present one certificate, or none. Pools share nothing. */
export function createPool(
  dial: Dial,
  certificate: ClientCertificate | undefined,
  { resumes, idleMs = IDLE_MS, cronometro }: PoolOptions,
): Pool {
  const opening = new Set<Socket>()
  const agent = new Agent({
    connections: CONNECTIONS,
    keepAliveTimeout: idleMs,
    // A server's own `Keep-Alive` goes before it, up to this.
    keepAliveMaxTimeout: Math.max(idleMs, MOST_IDLE_MS),
    allowH2: false,
    // Each exchange has its own limits, so the pool has none.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: createConnect(dial, certificate, { resumes, cronometro, opening }),
  })
  const close = async (): Promise<void> => {
    const closed = agent.destroy()
    for (const socket of opening) socket.destroy(new errors.ClientDestroyedError())
    await closed
  }
  return { agent, close }
}

function createConnect(
  dial: Dial,
  certificate: ClientCertificate | undefined,
  { resumes, cronometro, opening }: Omit<PoolOptions, 'idleMs'> & { opening: Set<Socket> },
): buildConnector.connector {
  // Each context is made once: reading some 200 root certificates takes longer than a handshake.
  const contexts = new Map<HostProfile, SecureContext>()
  const sessions = new Map<string, Buffer>()
  const contextOf = (profile: HostProfile): SecureContext => {
    const context = contexts.get(profile) ?? createContext(dial, profile, certificate)
    contexts.set(profile, context)
    return context
  }
  return ({ hostname, port, protocol }, callback) => {
    const secure = protocol === 'https:'
    const profile = dial.hosts[hostname] ?? standard
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    const real = { host, port: Number(port) || (secure ? 443 : 80), family: profile.family ?? 0 }
    const target = dial.mode === 'simulator' ? dial.gateway : real
    const timed = (socket: Socket, done: buildConnector.Callback): buildConnector.Callback =>
      cronometro ? cronometro.conexao(socket, done) : done
    if (!secure) {
      const plain = connectTcp(target)
      return report(plain, 'connect', opening, timed(plain, callback))
    }
    // The host may fail on this ticket, so it is not offered again.
    const callbackTls: buildConnector.Callback = (...[error, opened]) => {
      if (error) sessions.delete(host)
      return error ? callback(error, null) : callback(null, opened)
    }
    const session = sessions.get(host)
    const socket = connectTls({
      ...target,
      // A server name must not be an address (RFC 6066). In simulator mode the address is a name that nobody
      // serves.
      ...(dial.mode === 'live' && isIP(host) ? {} : { servername: host }),
      secureContext: contextOf(profile),
      ALPNProtocols: ['http/1.1'],
      ...(session && { session }),
    })
    // TLS 1.3 refuses a certificate with an alert, followed by the end. Without this, undici (8.12) would
    // report the end.
    socket.on('error', () => socket.destroy())
    if (resumes) socket.on('session', (ticket) => sessions.set(host, ticket))
    report(socket, 'secureConnect', opening, timed(socket, callbackTls))
  }
}

function createContext(
  dial: Dial,
  profile: HostProfile,
  certificate: ClientCertificate | undefined,
): SecureContext {
  const ca = trustedBy(dial, profile)
  return createSecureContext({
    ...tlsOptionsOf(profile),
    ...(certificate && { key: certificate.key, cert: certificate.cert }),
    ...(ca && { ca }),
  })
}

/** The authorities that a context trusts. Undefined: those of the process, which need no second reading. */
function trustedBy(dial: Dial, { ca = [] }: HostProfile): string[] | undefined {
  if (dial.mode === 'simulator') return [dial.ca, ...ca]
  // The option `ca` replaces Node's own roots, so they are named again.
  if (dial.ca !== 'process') return [...rootCertificates, ...dial.ca, ...ca]
  return ca.length > 0 ? [...getCACertificates('default'), ...ca] : undefined
}

/**
 * Adds authorities (PEM) to those that this process trusts, at its start and never in a test. A context with
 * its own list reads it for 8 ms (121 roots), one without a list reads nothing.
 */
export function trustAlso(ca: readonly string[]): void {
  if (ca.length > 0) setDefaultCACertificates([...getCACertificates('default'), ...ca])
}

/** The failures of connections that were never made. */
const unmade = new WeakSet<Error>()

/** Whether the connection of this failure was never made, so that nothing was sent. */
export const isUnmade = (error: unknown): boolean => error instanceof Error && unmade.has(error)

/** Tells `callback` once how connecting went. Until then the socket is in `opening`. */
function report(
  socket: Socket | TLSSocket,
  ready: 'connect' | 'secureConnect',
  opening: Set<Socket>,
  callback: buildConnector.Callback,
): void {
  const timer = setTimeout(() => socket.destroy(new errors.ConnectTimeoutError()), CONNECT_MS)
  const settle = (): void => {
    clearTimeout(timer)
    opening.delete(socket)
  }
  const fail = (error: Error): void => {
    settle()
    unmade.add(error)
    callback(error, null)
  }
  opening.add(socket)
  socket.setNoDelay(true).setKeepAlive(true, 60_000)
  socket.once('error', fail)
  socket.once(ready, () => {
    settle()
    socket.off('error', fail)
    callback(null, socket)
  })
}
