import type { Socket } from 'node:net'
import { createSecureContext, createServer, type SecureContext, type Server, type TLSSocket } from 'node:tls'
import type { Icp } from '../icp/icp.ts'

/** One name for every context: OpenSSL resumes no session that asked for a certificate without it. */
const SESSAO = { sessionIdContext: 'simulador', sessionTimeout: 3600 } as const

/** Hands a connection, whose ClientHello is still to be read, to the TLS side. */
export type Cifrar = (cru: Socket, opcoes: { pedeCertificado: boolean }) => void

/**
 * The TLS side: TLS 1.2 and 1.3, a certificate minted for whatever name is asked, sessions resumed by tickets. One
 * server asks for a client certificate and one does not, because Node decides that before it sees the name.
 *
 * @param pronto gets each connection after its handshake, with the TCP socket below it
 */
export function criarLadoTls(icp: Icp, pronto: (socket: TLSSocket, cru: Socket) => void): Cifrar {
  const contextos = new Map<string, SecureContext>()
  const contexto = (nome: string): SecureContext => {
    const feito =
      contextos.get(nome) ??
      createSecureContext({ ...icp.servidor(nome), ca: [...icp.cadeia], minVersion: 'TLSv1.2', ...SESSAO })
    contextos.set(nome, feito)
    return feito
  }
  // tls.Server gives no way from its socket to the one below it. Both have the same peer.
  const crus = new Map<string, Socket>()
  const servidor = (requestCert: boolean): Server =>
    createServer({
      requestCert,
      rejectUnauthorized: false,
      ca: [...icp.cadeia],
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout: 20_000,
      SNICallback: (nome, responder) => responder(null, contexto(nome)),
      ...SESSAO,
    })
      .on('secureConnection', (socket) => {
        const cru = crus.get(par(socket))
        if (cru) pronto(socket, cru)
        else socket.destroy()
      })
      .on('tlsClientError', (_erro, socket) => {
        socket.destroy()
      })
  const comPedido = servidor(true)
  const semPedido = servidor(false)
  return (cru, { pedeCertificado }) => {
    const nome = par(cru)
    crus.set(nome, cru)
    cru.once('close', () => crus.delete(nome))
    const lado = pedeCertificado ? comPedido : semPedido
    lado.emit('connection', cru)
  }
}

function par({ localAddress, remoteAddress, remotePort }: Socket): string {
  return `${localAddress} ${remoteAddress} ${remotePort}`
}
