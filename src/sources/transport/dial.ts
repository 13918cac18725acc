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

/** Where the names of the authorities lead: to their real addresses, or all of them to the simulator's gateway. */
export type Dial = {
  /** How some hosts depart from the defaults, by name. */
  hosts: Record<string, HostProfile>
} & (
  | {
      mode: 'live'
      /** What is trusted besides Node's own roots, in PEM; or `process`, what `trustAlso` made this process trust. */
      ca: readonly string[] | 'process'
    }
  | {
      mode: 'simulator'
      /** The only authority that is trusted, in PEM. */
      ca: string
      gateway: { host: string; port: number }
    }
)

/** A certificate to present: its SHA-256, the private key, and the leaf followed by its chain (both in PEM). */
export type ClientCertificate = { impressao: string; key: Buffer; cert: string }

/** More at once to one origin cost more in handshakes than they bring: 5,400 stalled the process for 8 s. */
const CONNECTIONS = 20
const CONNECT_MS = 10_000
const IDLE_MS = 30_000
const standard: HostProfile = {}

/** A pool of connections, and how to end them all, those that are being made too: undici would wait for these. */
export type Pool = { agent: Agent; close: () => Promise<void> }

/** A pool of connections that present one certificate, or none; it shares nothing with another's. `resumes`: whether it keeps TLS sessions. */
export function createPool(dial: Dial, certificate: ClientCertificate | undefined, resumes: boolean): Pool {
  const opening = new Set<Socket>()
  const agent = new Agent({
    connections: CONNECTIONS,
    keepAliveTimeout: IDLE_MS,
    allowH2: false,
    // The limits of each exchange rule, not the pool's.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: createConnect(dial, certificate, resumes, opening),
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
  resumes: boolean,
  opening: Set<Socket>,
): buildConnector.connector {
  // Made once each: reading some 200 root certificates takes longer than a handshake.
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
    if (!secure) return report(connectTcp(target), 'connect', opening, callback)
    // A ticket that the host chokes on must not be offered again.
    const callbackTls: buildConnector.Callback = (...[error, opened]) => {
      if (error) sessions.delete(host)
      return error ? callback(error, null) : callback(null, opened)
    }
    const session = sessions.get(host)
    const socket = connectTls({
      ...target,
      // An address has no name to ask for (RFC 6066); in simulator mode it is one that nobody serves.
      ...(dial.mode === 'live' && isIP(host) ? {} : { servername: host }),
      secureContext: contextOf(profile),
      ALPNProtocols: ['http/1.1'],
      ...(session && { session }),
    })
    // After an alert comes the end, which undici (8.12) would report in its place: how TLS 1.3 refuses a certificate.
    socket.on('error', () => socket.destroy())
    if (resumes) socket.on('session', (ticket) => sessions.set(host, ticket))
    report(socket, 'secureConnect', opening, callbackTls)
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

/** Whom a context trusts; undefined for what the process does, which it need not read again. */
function trustedBy(dial: Dial, { ca = [] }: HostProfile): string[] | undefined {
  if (dial.mode === 'simulator') return [dial.ca, ...ca]
  // The option replaces what is trusted without it, so that is named again.
  if (dial.ca !== 'process') return [...rootCertificates, ...dial.ca, ...ca]
  return ca.length > 0 ? [...getCACertificates('default'), ...ca] : undefined
}

/**
 * Makes this process trust authorities (PEM) besides those that it does. A context that names its own reads them all, for 8 ms
 * (121 roots); one that names none takes what the process has read once. For the start of a process, never for a test.
 */
export function trustAlso(ca: readonly string[]): void {
  if (ca.length > 0) setDefaultCACertificates([...getCACertificates('default'), ...ca])
}

/** The failures of connections that were never made. */
const unmade = new WeakSet<Error>()

/** Whether `error` is of a connection that was never made: nothing was sent on it. */
export const isUnmade = (error: unknown): boolean => error instanceof Error && unmade.has(error)

/** Tells `callback` once how connecting went; the socket is among those that are `opening` until then. */
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
