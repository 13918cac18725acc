import type { Socket } from 'node:net'
import type { Conexao } from '../autoridade.ts'

/** Fatal alerts by number (RFC 8446, 6.2). */
const ALERTA = { handshakeFailure: 40, unrecognizedName: 112 } as const

/**
 * Ends a TLS connection with a fatal alert, written as plain text. Before the handshake that is what any server does;
 * after it the client expects the record enciphered and reports a TLS error of its own, which is what it is here for:
 * Node offers no way of sending a real one.
 */
export function alertar(cru: Socket, alerta: keyof typeof ALERTA): void {
  cru.end(Buffer.from([21, 3, 3, 0, 2, 2, ALERTA[alerta]]), () => cru.destroy())
}

/** What an authority may do to a connection, given the TCP socket below it. */
export function criarConexao(cru: Socket, cifrada: boolean): Conexao {
  return {
    derrubar: () => {
      cru.resetAndDestroy()
    },
    recusarTls: () => {
      if (cifrada) alertar(cru, 'handshakeFailure')
      else cru.destroy()
    },
  }
}
