import type { FalhaDaFonte } from '../platform/wire/leitura.ts'
import { isFalha, type LeituraSefaz } from './leitura.ts'

/** What our own calls to the services of an authorizer's states came to in a while. */
export type ChamadasProprias = { boas: number; falhas: readonly Pick<FalhaDaFonte, 'tipo' | 'codigo'>[] }

/**
 * Sets `desmentida` of a reading: whether a call of ours failed at the authority while it said that it works.
 * Null where it said otherwise, or where our calls tell nothing.
 */
export function conferida(leitura: LeituraSefaz, chamadas: ChamadasProprias | undefined): LeituraSefaz {
  if (isFalha(leitura) || !chamadas) return leitura
  if (chamadas.falhas.some(isDaAutoridade)) return { ...leitura, desmentida: true }
  return chamadas.boas > 0 ? { ...leitura, desmentida: false } : leitura
}

/**
 * Whether the authority failed, and neither the client's question nor our certificate nor our reading of its
 * answer. A code of OpenSSL tells that TLS refused us.
 */
function isDaAutoridade({ tipo, codigo }: Pick<FalhaDaFonte, 'tipo' | 'codigo'>): boolean {
  if (tipo === 'timeout') return true
  if (tipo === 'network') return !codigo.startsWith('ERR_')
  return tipo === 'http' && /^(?:HTTP 5\d\d|cStat (?:108|109|999))$/.test(codigo)
}
