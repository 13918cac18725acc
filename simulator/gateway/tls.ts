import type { Socket } from 'node:net'
import { createSecureContext, createServer, type SecureContext, type Server, type TLSSocket } from 'node:tls'
import type { Icp } from '../icp/icp.ts'

/** One name for every context: OpenSSL resumes no session that asked for a certificate without it. */
const SESSAO = { sessionIdContext: 'simulador', sessionTimeout: 3600 } as const

/** Hands a connection to the TLS side, which reads the ClientHello again. */
export type Cifrar = (cru: Socket, opcoes: { nome: string; pedeCertificado: boolean }) => void

/** A connection after its handshake: the TCP socket below, and the name that was asked for, lower case. */
export type Cifrada = { socket: TLSSocket; cru: Socket; nome: string }

/**
 * The TLS side: TLS 1.2 and 1.3, a certificate minted for whatever name is asked, sessions resumed by tickets. One
 * server asks for a client certificate and one does not, because Node decides that before it sees the name.
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
  const servidor = (requestCert: boolean): Server =>
    createServer({
      requestCert,
      rejectUnauthorized: false,
      ca: [...icp.cadeia],
      minVersion: 'TLSv1.2',
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
  const comPedido = servidor(true)
  const semPedido = servidor(false)
  return (cru, { nome, pedeCertificado }) => {
    const chave = par(cru)
    abertas.set(chave, { cru, nome })
    cru.once('close', () => abertas.delete(chave))
    const lado = pedeCertificado ? comPedido : semPedido
    lado.emit('connection', cru)
  }
}

function par({ localAddress, remoteAddress, remotePort }: Socket): string {
  return `${localAddress} ${remoteAddress} ${remotePort}`
}
