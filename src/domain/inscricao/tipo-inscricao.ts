import type { Ambito } from '../uf.ts'

/** What tells whose registration it is: the document as it is written, the CNAE as 7 digits, both empty when unknown. */
type Titular = { documento: string; cnae: string; uf: Ambito }

/**
 * The type of a registration that its source does not name; empty for what is no rural producer. A natural person's is a
 * rural producer's where its activity is (CNAE divisions 01 to 03), and always in PR, where only producers register by CPF
 * (CAD/PRO, Decreto 1.668/2007).
 */
export function tipoInscricao({ documento, cnae, uf }: Titular): string {
  const isPerson = documento.replace(/\D/g, '').length === 11
  const isRural = /^0[123]/.test(cnae)
  return isPerson && (isRural || uf === 'PR') ? 'PRODUTOR RURAL' : ''
}
