import { constants } from 'node:crypto'
import type { Socket } from 'node:net'
import { createSecureContext, createServer, type SecureContext, type Server, type TLSSocket } from 'node:tls'
import type { Icp } from './icp/icp.ts'

/** One name for every context: OpenSSL resumes no session that asked for a certificate without it. */
const SESSAO = { sessionIdContext: 'simulador', sessionTimeout: 3600 } as const

/** When a client certificate is asked for: in the handshake, once a request is there, or never. */
export type PedeCertificado = 'no-handshake' | 'depois' | 'nunca'

/** Hands a connection to the TLS side, which reads the ClientHello again. */
export type Cifrar = (cru: Socket, opcoes: { nome: string; pedeCertificado: PedeCertificado }) => void

/** A connection after its handshake: the TCP socket below, and the name that was asked for, lower case. */
export type Cifrada = { socket: TLSSocket; cru: Socket; nome: string; pedeCertificado: PedeCertificado }

/**
 * Serves TLS 1.2 and 1.3 with a certificate minted for the asked name; hosts that renegotiate speak 1.2 only.
 * There is one server for each way of asking for a client certificate, because Node decides that before it
 * sees the name.
 *
 * @param pronto gets each connection after its handshake
 */
export function criarLadoTls(icp: Icp, pronto: (cifrada: Cifrada) => void): Cifrar {
  const contextos = new Map<string, SecureContext>()
  const contexto = (nome: string): SecureContext => {
    const feito =
      contextos.get(nome) ??
      createSecureContext({ ...icp.servidor(nome), ca: [...icp.cadeia], minVersion: 'TLSv1.2', ...SESSAO })
    contextos.set(nome, feito)
    return feito
  }
  // tls.Server gives no way from its socket to the one below it. Both have the same peer.
  const abertas = new Map<string, Omit<Cifrada, 'socket'>>()
  const servidor = (pede: PedeCertificado): Server =>
    createServer({
      requestCert: pede === 'no-handshake',
      // A renegotiation that resumes the session of its own connection would show no certificate (OpenSSL
      // 3.5, 2026-11).
      secureOptions: pede === 'depois' ? constants.SSL_OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION : 0,
      rejectUnauthorized: false,
      ca: [...icp.cadeia],
      minVersion: 'TLSv1.2',
      // TLS 1.3 has no renegotiation. Such hosts also serve clients that prefer 1.3, so the hosts cannot
      // speak it.
      maxVersion: pede === 'depois' ? 'TLSv1.2' : 'TLSv1.3',
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout: 20_000,
      SNICallback: (nome, responder) => responder(null, contexto(nome.toLowerCase())),
      ...SESSAO,
    })
      .on('secureConnection', (socket) => {
        const aberta = abertas.get(par(socket))
        if (aberta) pronto({ socket, ...aberta })
        else socket.destroy()
      })
      .on('tlsClientError', (_erro, socket) => {
        socket.destroy()
      })
  const servidores = {
    'no-handshake': servidor('no-handshake'),
    depois: servidor('depois'),
    nunca: servidor('nunca'),
  } as const satisfies Record<PedeCertificado, Server>
  return (cru, { nome, pedeCertificado }) => {
    const chave = par(cru)
    abertas.set(chave, { cru, nome, pedeCertificado })
    cru.once('close', () => abertas.delete(chave))
    servidores[pedeCertificado].emit('connection', cru)
  }
}

function par({ localAddress, remoteAddress, remotePort }: Socket): string {
  return `${localAddress} ${remoteAddress} ${remotePort}`
}
