import type { Ambito } from '../documento/uf.ts'

/**
 * The facts that tell the type: the document, with or without its mask, and the CNAE as 7 digits. Both are
 * empty if unknown.
 */
type Titular = { documento: string; cnae: string; uf: Ambito }

/**
 * Gives the type of a registration whose source does not name it; empty if it is no rural producer. A person
 * with a rural activity is one (CNAE divisions 01 to 03), and in PR every person (CAD/PRO, Decreto
 * 1.668/2007).
 */
export function tipoInscricao({ documento, cnae, uf }: Titular): string {
  const isPerson = documento.replace(/\D/g, '').length === 11
  const isRural = /^0[123]/.test(cnae)
  return isPerson && (isRural || uf === 'PR') ? 'PRODUTOR RURAL' : ''
}
