import type { TLSSocket } from 'node:tls'
import type { Chamador } from '../autoridade.ts'
import { lerTitular } from '../icp/titular.ts'

/**
 * Who is calling, by a certificate of our chain that was in force at the handshake, which a resumed session
 * remembers. `authorized` alone does not do: a resumed session without any certificate counts as authorized.
 */
export function lerChamador(socket: TLSSocket): Chamador | undefined {
  const certificado = socket.authorized ? socket.getPeerX509Certificate() : undefined
  return certificado && lerTitular(certificado)
}
