import { clearTimeout, setTimeout } from 'node:timers'
import type { TLSSocket } from 'node:tls'
import type { Chamador } from './autoridade.ts'
import { lerTitular } from './icp/titular.ts'

/** How long, in milliseconds, a client may let a request for renegotiation wait before it is broken off. */
const PACIENCIA = 20_000

/**
 * The caller, by a certificate of our chain in force at the handshake, which a resumed session remembers.
 * `authorized` alone is not enough: a resumed session without any certificate counts as authorized.
 */
export function lerChamador(socket: TLSSocket): Chamador | undefined {
  const certificado = socket.authorized ? socket.getPeerX509Certificate() : undefined
  return certificado && lerTitular(certificado)
}

/**
 * Asks for the client certificate once on an open connection of TLS 1.2, by renegotiation (RFC 5246,
 * 7.4.1.1). A client that refuses it or leaves has its socket destroyed.
 *
 * @param renegociado is told of each renegotiation that came to its end
 */
export function criarPedidoDeChamador(
  socket: TLSSocket,
  renegociado: () => void,
): () => Promise<Chamador | undefined> {
  let pedido: Promise<Chamador | undefined> | undefined
  const pedir = async (): Promise<Chamador | undefined> => {
    if (await renegociar(socket)) renegociado()
    return lerChamador(socket)
  }
  return () => {
    pedido ??= pedir()
    return pedido
  }
}

/** Whether a new handshake came to its end; false when the connection did. */
function renegociar(socket: TLSSocket): Promise<boolean> {
  return new Promise((resolve) => {
    const desistir = setTimeout(() => socket.destroy(), PACIENCIA).unref()
    const terminar = (feito: boolean): void => {
      clearTimeout(desistir)
      socket.off('close', fechou)
      resolve(feito)
    }
    const fechou = (): void => terminar(false)
    socket.once('close', fechou)
    socket.renegotiate({ requestCert: true, rejectUnauthorized: false }, (erro) => terminar(!erro))
  })
}
