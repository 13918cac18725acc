import { mix } from './aleatorio.ts'
import { dvCnpj, dvCpf } from './dados-abertos-documento.ts'

/**
 * The kind of a bare document (no punctuation, letters in capitals); undefined when its check digits are
 * wrong. Equal digits (CPF) and zeros (CNPJ) are refused, too: nobody has them.
 */
export function tipoDoDocumento(texto: string): 'cnpj' | 'cpf' | undefined {
  if (/^\d{11}$/.test(texto))
    return dvCpf(texto.slice(0, 9)) === texto.slice(9) && !/^(.)\1*$/.test(texto) ? 'cpf' : undefined
  if (/^[0-9A-Z]{12}\d{2}$/.test(texto))
    return dvCnpj(texto.slice(0, 12)) === texto.slice(12) && !/^0*$/.test(texto) ? 'cnpj' : undefined
  return undefined
}

/** 32 bits out of a text: the same text always gives the same, near texts give unlike ones. */
export function sementeDe(texto: string): number {
  let h = 0
  for (let i = 0; i < texto.length; i++) h = mix(h, texto.charCodeAt(i))
  return h
}

/** The states that issue CPFs of a fiscal region, by the ninth digit (Receita Federal). */
export const regiaoFiscal = {
  0: ['RS'],
  1: ['DF', 'GO', 'MS', 'MT', 'TO'],
  2: ['AC', 'AM', 'AP', 'PA', 'RO', 'RR'],
  3: ['CE', 'MA', 'PI'],
  4: ['AL', 'PB', 'PE', 'RN'],
  5: ['BA', 'SE'],
  6: ['MG'],
  7: ['ES', 'RJ'],
  8: ['SP'],
  9: ['PR', 'SC'],
} as const
