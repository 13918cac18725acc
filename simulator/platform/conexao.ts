import type { Socket } from 'node:net'
import type { Conexao } from './autoridade.ts'

/** Fatal alerts by number (RFC 8446, 6.2). */
const ALERTA = { handshakeFailure: 40, unrecognizedName: 112 } as const

// After the handshake the client expects an enciphered record and reports a TLS error of its own
// (`ERR_SSL_...`): Node offers no way of sending a real one.
// undici then says "other side closed", as it does (8.12, 2026-11) when a real server refuses a certificate
// in TLS 1.3.
/**
 * Ends a TLS connection with a fatal alert, written as plain text, as any server does before the handshake.
 */
export function alertar(cru: Socket, alerta: keyof typeof ALERTA): void {
  cru.end(Buffer.from([21, 3, 3, 0, 2, 2, ALERTA[alerta]]), () => cru.destroy())
}

/** The ways of breaking a connection, by the TCP socket below it. */
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
