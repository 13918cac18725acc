import { constants } from 'node:crypto'
import { createRequire } from 'node:module'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import {
  connect as connectTls,
  createSecureContext,
  getCACertificates,
  rootCertificates,
  type SecureContext,
  type SecureContextOptions,
  setDefaultCACertificates,
  type TLSSocket,
} from 'node:tls'
import type { buildConnector, Dispatcher } from 'undici'
import { noteUnmade } from './fonte.ts'

// What undici is besides (fetch, mocks, caches) takes 3 MB and 40 ms of a start, and nothing here uses it.
const require = createRequire(import.meta.url)
const Agent: typeof import('undici').Agent = require('undici/lib/dispatcher/agent.js')
export const errors: typeof import('undici').errors = require('undici/lib/core/errors.js')
const { request }: { request: Request } = require('undici/lib/api/index.js')
const { parseURL }: { parseURL: (address: string) => URL } = require('undici/lib/core/util.js')

type Request = (this: Dispatcher, options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData>

type Envio = Omit<Dispatcher.RequestOptions, 'origin' | 'path'> & { dispatcher: Dispatcher }

/** The `request` of undici. Throws an Error for what is no address of HTTP. */
export function requestBy(address: string, { dispatcher, ...options }: Envio) {
  const { origin, pathname, search } = parseURL(address)
  return request.call(dispatcher, { ...options, origin, path: pathname + search })
}

export type HostProfile = {
  ca?: readonly string[]
  /** The host speaks nothing newer, or asks for the certificate by renegotiation, which TLS 1.3 lacks. */
  onlyTls12?: true
  /** OpenSSL's security level where the host's keys are shorter than level 2 allows. */
  securityLevel?: 0 | 1
  /** The host lacks secure renegotiation, RFC 5746 ("unsafe legacy renegotiation disabled"). */
  legacyRenegotiation?: true
  /** 4: the host's IPv6 address does not answer. */
  family?: 4
}

/** The hosts that need a profile, each with its evidence. Remove one when its host no longer needs it. */
export const hostProfiles: Record<string, HostProfile> = {
  // DH_KEY_TOO_SMALL under level 2 (PyTrustNFe issue 324).
  'nfe.sefaz.go.gov.br': { securityLevel: 1 },
  'homolog.sefaz.go.gov.br': { securityLevel: 1 },
  // They ask for the certificate by renegotiation (IIS), on the paths that need one (open clients, 2026).
  // Node 24.21 renegotiates only in TLS 1.2: it does not offer TLS 1.3's post-handshake authentication
  // ("extension not received").
  'www.nfe.fazenda.gov.br': { onlyTls12: true },
  'hom.nfe.fazenda.gov.br': { onlyTls12: true },
  // Its IPv6 address did not answer, and its IPv4 address did (public clients of the CNPJ data, 2026).
  'arquivos.receitafederal.gov.br': { family: 4 },
}

/** Turns a profile into options of OpenSSL. The least version is TLS 1.2 (MOC 7.0, web services). */
const tlsOptionsOf = (profile: HostProfile): SecureContextOptions => ({
  minVersion: 'TLSv1.2',
  ...(profile.onlyTls12 && { maxVersion: 'TLSv1.2' }),
  ...(profile.securityLevel !== undefined && { ciphers: `DEFAULT@SECLEVEL=${profile.securityLevel}` }),
  ...(profile.legacyRenegotiation && { secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT }),
})

/** Milliseconds on a scale that never goes back. Only differences have a meaning. */
export type Clock = () => number

export type Tempos = { conexaoMs: number | null; tlsMs: number | null; respostaMs: number }

type TemposDaConexao = Omit<Tempos, 'respostaMs'>

const reusada: TemposDaConexao = { conexaoMs: null, tlsMs: null }

export type Cronometro = {
  clock: Clock
  conexao: (socket: Socket, callback: buildConnector.Callback) => buildConnector.Callback
  troca: () => Medida
}

export type Medida = { interceptor: Dispatcher.DispatcherComposeInterceptor; tempos: () => Tempos }

export function openCronometro(clock: Clock): Cronometro {
  // undici (8.12) sends the waiting request while it takes the connection, and tells nobody which is whose.
  let taken: TemposDaConexao | undefined
  return {
    clock,
    conexao: (socket, callback) => {
      const began = clock()
      let connected = began
      socket.once('connect', () => {
        connected = clock()
      })
      return (...[error, opened]) => {
        if (error) return callback(error, null)
        const tlsMs = 'encrypted' in opened ? Math.round(clock() - connected) : null
        taken = { conexaoMs: Math.round(connected - began), tlsMs }
        callback(null, opened)
        taken = undefined
      }
    },
    troca: () => {
      let sent = clock()
      let conexao = reusada
      return {
        interceptor: (dispatch) => (options, handler) => {
          const begin = handler.onRequestStart?.bind(handler)
          handler.onRequestStart = (controller, context) => {
            conexao = taken ?? reusada
            sent = clock()
            begin?.(controller, context)
          }
          return dispatch(options, handler)
        },
        tempos: () => ({ ...conexao, respostaMs: Math.round(clock() - sent) }),
      }
    },
  }
}

export type Dial = { hosts: Record<string, HostProfile> } & (
  | {
      mode: 'live'
      /** Trusted besides Node's own roots. `process`: those that `trustAlso` added to this process. */
      ca: readonly string[] | 'process'
    }
  | {
      mode: 'simulator'
      ca: string
      gateway: { host: string; port: number }
    }
)

export type ClientCertificate = { impressao: string; key: Buffer; cert: string }

/** More cost more in handshakes than they gain: 5,400 stalled the process for 8 s. */
const CONNECTIONS = 20
const CONNECT_MS = 10_000
const IDLE_MS = 30_000
const MOST_IDLE_MS = 600_000
const standard: HostProfile = {}

/** A pool of connections. `close` also ends those that are still being made, for which undici would wait. */
export type Pool = { agent: Dispatcher; close: () => Promise<void> }

type PoolOptions = { resumes: boolean; idleMs: number | undefined; cronometro: Cronometro | undefined }

export function createPool(
  dial: Dial,
  certificate: ClientCertificate | undefined,
  { resumes, idleMs = IDLE_MS, cronometro }: PoolOptions,
): Pool {
  const opening = new Set<Socket>()
  const agent = new Agent({
    // A door of one call asks one thing at a time, and with one connection it needs no queue.
    connections: resumes ? CONNECTIONS : 1,
    keepAliveTimeout: idleMs,
    // A server's own `Keep-Alive` goes before it, up to this.
    keepAliveMaxTimeout: Math.max(idleMs, MOST_IDLE_MS),
    allowH2: false,
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
      // A server name must not be an address (RFC 6066). The simulator's is a name that nobody serves.
      ...(dial.mode === 'live' && isIP(host) ? {} : { servername: host }),
      secureContext: contextOf(profile),
      ALPNProtocols: ['http/1.1'],
      ...(session && { session }),
    })
    askLeafAlone(socket)
    // TLS 1.3 refuses a certificate by an alert and the end; undici (8.12) would report the end.
    socket.on('error', () => socket.destroy())
    if (resumes) socket.on('session', (ticket) => sessions.set(host, ticket))
    report(socket, 'secureConnect', opening, timed(socket, callbackTls))
  }
}

/**
 * Node (24.21) checks the server's name with the leaf, and makes objects of its whole chain for it: 0.6 ms of
 * a handshake. The chain itself is verified by OpenSSL before.
 */
function askLeafAlone(socket: TLSSocket): void {
  const leaf = socket.getPeerCertificate.bind(socket, false)
  Object.assign(socket, { getPeerCertificate: leaf })
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

function trustedBy(dial: Dial, { ca = [] }: HostProfile): string[] | undefined {
  if (dial.mode === 'simulator') return [dial.ca, ...ca]
  // The option `ca` replaces Node's own roots, so they are named again.
  if (dial.ca !== 'process') return [...rootCertificates, ...dial.ca, ...ca]
  return ca.length > 0 ? [...getCACertificates('default'), ...ca] : undefined
}

/** At the start, never in a test. A context with its own list reads it for 8 ms (121 roots). */
export function trustAlso(ca: readonly string[]): void {
  if (ca.length > 0) setDefaultCACertificates([...getCACertificates('default'), ...ca])
}

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
    noteUnmade(error)
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
