import type { Titular } from '../../domain/certificado.ts'
import type { DesfechoDoEvento, Evento } from '../../domain/nfe.ts'
import type { MeiosNfe } from './meios.ts'

/** An event of the recipient's, and what signs it: an RSA key (PEM, PKCS#8) and its certificate (PEM, the leaf first). */
export type PedidoDeEvento = { chave: string; evento: Evento; titular: Titular; key: Buffer; cert: string }

/** Registers an event. Throws SourceError; never answers `falha`. */
export async function registrarEvento(_meios: MeiosNfe, _pedido: PedidoDeEvento): Promise<DesfechoDoEvento> {
  throw new Error('not written yet')
}
